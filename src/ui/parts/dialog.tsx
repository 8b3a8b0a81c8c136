/** The native dialog: it keeps the focus, closes with Escape, and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly kind?: string
}

export function Dialog({ label, onClose, children, kind = 'ask' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  // Before anything is painted: what is typed next is typed into it.
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={`box ${kind}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // The backdrop belongs to the dialog itself.
        if (event.target === ref.current) onClose()
      }}
    >
      {children}
    </dialog>
  )
}
