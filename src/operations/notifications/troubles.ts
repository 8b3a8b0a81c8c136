/** Everything that is wrong now, from the facts of one moment. Pure. */
import type { Chapter } from '../../engine/present-conditions.ts'
import { isoTime } from '../../kernel/clock.ts'
import { type Edge, type EdgeClock, edgeState, silentAt } from '../../model/edge.ts'
import type { Quarantined } from '../../ports/sso-records.ts'
import {
  type CertificateFactsNow,
  certificateTroubles,
  type HeldCertificate,
} from './certificate-troubles.ts'
import { type ConditionFacts, conditionTroubles } from './condition-troubles.ts'
import { joined, type SightedTrouble, type Sighting } from './sighting.ts'

export interface Facts {
  readonly chapters: readonly Chapter[]
  readonly conditions: ConditionFacts
  readonly certificates: readonly HeldCertificate[]
  readonly of_certificates: CertificateFactsNow
  readonly edges: readonly Edge[]
  readonly edge_clock: EdgeClock
  readonly quarantine: readonly Quarantined[]
}

/** Ordered by id within each source. */
export function troublesOf(facts: Facts): Sighting {
  return joined([
    ...facts.chapters.map((chapter) => conditionTroubles(chapter, facts.conditions)),
    certificateTroubles(facts.certificates, facts.of_certificates),
    { troubles: facts.edges.flatMap((edge) => lostEdge(edge, facts.edge_clock) ?? []), unsure: [] },
    { troubles: facts.quarantine.map(takenOut), unsure: [] },
  ])
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
