/** Rules of the database that do not hold, each told at once; and that they cannot be looked at, told when it lasts. Pure. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { StandingInvariant } from '../../health/rounds/invariant-watch.ts'
import { isRipe, type SightedTrouble, type Sighting } from '../sighting.ts'

export interface InvariantFacts {
  readonly now: Instant
  readonly after_ms: Milliseconds
  /** Since when this process has run without a gap. */
  readonly awake_since: Instant
}

const COMPONENT = 'database'

export function invariantTroubles(rules: readonly StandingInvariant[], facts: InvariantFacts): Sighting {
  const unknown = rules.filter(({ holds }) => holds === null)
  const blind = unknown.length === 0 ? [] : [blindTo(unknown, facts)]
  return {
    troubles: [
      ...rules.filter(({ holds }) => holds === false).map(broken),
      ...blind.filter((trouble) => isRipe(trouble, facts.now)),
    ],
    unsure: [
      ...(blind.length > 0 ? ['invariants/'] : []),
      // Before the first answer of a look, nobody knows which rules there are.
      ...(unknown.length === rules.length ? ['invariant/'] : unknown.map(({ name }) => `invariant/${name}/`)),
    ],
  }
}

const broken = ({ name, promise, detail, since }: StandingInvariant): SightedTrouble => ({
  id: `invariant/${name}/0`,
  kind: 'invariant_broken',
  severity: 'critical',
  component: COMPONENT,
  key: name,
  domains: [],
  since,
  message: `A rule of the database does not hold: ${promise} ${detail ?? ''}`.trim(),
  remedy: 'Keep a copy of the data directory; "plumbline status" says what breaks it and what helps.',
  ripe_at: since,
})

/** One for all of them: it is one look. */
function blindTo(
  unknown: readonly StandingInvariant[],
  { after_ms, awake_since }: InvariantFacts,
): SightedTrouble {
  const since = Math.max(awake_since, Math.min(...unknown.map((rule) => rule.since)))
  return {
    id: 'invariants/0',
    kind: 'unknown_lasting',
    severity: 'notice',
    component: COMPONENT,
    key: 'rules',
    domains: [],
    since,
    message: `Whether the rules of the database hold is not known: ${unknown[0]!.detail ?? 'it does not say why'}`,
    remedy:
      'See that the data directory can be read and that this host has room and memory; the log says more.',
    ripe_at: since + after_ms,
  }
}
