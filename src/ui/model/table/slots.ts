/** Which of the drawn rows of a window is filled anew: what left makes room for what came, so that a row is not built from nothing. */

export interface Slots<Id> {
  /** By id of the row, in the order of the rows. */
  readonly of: ReadonlyMap<Id, number>
  readonly next: number
}

export const noSlots = <Id>(): Slots<Id> => ({ of: new Map(), next: 0 })

/**
 * A row that stays keeps its slot.
 *
 * @param used rows that somebody is at: where they leave, nothing else takes their place under the focus
 */
export function slotsOf<Id>(before: Slots<Id>, ids: readonly Id[], used: ReadonlySet<Id>): Slots<Id> {
  const stay = new Set(ids)
  const free = [...before.of].flatMap(([id, slot]) => (stay.has(id) || used.has(id) ? [] : [slot]))
  let { next } = before
  let taken = 0
  const slotOf = (id: Id): number => before.of.get(id) ?? free[taken++] ?? next++
  return { of: new Map(ids.map((id) => [id, slotOf(id)])), next }
}
