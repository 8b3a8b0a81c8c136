/**
 * `GET /api/control-plane/health`: every part with what is known of it, the rules of the database, and one verdict. Answered
 * from what is known already, without a call outside; a probe looks afresh. It has an answer whatever is down, within two
 * seconds, and writes nothing.
 */
import { adviceOn, adviceOnKept } from './advice.ts'
import type { HealthCheck } from '../../core/check.ts'
import type { KeptWords } from '../../core/finding.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { PendingRelease } from '../../engine/status/pending.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import { isoTime, type Milliseconds, isoTimeOrNull } from '../../kernel/clock.ts'
import type { HealthComponent } from '../../model/health.ts'
import { withCertificates } from '../certificates/certificates-table.ts'
import type { Deps } from './deps.ts'
import type { FreshLooks } from './rounds/fresh-looks.ts'
import { keptComponent, unlooked } from './rounds/kept-component.ts'
import { MAX_LOOK_MS } from './rounds/kept-look.ts'
import { summarize } from './summary.ts'
import type { ControlPlaneHealth as WithActs } from './views.ts'
import { DECIDE, UNDECIDED_CAUSE } from './world-check.ts'

/** What can be done about a part is added where the answer goes out. */
export type PresentedComponent = Omit<WithActs['components'][number], 'acts'>
export type PresentedInvariant = WithActs['invariants'][number]
export type HealthAnswer = Omit<WithActs, 'components'> & {
  readonly components: readonly PresentedComponent[]
}

export async function readHealth(deps: Deps, { probe }: { readonly probe: boolean }): Promise<HealthAnswer> {
  const { health, clock } = deps
  const [pending, fresh] = await Promise.all([
    pendingRelease(deps),
    probe ? health.fresh.take() : null,
    probe ? health.rounds.probe() : health.rounds.refresh(),
  ])
  await deps.engine.understood(UNDERSTANDING_MS)
  const now = clock.now()
  const watched = health.watched(now)
  const components = withCertificates([
    ...keptComponents(deps, pending, fresh),
    ...watched.map(({ part }) => part),
  ])
  const remedyOf = remedies(components, watched, health.words())
  const invariants = health.invariants.present()
  return {
    ...summarize(components, invariants),
    components: components.map((one) => presented(one, remedyOf(one))),
    invariants: invariants.map((one) => ({ ...one, checked_at: isoTime(one.checked_at) })),
    observed_at: isoTime(now),
    probed: probe,
  }
}

/** A pass whose answer went out is on the page, unless what explains it hangs. */
const UNDERSTANDING_MS: Milliseconds = 200

/** Null where the editions cannot be read in time: what looks have found is told all the same. */
async function pendingRelease({ engine, clock, log }: CoreParts): Promise<PendingRelease | null> {
  const reading = engine.pendingRelease().catch((error: unknown) => {
    log.warn('what waits for a deploy is not known', { error })
    return null
  })
  return withTimeout(
    { clock, ms: MAX_LOOK_MS },
    () => reading,
    () => null,
  )
}

function keptComponents(
  { engine, clock }: CoreParts,
  pending: PendingRelease | null,
  fresh: FreshLooks | null,
): readonly HealthComponent[] {
  const now = clock.now()
  if (fresh?.known === false) return engine.statuses(pending).map((status) => unlooked(status, fresh, now))
  return engine.statuses(pending, fresh?.looks).map((status) => keptComponent(status, now))
}

const presented = (component: HealthComponent, remedy: string | null): PresentedComponent => ({
  ...component,
  details: remedy === null ? component.details : { ...component.details, remedy },
  observed_at: isoTimeOrNull(component.observed_at),
  stale_after: isoTimeOrNull(component.stale_after),
  since: isoTimeOrNull(component.since),
  next_attempt_at: isoTimeOrNull(component.next_attempt_at),
  suspended_until: isoTimeOrNull(component.suspended_until),
})

// What helps against each part of the page that is not as it should be. Pure.

interface Advised {
  readonly part: Pick<HealthComponent, 'name'>
  readonly check: Pick<HealthCheck, 'advises'>
}

/** By part; null for one that is well. */
export function remedies(
  components: readonly HealthComponent[],
  watched: readonly Advised[],
  words: Readonly<Record<string, KeptWords>>,
): (part: HealthComponent) => string | null {
  const checks = new Map(watched.map(({ part, check }) => [part.name, check]))
  const is_undecided = components.some(({ cause }) => cause === UNDECIDED_CAUSE)
  return (part) => {
    if (part.ok || !part.configured) return null
    if (part.kind !== 'kept') return adviceOn(part, checks.get(part.name) ?? {})?.remedy ?? null
    // Nothing is repaired before a person has decided.
    if (is_undecided && part.reason !== 'suspended') return DECIDE
    return remedyOfKept(part, words)
  }
}

function remedyOfKept(
  { component, reason, causes, mode }: HealthComponent,
  words: Readonly<Record<string, KeptWords>>,
): string | null {
  const state = { reason, causes: Object.keys(causes), mode: mode ?? 'repair', words: words[component] }
  return adviceOnKept(state)?.remedy ?? null
}
