/** The native dialog: it keeps the focus, closes with Escape, and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly kind?: string
  /** What it shows is shown once: only its own button closes it. */
  readonly isOnce?: boolean
}

export function Dialog({ label, onClose, children, kind = 'ask', isOnce = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const isOpen = useRef(true)
  // Before anything is painted: what is typed next is typed into it.
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      isOpen.current = false
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={`box ${kind}`}
      aria-label={label}
      onKeyDown={(event) => {
        // A browser may let only the first Escape be kept from closing it.
        if (isOnce && event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (!isOnce) onClose()
      }}
      onClose={() => {
        // A browser may close it though its owner has not: what it shows is not gone by that.
        if (isOpen.current) ref.current?.showModal()
      }}
      onClick={(event) => {
        // The backdrop belongs to the dialog itself.
        if (event.target === ref.current && !isOnce && !isSecondPress(event)) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

/** Of a double press: what it was meant for is gone, and something else may stand in its place. */
export const isSecondPress = ({ detail }: Pick<MouseEvent, 'detail'>): boolean => detail > 1
