/** Changes sets at Cloudflare: as batches, and with a second look where the zone is not as it was seen. */
import { Failure } from '../../../../kernel/failure.ts'
import { type ListedRrset, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import { isBelow } from '../domain-name.ts'
import type { ChangeOutcome, RrsetChange } from '../port.ts'
import { presented } from '../presented.ts'
import { RecordFault } from '../record-fault.ts'
import { outcomeTogether } from '../server-failure.ts'
import { fittedComment } from '../set-comment.ts'
import { clampedTtl } from '../ttl.ts'
import { absolute } from '../whole-listing.ts'
import { PROXIABLE } from './from-records.ts'
import { isChanged, isWithoutBatch } from './refusals.ts'
import { sendBatch, type Sending, sendSingly } from './send.ts'
import { MAX_OPERATIONS, TRAITS } from './traits.ts'
import type { Operation, RecordBody } from './wire.ts'

/** Outcomes in the order of the changes. Throws when none was applied, or when it cannot be told. */
export async function changeSets(
  sending: Sending,
  changes: readonly RrsetChange[],
  list: () => Promise<readonly ListedRrset[]>,
): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = []
  for (const chunk of chunksOf(sending.zone, changes)) {
    try {
      outcomes.push(...(await changeChunk(sending, chunk, list)))
    } catch (error) {
      // What the chunks before did stands; the rest is told as failed.
      if (!(error instanceof Failure) || outcomes.length === 0) throw error
      const left = changes.length - outcomes.length
      return [...outcomes, ...Array.from({ length: left }, () => outcomeTogether(error))]
    }
  }
  return outcomes
}

interface Chunk {
  readonly changes: readonly RrsetChange[]
  readonly operations: readonly Operation[]
}

/** As few chunks as possible with at most a batch's worth of operations; a set is never torn apart. */
function chunksOf(zone: string, changes: readonly RrsetChange[]): Chunk[] {
  const chunks: { changes: RrsetChange[]; operations: Operation[] }[] = [{ changes: [], operations: [] }]
  for (const change of changes) {
    let chunk = chunks.at(-1)!
    if (chunk.operations.length + planned(zone, change, 0).length > MAX_OPERATIONS)
      chunks.push((chunk = { changes: [], operations: [] }))
    chunk.operations.push(...planned(zone, change, chunk.changes.length))
    chunk.changes.push(change)
  }
  return chunks
}

function planned(zone: string, change: RrsetChange, of: number): Operation[] {
  const refused = (why: string) =>
    new Failure(
      'provider_refused',
      `cloudflare: ${rrsetItem(change)} in ${zone} ${why}. Nothing was changed.`,
    )
  try {
    // A name without the zone at its end would be taken as relative to it.
    if (!isBelow(absolute(change.name), zone)) throw refused('is a name outside the zone')
    const operations = operationsOf(change, of)
    if (operations.length > MAX_OPERATIONS) throw refused(`has more than ${MAX_OPERATIONS} records to change`)
    return operations
  } catch (error) {
    throw error instanceof RecordFault ? refused(error.message) : error
  }
}

async function changeChunk(
  sending: Sending,
  chunk: Chunk,
  list: () => Promise<readonly ListedRrset[]>,
): Promise<readonly ChangeOutcome[]> {
  if (chunk.operations.length === 0) return outcomesOf(chunk, new Map(), new Map())
  const sent = await sendBatch(sending, chunk.operations)
  if (sent.ok) return outcomesOf(chunk, sent.ids, new Map())
  if (isWithoutBatch(sent.status, sent.refusal)) {
    const { ids, failed } = await sendSingly(sending, chunk.operations)
    return outcomesOf(chunk, ids, failed)
  }
  if (!isChanged(sent.refusal)) throw sent.failure
  const now = byKey(await list())
  const rebased = chunk.changes.map((change) => rebase(change, now.get(rrsetKey(change))))
  // The zone is as it was seen after all: the refusal is about the content.
  if (rebased.every((change, i) => change !== null && sameIds(change, chunk.changes[i]!))) throw sent.failure
  return changeAnew(sending, chunk.changes, rebased)
}

const sameIds = (one: RrsetChange, other: RrsetChange): boolean =>
  one.seen?.ids.join() === other.seen?.ids.join()

