/**
 * From what is known of one key to its troubles. Pure.
 *
 *   condition                               trouble               told
 *   false, drifting                         drift_lasting         when it lasts
 *   false, drifting, all of it not loaded   not_loaded            when it lasts
 *   false, unfinished                       unfinished_lasting    when it lasts
 *   false, contested                        contested             at once: what is put back all the time, a person has to stop
 *   false, refused                          repair_refused        at once
 *   false, refused, of the anonymous proof  route_open            at once
 *   false or unknown, failing               failing               when it lasts
 *   unknown, otherwise                      unknown_lasting       when it lasts; until then nothing is over
 *   unknown, suspended                      none, and none is over
 *
 * The id names the key and the domain, so a drift that cannot be looked at any more stays the same trouble. While a key is
 * not right as a whole, no trouble of its domains is over: the row of a domain falls away where everybody shares one.
 */
import { type KeyConditions, differingConditions, sharedOf } from '../../../engine/status/key-conditions.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { Condition, ConditionReason } from '../../../model/condition.ts'
import type { DriftCause } from '../../../model/drift.ts'
import type { Severity } from '../../../model/trouble.ts'
import { isRipe, type SightedTrouble, type Sighting } from '../sighting.ts'

export interface ConditionFacts {
  readonly now: Instant
  readonly after_ms: Milliseconds
  /** Since when this process has run without a gap: while the host slept, nobody could look. */
  readonly awake_since: Instant
  /** Names of domains by id. */
  readonly names: ReadonlyMap<number, string>
  /** The component that proves routes closed. */
  readonly proof_component: string
}

export function conditionTroubles(of_key: KeyConditions, facts: ConditionFacts): Sighting {
  const shared = sharedOf(of_key, facts.now)
  const rows = [shared, ...differingConditions(of_key, [], facts.now)]
  const all_known = shared.status === 'true' && rows.every(({ status }) => status !== 'unknown')
  return {
    troubles: rows
      .flatMap((row) => troubleOf(row, of_key, facts) ?? [])
      // Not to know for a moment is neither a trouble nor the return of one.
      .filter((trouble) => trouble.kind !== 'unknown_lasting' || isRipe(trouble, facts.now)),
    unsure: all_known ? [] : [`condition/${of_key.key}/`],
  }
}

function troubleOf(row: Condition, of_key: KeyConditions, facts: ConditionFacts): SightedTrouble | null {
  const { component, key } = of_key
  const kind = kindOf(row, of_key, facts.proof_component)
  if (kind === null) return null
  const { severity, waits, remedy } = KINDS[kind]
  const { domain_id } = row
  const since = sinceOf(row, facts)
  return {
    id: `condition/${key}/${domain_id}`,
    kind,
    severity,
    component,
    key,
    domains: domain_id === 0 ? [] : [facts.names.get(domain_id) ?? `domain ${domain_id}`],
    since,
    message: row.message,
    remedy,
    ripe_at: since + (waits ? facts.after_ms : 0),
  }
}

const sinceOf = ({ reason, last_transition_at }: Condition, { awake_since }: ConditionFacts): Instant =>
  reason === 'stale' ? Math.max(last_transition_at, awake_since) : last_transition_at

type ConditionKind =
  | 'drift_lasting'
  | 'unfinished_lasting'
  | 'unknown_lasting'
  | 'failing'
  | 'repair_refused'
  | 'contested'
  | 'route_open'
  | 'not_loaded'

function kindOf(
  { status, reason }: Condition,
  { component, found }: KeyConditions,
  proof_component: string,
): ConditionKind | null {
  if (status === 'true') return null
  if (component === proof_component && reason === 'refused') return 'route_open'
  return reason === 'drifting' && isNotLoaded(found) ? 'not_loaded' : BY_REASON[reason]
}

/** It is written as it should be, and whoever reads it runs something else. */
function isNotLoaded(found: KeyConditions['found']): boolean {
  const causes = [...(found?.causes.keys() ?? [])].filter((cause) => !WAITING.has(cause))
  return causes.length > 0 && causes.every((cause) => cause === 'not_loaded')
}

const WAITING: ReadonlySet<DriftCause> = new Set(['pending_deploy', 'renderer_changed'])

const BY_REASON: Readonly<Record<ConditionReason, ConditionKind | null>> = {
  in_sync: null,
  pending_deploy: null,
  drifting: 'drift_lasting',
  unfinished: 'unfinished_lasting',
  contested: 'contested',
  refused: 'repair_refused',
  failing: 'failing',
  unreadable: 'unknown_lasting',
  suspended: null,
  not_rendered: null,
  stale: 'unknown_lasting',
  never_looked: 'unknown_lasting',
}

interface KindFacts {
  readonly severity: Severity
  readonly waits: boolean
  readonly remedy: string
}

const KINDS: Readonly<Record<ConditionKind, KindFacts>> = {
  drift_lasting: {
    severity: 'notice',
    waits: true,
    remedy: '"plumbline drift" shows what differs; a deploy puts it right.',
  },
  unfinished_lasting: {
    severity: 'notice',
    waits: true,
    remedy: 'It goes on by itself; "plumbline drift" shows what it waits for.',
  },
  unknown_lasting: {
    severity: 'notice',
    waits: true,
    remedy: 'See whether it can be reached and read from here; until then nothing of it is repaired.',
  },
  failing: {
    severity: 'warning',
    waits: true,
    remedy: 'It is tried again by itself; the message and the log say what is in the way.',
  },
  repair_refused: {
    severity: 'warning',
    waits: false,
    remedy: 'Only a person can decide this: "plumbline plan" shows what would be done and how to confirm it.',
  },
  not_loaded: {
    severity: 'warning',
    waits: true,
    remedy: 'It is written: restart what reads it and look at its log for why it was not taken.',
  },
  contested: {
    severity: 'warning',
    waits: false,
    remedy:
      'Find out who writes there as well. It is over an hour after their last change, and at once with a deploy.',
  },
  route_open: {
    severity: 'critical',
    waits: false,
    remedy: 'Deactivate the domain now; GET /api/sso/drift says why it is open.',
  },
}
