/**
 * Pure: a change against a zone that is not as it was seen. Records that are gone need no deleting; a record that already
 * says what is wanted (a create of ours whose answer was lost) is taken as done. Nothing else that was not seen is touched.
 */
import { Failure } from '../../../../kernel/failure.ts'
import { type ListedRrset, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../port.ts'
import { sameSettings } from './operations.ts'

/** `null` in place of a change that met somebody else's record: look again and decide anew. */
export function rebase(change: RrsetChange, now: ListedRrset | undefined): RrsetChange | null {
  if (now === undefined) return { ...change, seen: null }
  const known = new Set(change.seen?.ids ?? [])
  const records = now.values.map((value, i) => ({ value, id: now.ids[i]! }))
  const ours = records.filter(({ id }) => known.has(id))
  const strange = records.filter(({ id }) => !known.has(id))
  const { wanted } = change
  const as_wanted = ({ value }: { readonly value: string }) =>
    wanted !== null && wanted.values.includes(value) && sameSettings({ ...change, seen: now }, wanted)
  if (wanted !== null && !strange.every(as_wanted)) return null
  const seen = wanted === null ? ours : [...ours, ...strange]
  return { ...change, seen: { ...now, values: seen.map((one) => one.value), ids: seen.map((one) => one.id) } }
}

export const byKey = (sets: readonly ListedRrset[]): Map<string, ListedRrset> =>
  new Map(sets.map((set) => [rrsetKey(set), set]))

export const metAnother = (change: RrsetChange, zone: string): Failure =>
  new Failure(
    'component_unavailable',
    `cloudflare: ${rrsetItem(change)} of ${zone} was changed by somebody else meanwhile; it is looked at again.`,
  )