/** The batch was undone because the zone is not as it was seen: once more, on what is there now. */
async function changeAnew(
  sending: Sending,
  changes: readonly RrsetChange[],
  rebased: readonly (RrsetChange | null)[],
): Promise<readonly ChangeOutcome[]> {
  const possible = rebased.filter((change) => change !== null)
  if (possible.length === 0) throw metAnother(changes[0]!, sending.zone)
  const operations = possible.flatMap((change, of) => planned(sending.zone, change, of))
  if (operations.length > MAX_OPERATIONS) throw metAnother(changes[0]!, sending.zone)
  const ids =
    operations.length === 0 ? new Map<Operation, string>() : await sentAgain(sending, operations, changes)
  const outcomes = outcomesOf({ changes: possible, operations }, ids, new Map())
  return rebased.map((change, i) => {
    if (change !== null) return outcomes[possible.indexOf(change)]!
    const { code, message } = metAnother(changes[i]!, sending.zone)
    return { ok: false, code, message }
  })
}

async function sentAgain(
  sending: Sending,
  operations: readonly Operation[],
  changes: readonly RrsetChange[],
): Promise<ReadonlyMap<Operation, string>> {
  const sent = await sendBatch(sending, operations)
  if (sent.ok) return sent.ids
  throw isChanged(sent.refusal) ? metAnother(changes[0]!, sending.zone) : sent.failure
}

function outcomesOf(
  { changes, operations }: Chunk,
  ids: ReadonlyMap<Operation, string>,
  failed: ReadonlyMap<number, ChangeOutcome>,
): ChangeOutcome[] {
  const written = changes.map(() => new Map<string, string>())
  for (const operation of operations) {
    const id = ids.get(operation)
    if (operation.kind !== 'delete' && id !== undefined) written[operation.of]!.set(operation.value, id)
  }
  return changes.map(({ wanted, seen }, i) => {
    const before = new Map(seen?.values.map((value, at) => [value, seen.ids[at]!]))
    const values = [...(wanted?.values ?? [])].sort()
    return (
      failed.get(i) ?? {
        ok: true,
        ids: values.flatMap((value) => written[i]!.get(value) ?? before.get(value) ?? []),
      }
    )
  })
}

// Pure: a change against a zone that is not as it was seen. Records that are gone need no deleting; a record that already
// says what is wanted (a create of ours whose answer was lost) is taken as done. Nothing else that was not seen is touched.

/** `null` in place of a change that met somebody else's record: look again and decide anew. */
function rebase(change: RrsetChange, now: ListedRrset | undefined): RrsetChange | null {
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

const byKey = (sets: readonly ListedRrset[]): Map<string, ListedRrset> =>
  new Map(sets.map((set) => [rrsetKey(set), set]))

const metAnother = (change: RrsetChange, zone: string): Failure =>
  new Failure(
    'component_unavailable',
    `cloudflare: ${rrsetItem(change)} of ${zone} was changed by somebody else meanwhile; it is looked at again.`,
  )

// Pure: what a change of sets comes to in single records. Records that keep their place are edited, not made anew.

const AUTOMATIC = 1

type Wanted = NonNullable<RrsetChange['wanted']>

/** Operations of one change; none when the set is what it should be. Throws RecordFault for a value that makes no sense. */
function operationsOf(change: RrsetChange, of: number): Operation[] {
  const { wanted, seen } = change
  const there = (seen?.values ?? []).map((value, i) => ({ value, id: seen!.ids[i]! }))
  if (wanted === null) return there.map(({ id }) => ({ kind: 'delete', of, id }))
  const body = bodyOf(change, wanted)
  const kept = there.filter(({ value }) => wanted.values.includes(value))
  const removed = there.filter(({ value }) => !wanted.values.includes(value))
  const fresh = wanted.values.filter((value) => !there.some((record) => record.value === value))
  const reused = removed.slice(0, fresh.length).map(({ id }, i) => ({ id, value: fresh[i]! }))
  const patched = [...(sameSettings(change, wanted) ? [] : kept), ...reused]
  return [
    ...removed.slice(fresh.length).map(({ id }): Operation => ({ kind: 'delete', of, id })),
    ...patched.map(({ id, value }): Operation => ({ kind: 'patch', of, id, value, body: body(value) })),
    ...fresh
      .slice(removed.length)
      .map((value): Operation => ({ kind: 'post', of, value, body: body(value) })),
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
  const ttl = proxied || wanted.ttl === null ? null : clampedTtl(wanted.ttl, TRAITS.ttl)
  return { ttl, comment: fittedComment(wanted.comment, TRAITS.comment_most), proxied }
}

/** True when what was seen has the TTL, comment and proxy setting that are wanted. */
function sameSettings(change: RrsetChange, wanted: Wanted): boolean {
  if (change.seen === null) return false
  const { ttl, comment, proxied } = settingsOf(change, wanted)
  const { seen } = change
  return seen.ttl === ttl && (seen.comment ?? '') === comment && seen.proxied === proxied
}
