/** Pure: what a change of sets comes to in single records. Records that keep their place are edited, not made anew. */
import type { RrsetChange } from '../port.ts'
import { presented } from '../presented.ts'
import { PROXIABLE } from './from-records.ts'
import { TRAITS } from './traits.ts'
import type { Operation, RecordBody } from './wire.ts'

const AUTOMATIC = 1

type Wanted = NonNullable<RrsetChange['wanted']>

/** Operations of one change; none when the set is what it should be. Throws RecordFault for a value that makes no sense. */
export function operationsOf(change: RrsetChange, of: number): Operation[] {
  const { wanted, seen } = change
  const there = (seen?.values ?? []).map((value, i) => ({ value, id: seen!.ids[i]! }))
  if (wanted === null) return there.map(({ id }) => ({ kind: 'delete', of, id }))
  const body = bodyOf(change, wanted)
  const kept = there.filter(({ value }) => wanted.values.includes(value))
  const gone = there.filter(({ value }) => !wanted.values.includes(value))
  const fresh = wanted.values.filter((value) => !there.some((record) => record.value === value))
  const reused = gone.slice(0, fresh.length).map(({ id }, i) => ({ id, value: fresh[i]! }))
  const patched = [...(sameSettings(change, wanted) ? [] : kept), ...reused]
  return [
    ...gone.slice(fresh.length).map(({ id }): Operation => ({ kind: 'delete', of, id })),
    ...patched.map(({ id, value }): Operation => ({ kind: 'patch', of, id, value, body: body(value) })),
    ...fresh.slice(gone.length).map((value): Operation => ({ kind: 'post', of, value, body: body(value) })),
  ]
}

/** What is sent for each value. A proxy setting that nobody has an opinion on stays as it is, and is off for a new set. */
function bodyOf(change: RrsetChange, wanted: Wanted): (value: string) => RecordBody {
  const { name, type } = change
  const { ttl, comment, proxied } = settingsOf(change, wanted)
  const proxy = PROXIABLE.includes(type) ? { proxied } : {}
  return (value) => ({
    type,
    name,
    content: contentOf(type, value),
    ttl: ttl ?? AUTOMATIC,
    ...proxy,
    comment,
  })
}

/** Host names go without their closing dot. */
const contentOf = (type: string, value: string): string => {
  const text = presented(type, value)
  return type === 'TXT' ? text : text.replace(/(?<!^|\\|\s)\.$/, '')
}

/** The settings as they read back: a proxied record has no TTL of its own, a comment is one short line. */
function settingsOf(
  { type, seen }: RrsetChange,
  wanted: Wanted,
): { ttl: number | null; comment: string; proxied: boolean } {
  const proxied = PROXIABLE.includes(type) && (wanted.proxied ?? seen?.proxied ?? false)
  return { ttl: proxied ? null : clamped(wanted.ttl), comment: shortened(wanted.comment), proxied }
}

const clamped = (ttl: number | null): number | null =>
  ttl === null ? null : Math.min(Math.max(ttl, TRAITS.ttl.least), TRAITS.ttl.most)

/** Cut between characters, never inside one. */
const shortened = (comment: string | null): string =>
  Array.from((comment ?? '').replaceAll(/[\r\n]+/g, ' '))
    .slice(0, TRAITS.comment_most ?? 0)
    .join('')
    .trim()

/** True when what was seen has the TTL, comment and proxy setting that are wanted. */
export function sameSettings(change: RrsetChange, wanted: Wanted): boolean {
  if (change.seen === null) return false
  const { ttl, comment, proxied } = settingsOf(change, wanted)
  const { seen } = change
  return seen.ttl === ttl && (seen.comment ?? '') === comment && seen.proxied === proxied
}
