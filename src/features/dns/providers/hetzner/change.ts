/** Changes sets at Hetzner, one after another: there is no batch. */
import type { Clock } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { type ListedRrset, rrsetItem } from '../../../../model/network/dns.ts'
import { isBelow } from '../domain-name.ts'
import { type JsonApi, unusable } from '../json-api.ts'
import { type ChangeOutcome, isServerFailure, type RrsetChange, SERVER_FAILED } from '../port.ts'
import { RecordFault } from '../record-fault.ts'
import { FailuresInARow, outcomeAlone } from '../server-failure.ts'
import { absolute, reading } from '../whole-listing.ts'
import { listedSet, recordsOf, relative, sameRecords, setPath, ttlOf, type Wanted } from './sets.ts'
import {
  codeOf,
  isCode,
  isServersFault,
  type Refusal,
  type WireAction,
  withAction,
  withRrset,
  words,
} from './wire.ts'

/**
 * Sets that go come first, so that an address can become an alias in one call. A set that is refused, or at which the server
 * fails, sinks itself alone; trouble of any other kind ends the work, and what is left is told as failed. Throws when nothing
 * was done.
 */
export async function changeSets(
  writing: Writing,
  changes: readonly RrsetChange[],
): Promise<readonly ChangeOutcome[]> {
  const failures = new Map<RrsetChange, Failure>()
  const order = [...changes].sort((a, b) => Number(a.wanted !== null) - Number(b.wanted !== null))
  const in_a_row = new FailuresInARow()
  let end: Failure | null = null
  for (const change of order) {
    const failure: Failure | null = end ?? (await failureOf(() => changeSet(writing, change)))
    if (failure === null) in_a_row.succeeded()
    else {
      end ??= in_a_row.endedBy(failure)
      failures.set(change, end ?? failure)
    }
  }
  const [first] = failures.values()
  // At one set each the server failed: of the others it says nothing.
  const is_of_sets = end === null && changes.length > 1 && [...failures.values()].some(isServerFailure)
  if (first !== undefined && failures.size === changes.length && !is_of_sets) throw end ?? first
  return changes.map((change) => outcomeOf(failures.get(change)))
}

const outcomeOf = (failure: Failure | undefined): ChangeOutcome =>
  failure === undefined ? { ok: true, ids: [] } : outcomeAlone(failure)

async function failureOf(work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function changeSet(writing: Writing, change: RrsetChange): Promise<void> {
  const { zone } = writing
  try {
    // A name is sent relative to the zone: one outside of it would become another one inside.
    if (!isBelow(absolute(change.name), zone)) throw new RecordFault('is a name outside the zone')
    if (change.wanted === null) await remove(writing, change)
    else if (change.seen === null) await create(writing, change, change.wanted)
    else await edit(writing, change, change.seen, change.wanted)
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error
    throw new Failure('provider_refused', `hetzner: ${rrsetItem(change)} in ${zone} ${error.message}.`)
  }
}

async function remove(writing: Writing, change: RrsetChange): Promise<void> {
  if (change.seen === null) return
  const path = `${zonePath(writing)}${setPath(writing.zone, change)}`
  // Absent is what was wanted.
  await write(writing, { method: 'DELETE', path, what: `delete ${rrsetItem(change)}` })
}

async function create(writing: Writing, change: RrsetChange, wanted: Wanted): Promise<void> {
  const { name, type } = change
  const json = {
    name: relative(name, writing.zone),
    type,
    ttl: ttlOf(wanted),
    records: recordsOf(type, wanted),
  }
  const what = `create ${rrsetItem(change)}`
  const result = await write(writing, { method: 'POST', path: `${zonePath(writing)}/rrsets`, json, what })
  if (result === 'absent') throw noZone(writing, what)
  if (result === 'present') await isAsWanted(writing, change, wanted)
}

async function edit(writing: Writing, change: RrsetChange, seen: ListedRrset, wanted: Wanted): Promise<void> {
  const what = `change ${rrsetItem(change)}`
  const actions = `${zonePath(writing)}${setPath(writing.zone, change)}/actions`
  const calls = [
    ...(sameRecords(seen, wanted)
      ? []
      : [{ path: `${actions}/set_records`, json: { records: recordsOf(change.type, wanted) } }]),
    ...(seen.ttl === ttlOf(wanted) ? [] : [{ path: `${actions}/change_ttl`, json: { ttl: ttlOf(wanted) } }]),
  ]
  for (const call of calls)
    if ((await write(writing, { method: 'POST', ...call, what })) === 'absent')
      return create(writing, change, wanted)
}

/** A create whose answer was lost is done all the same; anything else there was put by somebody else. */
async function isAsWanted(writing: Writing, change: RrsetChange, wanted: Wanted): Promise<void> {
  const { api, zone, signal } = writing
  const what = `create ${rrsetItem(change)}`
  const path = `${zonePath(writing)}${setPath(zone, change)}`
  const { body } = await api.ask({ method: 'GET', path, answer: withRrset, what, signal })
  const now = reading({ provider: api.provider, zone }, () => listedSet(zone, body.rrset))
  if (!sameRecords(now, wanted) || now.ttl !== ttlOf(wanted))
    throw unusable(api.provider, what, 'somebody else made it meanwhile; it is looked at again')
}

const zonePath = ({ zone }: Writing): string => `/zones/${encodeURIComponent(zone)}`

const noZone = ({ api, zone }: Writing, what: string): Failure =>
  new Failure('provider_refused', `${api.provider}: could not ${what}: there is no zone ${zone} (any more).`)

// One write at Hetzner: the call, and the wait until its action has ended.

const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 2000
/** About a minute and a half. */
const MAX_LOOKS = 50

interface Writing {
  readonly api: JsonApi<Refusal>
  readonly clock: Clock
  readonly zone: string
  readonly signal: AbortSignal
}

interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly json?: unknown
  /** The middle of a message: `create A app.example.org`. */
  readonly what: string
}

/** `absent` and `present`: refused because of what stands there. Throws a Failure for every other trouble. */
async function write(writing: Writing, call: Write): Promise<'done' | 'absent' | 'present'> {
  const { api, signal } = writing
  const answer = await api.try({ ...call, answer: withAction, signal })
  if (answer.ok) {
    await ended(writing, call, answer.body.action)
    return 'done'
  }
  if (isCode(answer.refusal, 'not_found')) return 'absent'
  if (isCode(answer.refusal, 'uniqueness_error')) return 'present'
  throw answer.failure
}

async function ended({ api, clock, signal }: Writing, { what }: Write, begun: WireAction): Promise<void> {
  let now = begun
  for (let look = 0; now.status === 'running'; look++) {
    if (look === MAX_LOOKS) throw unusable(api.provider, what, 'it was taken on and has not ended yet')
    await clock.sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** look), signal)
    const path = `/actions/${begun.id}`
    const { body } = await api.ask({ method: 'GET', path, answer: withAction, what, signal })
    if (body.action.id !== begun.id) throw unusable(api.provider, what, 'the answer is about another action')
    now = body.action
  }
  if (now.status === 'success') return
  const refusal = { error: now.error ?? { code: 'unknown', message: 'the action failed without a reason' } }
  throw new Failure(
    codeOf(refusal) ?? 'provider_refused',
    `${api.provider}: could not ${what}: ${words(refusal)}.`,
    isServersFault(refusal) ? { facts: SERVER_FAILED } : {},
  )
}
