/** Drawn rows are filled anew while one scrolls, filters and orders, but never that at which the focus is. */
import { useRef } from 'preact/hooks'
import { noSlots, slotsOf, type Slots } from '../../model/table/slots.ts'

/** By id of the row: what it is drawn under. */
export function useRowSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const slots = useRef<Slots<string>>(noSlots())
  const used = document.activeElement?.closest<HTMLElement>('[data-of]')?.dataset['of']
  slots.current = slotsOf(slots.current, ids, new Set(used === undefined ? [] : [used]))
  return slots.current.of
}
