/** A button that opens a list of acts; arrows go through it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Popover } from './popover.tsx'

export interface MenuItem {
  readonly title: string
  readonly run: () => void
  readonly danger?: boolean
  /** Why it is not possible now. */
  readonly why_not?: string | null
}

interface Props {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly children: ComponentChildren
}

export function Menu({ label, items, children }: Props) {
  const anchor = useSignal<HTMLElement | null>(null)
  const close = () => {
    anchor.value = null
  }
  return (
    <>
      <button
        type="button"
        class="btn"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={anchor.value !== null}
        onClick={({ currentTarget }) => {
          anchor.value = currentTarget
        }}
      >
        {children}
      </button>
      {anchor.value !== null && (
        <Popover label={label} anchor={anchor.value} onClose={close}>
          <ul class="menu" onKeyDown={step}>
            {items.map(({ title, run, danger = false, why_not = null }) => (
              <li key={title}>
                <button
                  type="button"
                  class={danger ? 'danger' : ''}
                  disabled={why_not !== null}
                  onClick={() => {
                    close()
                    run()
                  }}
                >
                  {title}
                  {why_not !== null && <span class="s q">{why_not}</span>}
                </button>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}

function step(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || !(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const at = buttons.findIndex((one) => one === document.activeElement)
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
}
