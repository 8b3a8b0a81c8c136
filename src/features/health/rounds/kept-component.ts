/**
 * What the engine keeps true, as a part of the health page. Pure.
 *
 * | condition | waits for a deploy | drift | reason                          |
 * |-----------|--------------------|-------|---------------------------------|
 * | true      | no                 | false | in_sync                         |
 * | true      | yes                | true  | pending_deploy                  |
 * | false     | either             | true  | the condition's                 |
 * | unknown   | either             | null  | the condition's, such as stale  |
 * | none      | yes                | true  | pending_deploy: it is not released yet |
 *
 * Where the world is right and somebody keeps putting a laxer state there, nothing drifts, and it is not well all the same.
 *
 * A fresh look, where there is one, tells the drift and its causes; the condition then only says what hinders the repair.
 * A look by anybody else is in the condition already, unless a suspension stands before it.
 */
import type { KeptKey } from '../../../engine/status/kept-keys.ts'
import type { Look } from '../../../engine/status/look.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { type DriftCause, type ExplainedDifference, mostUrgent } from '../../../model/drift.ts'
import {
  type HealthComponent,
  type HealthDifference,
  type HealthFinding,
  MOST_DIFFERENCES,
} from '../../../model/health.ts'
import { countsOf } from '../../../core/check.ts'

/** @param look of this moment; null for none */
export function keptComponent(given: KeptKey, look: Look | null, now: Instant): HealthComponent {
  const kept = heldBack(given)
  const { component, key, condition, mode, next_attempt_at } = kept
  const observed_at = look?.observed_at ?? kept.seen_at
  return {
    name: key,
    component,
    kind: 'kept',
    configured: true,
    ...(look === null ? known(kept) : seen(kept, look)),
    observed_at,
    stale_after: look === null ? kept.stale_after : null,
    stale: look === null && condition?.reason === 'stale',
    since: condition?.last_transition_at ?? null,
    next_attempt_at,
    mode: mode.mode,
    suspended_until: mode.mode === 'suspend' && (mode.expires_at ?? now) >= now ? mode.expires_at : null,
  }
}

/** A suspension counts from its call on, not from the first pass that heeds it. */
function heldBack(kept: KeptKey): KeptKey {
  const { component, condition, mode } = kept
  if (mode.mode !== 'suspend' || condition === null || condition.reason === 'suspended') return kept
  const message = `${component} is suspended: ${mode.reason}`
  return { ...kept, condition: { ...condition, status: 'unknown', reason: 'suspended', message } }
}

/** Somebody wanted to know how it is now, and nothing could be looked at. */
export const unlooked = (
  kept: KeptKey,
  { reason, message }: Pick<HealthFinding, 'reason' | 'message'>,
  now: Instant,
): HealthComponent => ({
  ...keptComponent(kept, null, now),
  ...unknownAs(reason, message),
  observed_at: now,
})

/** By the last pass or look and what was saved since. */
function known(kept: KeptKey): HealthFinding {
  const { condition, found, waits, look } = kept
  if (condition?.reason === 'suspended' && look !== null) return seen(kept, { ...look, drift: look.deviates })
  if (condition?.status === 'unknown') return unknownAs(condition.reason, condition.message)
  const waiting = waits === null ? [] : waitingFor(waits)
  const causes: Record<string, number> = Object.fromEntries(found?.causes ?? [])
  if (waits !== null) causes[waits.cause] ??= waiting.length
  const has_own = found?.differences.some(({ cause }) => cause === waits?.cause) === true
  const differences = [...(found?.differences ?? []), ...(has_own ? [] : waiting)]
  if (condition !== null && isHeldUp(condition) && found !== null && differences.length === 0)
    return rightBut(condition)
  if (condition?.status === 'false')
    return differing({ reason: condition.reason, message: condition.message, causes, differences })
  if (waits === null) return IN_SYNC
  return differing({ reason: 'pending_deploy', message: WAITS, causes, differences })
}

/** By a look of now. */
function seen(
  { condition }: KeptKey,
  look: Pick<Look, 'drift' | 'differences' | 'unknown_because'>,
): HealthFinding {
  const { drift, differences, unknown_because } = look
  const held = condition?.reason === 'suspended' ? condition : null
  if (drift === null) return unknownAs(held?.reason ?? 'unreadable', unknown_because ?? '')
  if (!drift) return condition === null || !isHeldUp(condition) ? IN_SYNC : rightBut(condition)
  const causes = countsOf(differences)
  if (differences.length > 0 && differences.every(({ cause }) => WAITING.has(cause)))
    return differing({ reason: 'pending_deploy', message: WAITS, causes, differences })
  const { reason, message } = condition?.status === 'false' ? condition : DRIFTING
  return differing({ reason, message, causes, differences })
}

const isHeldUp = ({ reason }: NonNullable<KeptKey['condition']>): boolean =>
  reason === 'suspended' || reason === 'contested'

const rightBut = ({ reason, message }: NonNullable<KeptKey['condition']>): HealthFinding => ({
  ...IN_SYNC,
  ok: false,
  reason,
  message,
})

const WAITING: ReadonlySet<DriftCause> = new Set(['pending_deploy', 'renderer_changed'])
const WAITS = 'It is what was released; what was saved since waits for a deploy.'
const DRIFTING = { reason: 'drifting', message: 'It differs from what the database says.' } as const

const IN_SYNC: HealthFinding = {
  ok: true,
  drift: false,
  cause: null,
  causes: {},
  reason: 'in_sync',
  message: 'It is what was released.',
  differences: [],
  details: {},
}

const unknownAs = (reason: HealthFinding['reason'], message: string): HealthFinding => ({
  ...IN_SYNC,
  ok: false,
  drift: null,
  reason,
  message,
})

type Differing = Pick<HealthFinding, 'reason' | 'message' | 'causes' | 'differences'>

const differing = ({ differences, ...rest }: Differing): HealthFinding => ({
  ...IN_SYNC,
  ...rest,
  ok: false,
  drift: true,
  cause: mostUrgent(Object.keys(rest.causes).filter((cause) => rest.causes[cause]! > 0)),
  differences: differences.slice(0, MOST_DIFFERENCES),
})

function waitingFor({ cause, domains }: NonNullable<KeptKey['waits']>): readonly HealthDifference[] {
  if (domains.length === 0) return [waitingOf(cause, 'settings', [])]
  return domains.map((domain) => waitingOf(cause, domain, [domain]))
}

const waitingOf = (cause: DriftCause, item: string, domains: readonly string[]): ExplainedDifference => ({
  item,
  cause,
  domains,
  detail: 'saved and not deployed',
})
