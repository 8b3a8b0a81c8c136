/**
 * Whose a set is: the ledger's row, the mark at the provider and the value, in one table. Pure. The first line that fits holds.
 *
 *   row        mark     value     →
 *   releasing  any      any       releasing
 *   none       other    any       other_installation
 *   none       blocked  absent    blocked             something else stands where the mark belongs
 *   none       any      absent    absent              a mark of ours that was left over, too
 *   none       ours     present   orphan              ours, but the ledger was lost: adopted by a person or not at all
 *   none       any      present   foreign
 *   any        blocked  any       blocked
 *   any        other    any       other_installation
 *   adopted    none     differs   foreign             another than the one that a person gave into our care
 *   adopted    beside   differs   foreign
 *   adopted    any      any       adopted
 *   owned      any      absent    lost
 *   sending    any      absent    sending             a crash came before the write
 *   applying   any      absent    applying            a change is not seen yet
 *   removing   any      absent    removing            its removal is not seen yet
 *   any        none     as sent   unmarked            the mark is put back
 *   any        none     differs   foreign             somebody put theirs in the place of ours
 *   sending    beside   differs   foreign             the mark is of the name, not of this set
 *   any        ours     present   the row's own name  owned; sending where a crash came after the write; applying, removing
 */
import type { OwnedRrset } from '../../../../model/network/dns.ts'

export type RowState = OwnedRrset['state'] | 'none'
/** `beside`: ours, but for the whole name, so that it cannot tell one set from another. */
export type MarkState = 'none' | 'ours' | 'beside' | 'other' | 'blocked'
export type ValueState = 'absent' | 'as_sent' | 'differs'

export const OWNERSHIPS = [
  'absent',
  'lost',
  'owned',
  'sending',
  'applying',
  'removing',
  'unmarked',
  'adopted',
  'releasing',
  'orphan',
  'foreign',
  'other_installation',
  'blocked',
] as const
export type Ownership = (typeof OWNERSHIPS)[number]

/** Written or taken away, and not yet seen to be so. */
export const isAskedFor = ({ state }: OwnedRrset): boolean => state === 'applying' || state === 'removing'

/** A set without a row is never `as_sent`; one that was adopted is so too where it is what is wanted of it. */
export function ownershipOf(row: RowState, mark: MarkState, value: ValueState): Ownership {
  if (row === 'releasing') return 'releasing'
  if (row === 'none') return withoutRow(mark, value)
  if (mark === 'blocked') return 'blocked'
  if (mark === 'other') return 'other_installation'
  if (row === 'adopted') return mark !== 'ours' && value === 'differs' ? 'foreign' : 'adopted'
  if (value === 'absent') return row === 'owned' ? 'lost' : row
  if (mark === 'none') return value === 'as_sent' ? 'unmarked' : 'foreign'
  if (row === 'sending' && mark === 'beside' && value === 'differs') return 'foreign'
  return row
}

function withoutRow(mark: MarkState, value: ValueState): Ownership {
  if (mark === 'other') return 'other_installation'
  if (value === 'absent') return mark === 'blocked' ? 'blocked' : 'absent'
  return mark === 'ours' || mark === 'beside' ? 'orphan' : 'foreign'
}
