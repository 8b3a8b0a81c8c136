/**
 * One look at everything that is wrong: what is kept true, what its keepers find thing by thing, and what is watched. Nothing
 * outside is asked.
 */
import { adviceOn } from '../health/advice.ts'
import type { Watched } from '../../core/check.ts'
import type { Finding, FindingAsk, Findings, Overview } from '../../core/finding.ts'
import { domainCondition, type KeyConditions, sharedOf } from '../../engine/status/key-conditions.ts'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { Intent } from '../../model/intent.ts'
import { keptFindings } from './kept-findings.ts'
import type { NotificationParts } from './parts.ts'
import { isDue, joined, withDueTime, type Observation } from './observation.ts'

/** When one looks, and since when one could. */
export type LookTime = Pick<FindingAsk, 'now' | 'awake_since'>

/** @param time the same as for everything that is decided from it */
export async function observe(
  parts: NotificationParts,
  time: LookTime,
  signal: AbortSignal,
): Promise<Observation> {
  const { store, engine, policy, words } = parts
  const watched = parts.watched(time.now)
  const released = await store.intent('released')
  const names = namesById(released, await store.intent('working'))
  const keys = await engine.conditions()
  const overview = overviewOf(watched, keys, { ...time, after_ms: policy.after_ms })
  const ask = { ...time, signal, overview }
  const found: Findings[] = []
  for (const source of parts.findings()) {
    await othersTurn(released.rows.length)
    found.push(await source(ask))
  }
  await othersTurn(released.rows.length)
  const of_kept = {
    ...ask,
    names,
    words: words(),
    modeOf: (component: string) => engine.modeOf(component).mode,
    ignoredAt: engine.ignoredAt,
  }
  return observationOf(
    [...keys.map((of_key) => keptFindings(of_key, of_kept)), ...found, watchedFindings(watched, ask)],
    time.now,
    policy.after_ms,
  )
}

/** Not to know for a moment is neither a trouble nor the return of one. */
export function observationOf(found: readonly Findings[], now: Instant, after_ms: Milliseconds): Observation {
  const { findings, indeterminate } = joined(found)
  return {
    alerts: findings
      .map((finding) => withDueTime(finding, after_ms))
      .filter((alert) => alert.kind !== 'unknown_lasting' || isDue(alert, now)),
    indeterminate,
  }
}

export function overviewOf(
  watched: readonly Watched[],
  keys: readonly KeyConditions[],
  time: LookTime & { readonly after_ms: Milliseconds },
): Overview {
  return {
    part: (name) => watched.find(({ part }) => part.name === name)?.part,
    isBlind: (name) => isBlind(watched, name, time),
    differs(key, domain_id) {
      const of_key = keys.find((one) => one.key === key)
      if (of_key === undefined) return false
      const about = { domain_id, released_revision: null, pending: false }
      const condition =
        domain_id === 0 ? sharedOf(of_key, time.now) : domainCondition(of_key, about, time.now)
      return condition.status === 'false'
    },
  }
}

/** The name that a record has now; for one that is gone, the name under which it is still released. */
const namesById = (released: Intent, working: Intent): ReadonlyMap<number, string> =>
  new Map([...released.rows, ...working.rows].map(({ domain_id, fields }) => [domain_id, fields.domain]))

// From what is watched for the health page to its troubles, as each check advises. Pure.
//
// One cause is told once. What is told thing by thing, or by a kept key, is left out here, and so is what only follows from
// something that is told already; nothing of that is over meanwhile.

export function watchedFindings(
  watched: readonly Watched[],
  { overview, awake_since }: Pick<FindingAsk, 'overview' | 'awake_since'>,
): Findings {
  const asked = watched.filter(({ part }) => part.configured)
  const follows = ({ check, part }: Watched): boolean => check.follows?.(part, overview) === true
  return {
    findings: asked
      .filter((one) => !follows(one))
      .flatMap(({ check, part }) => findingOf(part, check, awake_since) ?? []),
    indeterminate: asked
      .filter((one) => one.part.drift === null || follows(one))
      .map(({ part }) => `watch/${part.name}/`),
  }
}

function findingOf(part: HealthComponent, check: Watched['check'], awake_since: Instant): Finding | null {
  const advice = adviceOn(part, check)
  if (advice === null || advice.is_reported_apart) return null
  const { kind, severity, alert_after_ms, remedy } = advice
  const { name, component, message, differences } = part
  return {
    id: `watch/${name}/0`,
    kind,
    severity,
    component,
    key: name,
    domains: [...new Set(differences.flatMap(({ domains }) => domains))].sort(),
    since: sinceOf(part, awake_since),
    message,
    remedy,
    alert_after_ms,
  }
}

/** While the host slept nobody could look, and what was never looked at has been so since the start. */
const sinceOf = ({ drift, since }: HealthComponent, awake_since: Instant): Instant =>
  since === null || drift === null ? Math.max(since ?? 0, awake_since) : since

/** Whether a part is unknown for so long that people are told of it. */
function isBlind(
  watched: readonly Watched[],
  name: string,
  { now, awake_since, after_ms }: Pick<FindingAsk, 'now' | 'awake_since'> & { after_ms: Milliseconds },
): boolean {
  const one = watched.find(({ part }) => part.name === name)
  if (one?.part.configured !== true || one.part.drift !== null) return false
  return sinceOf(one.part, awake_since) + after_ms <= now
}
