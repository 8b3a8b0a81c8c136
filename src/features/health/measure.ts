/** The health page as gauges: by component, never by key, because keys hold the names of zones. */
import type { Metrics } from '../../kernel/metrics.ts'
import type { Deps } from './deps.ts'
import { type PresentedComponent, readHealth } from './read-health.ts'

export async function measureHealth(deps: Deps, metrics: Metrics): Promise<void> {
  const { components, invariants } = await readHealth(deps, { probe: false })
  const now = deps.clock.now()
  const configured = components.filter((one) => one.configured)
  for (const [component, parts] of Map.groupBy(configured, (one) => one.component)) {
    metrics.gauge('plumbline_component_ok', parts.every(({ ok }) => ok) ? 1 : 0, { component })
    const unknown = parts.filter(({ drift }) => drift === null).length
    metrics.gauge('plumbline_component_unknown', unknown, { component })
    const age_s = oldest(parts, now)
    if (age_s === null) metrics.forget('plumbline_component_age_seconds', { component })
    else metrics.gauge('plumbline_component_age_seconds', age_s, { component })
  }
  for (const { name: invariant, holds } of invariants)
    if (holds === null) metrics.forget('plumbline_invariant_holds', { invariant })
    else metrics.gauge('plumbline_invariant_holds', holds ? 1 : 0, { invariant })
}

/** In seconds; null where one was never looked at. */
function oldest(parts: readonly PresentedComponent[], now: number): number | null {
  const seen = parts.map(({ observed_at }) => (observed_at === null ? null : Date.parse(observed_at)))
  return seen.includes(null) ? null : Math.max(0, ...seen.map((at) => (now - at!) / 1000))
}
