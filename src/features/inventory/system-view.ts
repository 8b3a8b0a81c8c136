/** How the service itself is: the verdict of the health page in short, beside version and mode. */
import type { Deps } from '../health/deps.ts'
import { readHealth } from '../health/read-health.ts'
import type { SystemView } from './endpoints.ts'

interface Process {
  readonly version: string
  /** Seconds since it began to serve. */
  readonly uptime: () => number
}

export async function systemView(deps: Deps, { version, uptime }: Process): Promise<SystemView> {
  const { ok, drift, summary, components, observed_at } = await readHealth(deps, { probe: false })
  const modes = new Set(components.flatMap(({ mode }) => mode ?? []))
  return {
    version,
    uptime_seconds: Math.round(uptime() * 1000) / 1000,
    // The most careful of those that are in force.
    mode: modes.has('suspend') ? 'suspend' : modes.has('observe') ? 'observe' : 'repair',
    ok,
    drift,
    summary,
    components: components.map(({ component, ok: is_ok, drift: drifts, message }) => {
      return { component, ok: is_ok, drift: drifts, message }
    }),
    observed_at,
  }
}
