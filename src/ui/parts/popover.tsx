/** A popover beside what was pressed: native, so that Escape and a press elsewhere close it. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly children: ComponentChildren
}

const GAP = 6
const EDGE = 14

export function Popover({ label, anchor, onClose, children }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return undefined
    box.showPopover()
    const place = () => placeBeside(box, anchor)
    place()
    const watch = new ResizeObserver(place)
    watch.observe(box)
    window.addEventListener('scroll', place, { passive: true })
    // A list of acts begins with its first.
    ;(box.querySelector<HTMLElement>('.menu button') ?? box).focus()
    return () => {
      watch.disconnect()
      window.removeEventListener('scroll', place)
    }
  }, [anchor])
  return (
    <div
      ref={ref}
      class="pop"
      popover="auto"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onToggle={(event) => {
        if (event.newState !== 'closed') return
        onClose()
        anchor.focus()
      }}
    >
      {children}
    </div>
  )
}

function placeBeside(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const below = at.bottom + GAP + height <= window.innerHeight || at.top < height
  const left = Math.max(EDGE, Math.min(at.left - 8, window.innerWidth - width - EDGE))
  box.style.inset = 'auto'
  box.style.left = `${left}px`
  box.style.top = `${below ? at.bottom + GAP : at.top - GAP - height}px`
}
