/**
 * Whose a set is: the ledger's row, the mark at the provider and the value, in one table. Pure.
 *
 *   row        mark     value     →
 *   none       none     absent    absent
 *   none       ours     absent    absent              a mark of ours that was left over
 *   none       none     present   foreign
 *   none       ours     present   orphan              ours, but the ledger was lost: adopted by a person or not at all
 *   owned      any      absent    lost
 *   applying   any      any       as owned, under its own name: a change is not seen yet
 *   removing   any      any       as owned, under its own name: its removal is not seen yet
 *   sending    any      absent    sending             a crash came before the write
 *   owned      ours     present   owned
 *   sending    ours     as sent   sending             a crash came after the write
 *   sending    ours     differs   sending where the mark is part of the set, foreign where it stands beside it
 *   any        none     as sent   unmarked            the mark is put back
 *   any        none     differs   foreign             somebody put theirs in the place of ours
 *   any        other    any       other_installation
 *   any        blocked  any       blocked             something else stands where the mark belongs
 *   adopted    any      any       adopted             (but blocked)
 *   releasing  any      any       releasing
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

/** A set without a row is never `as_sent`. */
export function ownershipOf(row: RowState, mark: MarkState, value: ValueState): Ownership {
  if (row === 'releasing') return 'releasing'
  if (row === 'none') return withoutRow(mark, value)
  if (mark === 'blocked') return 'blocked'
  if (row === 'adopted') return 'adopted'
  if (mark === 'other') return 'other_installation'
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
