/** Edges: those that should be there and have fallen silent, and those that go on with earlier routes. */
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import { edgeState } from '../../model/edge.ts'
import { type Finding, type FindingSource, known, type PartAdvice } from '../../core/finding.ts'
import type { KnownEdge } from './contacts.ts'
import type { Edges } from './edges.ts'
import { edgeRecords } from './records.ts'
import { listEdges } from './read.ts'
import type { EdgeView } from './view.ts'
import type { HealthDifference, HealthFinding } from '../../model/health.ts'
import {
  countsOf,
  drifting,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  notConfigured,
} from '../../core/check.ts'

const EVERY_MS: Milliseconds = 30_000

export const edgesCheck = (edges: Edges): HealthCheck => ({
  name: 'edges',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  async look() {
    const listed = await listEdges(edges, null)
    const changed_at = await edges.routes.changedAt()
    return evaluateEdges(listed, changed_at === null ? 0 : edges.clock.now() - changed_at)
  },
  advises: onEdges,
  // Of an edge that is lost nobody knows what it serves.
  follows: ({ cause }) => cause === 'offline',
})

/** One that is lost is told by itself. By the time that the check says that one is behind, it has lasted. */
function onEdges({ cause }: Pick<HealthFinding, 'cause'>): Partial<PartAdvice> {
  if (cause === 'offline') return { remedy: takeOut('NAME'), is_reported_apart: true }
  return cause === 'behind'
    ? {
        kind: 'not_loaded',
        severity: 'warning',
        alert_after_ms: 0,
        remedy:
          'It serves what was closed or taken away since. See its proxy and its log; GET /api/ccm/edge/edges names it.',
      }
    : { is_reported_apart: true }
}

const takeOut = (name: string): string =>
  `See whether its host runs and reaches this API; "plumbline edges offline ${shellWord(name)}" takes it out.`

/** An edge fetches every few seconds. */
const LATE_MS: Milliseconds = 10 * 60_000

type Edge = Pick<EdgeView, 'name' | 'state' | 'desired_state' | 'reason' | 'up_to_date'>

/**
 * Pure. An edge that has never called is not counted. An edge that is online but still behind the newest release some time
 * after it counts as drift: it serves what the release took away.
 * @param age_ms of the newest release
 */
export function evaluateEdges(edges: readonly Edge[], age_ms: Milliseconds): LookedAt {
  if (edges.length === 0) return notConfigured('There are no edges.')
  const states = countsOf(edges.map(({ state }) => ({ cause: state })))
  const late = edges.filter(({ up_to_date }) => up_to_date === false)
  const details = { states, behind: late.map(({ name }) => name) }
  const lost = edges.filter(isLost)
  const behind = age_ms > LATE_MS ? late.filter(({ state }) => LIVING.has(state)) : []
  const differences = [...lost.map(differenceFor('offline')), ...behind.map(differenceFor('behind'))]
  const causes = countsOf(differences)
  if (lost.length > 0)
    return impaired('offline', `${named(lost.map(({ name }) => name))}: silent for too long.`, {
      details,
      differences,
      causes,
    })
  if (behind.length === 0) return healthy('All that were heard of are there.', { details })
  const message = `${named(behind.map(({ name }) => name))}: still with earlier routes than the release.`
  return drifting('behind', message, { details, differences, causes })
}

/** Taken out by hand is no loss. */
const isLost = ({ state, desired_state }: Pick<Edge, 'state' | 'desired_state'>): boolean =>
  state === 'offline' && desired_state !== 'offline'

const LIVING: ReadonlySet<string> = new Set(['active', 'draining'])

const differenceFor =
  (cause: 'offline' | 'behind') =>
  ({ name, reason }: Edge): HealthDifference => ({
    item: name,
    cause,
    domains: [],
    detail: cause === 'offline' ? reason : 'It has not taken the released routes; see its proxy and its log.',
  })

/** One for each edge that is lost, however many domains it serves. */
export const edgeFindings =
  ({ store, contacts }: Pick<Edges, 'store' | 'contacts'>): FindingSource =>
  async () =>
    known(evaluateLost((await store.of(edgeRecords).edges()).map((edge) => contacts.known(edge))))

/** Pure. */
export const evaluateLost = (edges: readonly KnownEdge[]): readonly Finding[] =>
  edges
    .filter((edge) => isLost({ state: edgeState(edge, edge.lost_since), desired_state: edge.desired_state }))
    .map((edge) => ({
      id: `edge/${edge.id}`,
      kind: 'edge_lost',
      severity: 'warning',
      component: 'edges',
      key: edge.name,
      domains: [],
      since: edge.lost_since!,
      message: `The edge ${edge.name} has not been heard of since ${isoTime(edge.last_seen!)}.`,
      remedy: takeOut(edge.name),
      alert_after_ms: 0,
    }))
