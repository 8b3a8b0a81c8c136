/** Drawn rows are filled anew while one scrolls, filters and orders, but never that at which somebody is. */
import { useRef } from 'preact/hooks'
import { noSlots, slotsOf, type Slots } from '../../model/table/slots.ts'
import { asked } from './why.tsx'

/** By id of the row: what it is drawn under. */
export function useSlots(drawn: readonly { readonly id: number }[]): ReadonlyMap<number, number> {
  const slots = useRef<Slots<number>>(noSlots())
  slots.current = slotsOf(
    slots.current,
    drawn.map(({ id }) => id),
    rowsInUse(),
  )
  return slots.current.of
}

/** That of the focus, and that beside which something stands. */
function rowsInUse(): ReadonlySet<number> {
  const row = document.activeElement?.closest<HTMLElement>('[data-id]')
  const ids = [row?.dataset['id'], asked.peek()?.id].filter((id) => id !== undefined)
  return new Set(ids.map(Number))
}
