/**
 * What a key that is kept true says of one domain: a projection of its status, as explain and the health page are. Pure.
 *
 *   the key, or the domain's own condition, is unknown      unknown, for that reason
 *   something of the domain differs                         by its cause, and by what hinders the repair
 *   the condition is false, and it is not about others      by its reason
 *   saved, and not deployed                                 pending
 *   none of them                                            true
 */
import { conditionsOf } from '../../engine/status/key-conditions.ts'
import type { KeyStatus } from '../../engine/status/key-status.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { DriftCause } from '../../model/drift.ts'
import type { LampPart } from './part.ts'
import { isWaiting, stateOf } from './states.ts'

/** A status, made ready for ten thousand questions. */
export interface KnownKey {
  readonly status: KeyStatus
  /** Null for a key that only the saved edition has. */
  readonly shared: Condition | null
  readonly own: ReadonlyMap<number, Condition>
  /** By name. */
  readonly causes: ReadonlyMap<string, DriftCause>
  /** All that differs is some domain's: what is not listed for one is none of its business. */
  readonly is_listed: boolean
  readonly waiting: ReadonlySet<string>
  /** Somebody looked during a suspension, too long ago: a suspended key is looked at by callers alone. */
  readonly is_outdated: boolean
}

export function knownKey(status: KeyStatus, now: Instant): KnownKey {
  const { conditions, waiting } = status
  const { shared, own } = conditions === null ? NO_CONDITIONS : conditionsOf(conditions, now)
  const found = conditions?.found ?? null
  return {
    status,
    shared,
    own,
    causes: found?.of_domains ?? new Map(),
    is_listed: found !== null && !found.has_common && found.of_domains.size > 0,
    waiting: new Set(waiting?.domains),
    is_outdated: isSuspended(status) && status.stale_after !== null && now > status.stale_after,
  }
}

const NO_CONDITIONS = { shared: null, own: new Map<number, Condition>() }

export interface KeptRecord {
  readonly domain_id: number
  /** In its two editions. */
  readonly names: readonly string[]
  /** Its saved state is not the deployed one. */
  readonly pending: boolean
  /** One of its editions asks the key for something. */
  readonly is_asked: boolean
}

/** Null where the key has nothing to do with it. */
export function keptPart(known: KnownKey, record: KeptRecord): LampPart | null {
  const { status, own, shared } = known
  const cause = causeFor(known, record)
  if (!record.is_asked && (cause === null || isWaiting(cause))) return null
  const condition = own.get(record.domain_id) ?? shared
  const base = { source: status.key, seen_at: status.seen_at }
  const is_unknown =
    known.is_outdated || status.drift === null || (condition?.status === 'unknown' && !isSuspended(status))
  if (is_unknown) {
    const { reason, message } = status.drift === null || known.is_outdated ? status : condition!
    return { ...base, state: 'unknown', cause: reason, message }
  }
  if (cause !== null && !isWaiting(cause)) return { ...base, ...differing(known, condition, cause) }
  if (condition?.status === 'false' && !(known.is_listed && !own.has(record.domain_id)))
    return { ...base, ...differing(known, condition, status.cause) }
  const waits = waitingCause(known, record)
  if (waits !== null) return { ...base, state: 'pending', cause: waits, message: WAITS[waits] }
  return { ...base, state: 'true', cause: null, message: IS_RIGHT }
}

/** Somebody has looked since: the status tells of that. */
const isSuspended = ({ reason }: KeyStatus): boolean => reason === 'suspended'

const IS_RIGHT = 'It is what was released.'
const WAITS = {
  pending_deploy: 'Newer changes are saved and wait for a deploy.',
  renderer_changed: 'It would be written differently now; a deploy does that.',
}

function causeFor({ causes }: KnownKey, { names }: KeptRecord): DriftCause | null {
  for (const name of names) {
    const cause = causes.get(name)
    if (cause !== undefined) return cause
  }
  return null
}

function differing({ status }: KnownKey, condition: Condition | null, cause: DriftCause | null) {
  const hindered =
    condition?.status === 'false' ? condition : { reason: 'drifting' as const, message: DIFFERS }
  return {
    state: stateOf(cause, hindered.reason),
    cause: cause ?? status.cause ?? hindered.reason,
    message: hindered.message,
  }
}

const DIFFERS = 'It differs from what the database says.'

function waitingCause(
  { status: { waiting }, waiting: names }: KnownKey,
  record: KeptRecord,
): keyof typeof WAITS | null {
  if (waiting === null) return null
  // Settings alone have changed, or this version renders otherwise: whose part that is, is not known before a look.
  if (waiting.domains.length === 0) return waiting.cause
  return record.pending && record.names.some((name) => names.has(name)) ? waiting.cause : null
}
