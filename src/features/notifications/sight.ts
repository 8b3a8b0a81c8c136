/**
 * One look at everything that is wrong: what is kept true, what its keepers find thing by thing, and what is watched. Nothing
 * outside is asked.
 */
import { type KeyConditions, domainCondition, sharedOf } from '../../engine/status/key-conditions.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Intent } from '../../model/intent.ts'
import type { Watched } from '../../core/check.ts'
import type { FindingAsk, Findings, Overview } from '../../core/finding.ts'
import type { NotificationParts } from './parts.ts'
import { keptFindings } from './kept-findings.ts'
import { isRipe, joined, sighted, type Sighting } from './sighting.ts'
import { isBlind, watchedFindings } from './watched-findings.ts'

/** When one looks, and since when one could. */
export type LookTime = Pick<FindingAsk, 'now' | 'awake_since'>

/** @param time the same as for everything that is decided from it */
export async function sight(
  parts: NotificationParts,
  time: LookTime,
  signal: AbortSignal,
): Promise<Sighting> {
  const { store, engine, policy, words } = parts
  const watched = parts.watched(time.now)
  const names = namesById(await store.intent('released'), await store.intent('working'))
  const keys = await engine.conditions()
  const overview = overviewOf(watched, keys, { ...time, after_ms: policy.after_ms })
  const ask = { ...time, signal, overview }
  const found: Findings[] = []
  for (const source of parts.findings()) found.push(await source(ask))
  const of_kept = {
    ...ask,
    names,
    words: words(),
    modeOf: (component: string) => engine.modeOf(component).mode,
  }
  return sightingOf(
    [...keys.map((of_key) => keptFindings(of_key, of_kept)), ...found, watchedFindings(watched, ask)],
    time.now,
    policy.after_ms,
  )
}

/** Not to know for a moment is neither a trouble nor the return of one. */
export function sightingOf(found: readonly Findings[], now: Instant, after_ms: Milliseconds): Sighting {
  const { findings, unsure } = joined(found)
  return {
    troubles: findings
      .map((finding) => sighted(finding, after_ms))
      .filter((trouble) => trouble.kind !== 'unknown_lasting' || isRipe(trouble, now)),
    unsure,
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
