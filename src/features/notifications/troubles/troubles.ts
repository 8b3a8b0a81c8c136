/** Everything that is wrong now, from the facts of one moment. Pure. */
import { type KeyConditions, domainCondition, sharedOf } from '../../../engine/status/key-conditions.ts'
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import { type Edge, type EdgeClock, edgeState, silentAt } from '../../../model/edge.ts'
import type { HealthComponent } from '../../../model/health.ts'
import type { DdnsToken } from '../../ddns/records.ts'
import type { Quarantined } from '../../sso/records.ts'
import type { Credential } from '../../keys/credentials/read.ts'
import type { IntegrityResult } from '../../dns/integrity/integrity-result.ts'
import type { StandingInvariant } from '../../health/rounds/invariant-watch.ts'
import {
  type CertificateFactsNow,
  certificateTroubles,
  type HeldCertificate,
} from './certificate-troubles.ts'
import { type ConditionFacts, conditionTroubles } from './condition-troubles.ts'
import { credentialTroubles } from './credential-troubles.ts'
import { integrityTroubles } from './integrity-troubles.ts'
import { invariantTroubles } from './invariant-troubles.ts'
import { keyTroubles } from './key-troubles.ts'
import { joined, type SightedTrouble, type Sighting } from '../sighting.ts'
import { PROXY_TROUBLE, watchedTroubles } from './watched-troubles.ts'

export interface Facts {
  readonly credentials: readonly Credential[]
  readonly keys: readonly KeyConditions[]
  readonly conditions: ConditionFacts
  readonly certificates: readonly HeldCertificate[]
  readonly of_certificates: CertificateFactsNow
  readonly edges: readonly Edge[]
  readonly edge_clock: EdgeClock
  readonly quarantine: readonly Quarantined[]
  /** What is watched for the health page. */
  readonly watched: readonly HealthComponent[]
  readonly invariants: readonly StandingInvariant[]
  /** Null before the first check. */
  readonly integrity: IntegrityResult | null
  /** What the engine calls a zone. */
  readonly zoneKey: (zone: string) => string
  readonly ddns_tokens: readonly DdnsToken[]
}

/** Ordered by id within each source. */
export function troublesOf(facts: Facts): Sighting {
  const { keys, conditions, watched, zoneKey } = facts
  const { now } = conditions
  const conditionsOf = (key: string) => keys.find((of_key) => of_key.key === key)
  const routes_differ = differs(conditionsOf('routes'), 0, now)
  const of_watched = watchedTroubles(watched, { ...conditions, routes_differ })
  return joined([
    withoutProof(
      joined(keys.map((of_key) => conditionTroubles(of_key, conditions))),
      conditions.proof_component,
      of_watched,
    ),
    certificateTroubles(facts.certificates, facts.of_certificates),
    { troubles: facts.edges.flatMap((edge) => lostEdge(edge, facts.edge_clock) ?? []), unsure: [] },
    { troubles: facts.quarantine.map(takenOut), unsure: [] },
    of_watched,
    integrityTroubles({
      result: facts.integrity,
      part: watched.find(({ name }) => name === 'dns_integrity'),
      keyOf: zoneKey,
      differsAtProvider: ({ zone, domain_id }) => differs(conditionsOf(zoneKey(zone)), domain_id, now),
    }),
    invariantTroubles(facts.invariants, conditions),
    { troubles: keyTroubles(facts.ddns_tokens, now), unsure: [] },
    { troubles: credentialTroubles(facts.credentials, now), unsure: [] },
  ])
}

/** Whether the world is known not to be what was released, for a domain or (0) for all who have no row of their own. */
function differs(of_key: KeyConditions | undefined, domain_id: number, now: Instant): boolean {
  if (of_key === undefined) return false
  const about = { domain_id, released_revision: null, pending: false }
  const condition = domain_id === 0 ? sharedOf(of_key, now) : domainCondition(of_key, about, now)
  return condition.status === 'false'
}

/** A proxy of which nothing is known proves nothing: that is one cause, and the proof is unsure of itself. */
function withoutProof(kept: Sighting, proof: string, watched: Sighting): Sighting {
  const is_blind = watched.troubles.some(({ id, kind }) => id === PROXY_TROUBLE && kind === 'unknown_lasting')
  if (!is_blind) return kept
  const isEffect = ({ component, kind }: SightedTrouble) => component === proof && kind === 'unknown_lasting'
  return { ...kept, troubles: kept.troubles.filter((trouble) => !isEffect(trouble)) }
}

/** One for the edge, however many domains it serves. Taken out by hand is no loss. */
function lostEdge(edge: Edge, clock: EdgeClock): SightedTrouble | null {
  if (edge.desired_state === 'offline' || edgeState(edge, clock) !== 'offline') return null
  const since = silentAt(edge, clock)!
  return {
    id: `edge/${edge.id}`,
    kind: 'edge_lost',
    severity: 'warning',
    component: 'edges',
    key: edge.name,
    domains: [],
    since,
    message: `The edge ${edge.name} has not been heard of since ${isoTime(edge.last_seen!)}.`,
    remedy: `See whether its host runs and reaches this API; "plumbline edges offline ${edge.name}" takes it out.`,
    ripe_at: since,
  }
}

const takenOut = ({ domain_id, domain, since, evidence }: Quarantined): SightedTrouble => ({
  id: `quarantine/${domain_id}`,
  kind: 'route_open',
  severity: 'critical',
  component: 'sso',
  key: 'quarantine',
  domains: [domain],
  since,
  message: `A protected route stood open and was taken out: ${evidence}.`,
  remedy: 'Find the reason (GET /api/sso/drift), then "plumbline access lift DOMAIN" puts the route back.',
  ripe_at: since,
})
