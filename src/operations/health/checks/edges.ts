/** Edges: those that should be there and have fallen silent. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { Deps } from '../../deps.ts'
import { listEdges } from '../../edges/read.ts'
import type { EdgeView } from '../../edges/view.ts'
import { type HealthCheck, healthy, impaired, type LookedAt, named, notConfigured } from '../check.ts'

const EVERY_MS: Milliseconds = 30_000

export const edgesCheck = ({ edges }: Pick<Deps, 'edges'>): HealthCheck => ({
  name: 'edges',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: async () => judgeEdges(await listEdges(edges, null)),
})

type Edge = Pick<EdgeView, 'name' | 'state' | 'desired_state' | 'reason' | 'up_to_date'>

/** Pure. One that was never heard of has not begun; one that is late with the routes fetches them soon. */
export function judgeEdges(edges: readonly Edge[]): LookedAt {
  if (edges.length === 0) return notConfigured('There are no edges.')
  const states: Record<string, number> = {}
  for (const { state } of edges) states[state] = (states[state] ?? 0) + 1
  const details = {
    states,
    behind: edges.filter(({ up_to_date }) => up_to_date === false).map(({ name }) => name),
  }
  const lost = edges.filter(({ state, desired_state }) => state === 'offline' && desired_state !== 'offline')
  if (lost.length === 0) return healthy('All that were heard of are there.', { details })
  return impaired('offline', `${named(lost.map(({ name }) => name))}: silent for too long.`, {
    details,
    differences: lost.map(({ name, reason }) => ({
      item: name,
      cause: 'offline',
      domains: [],
      detail: reason,
    })),
  })
}
