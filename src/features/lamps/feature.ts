/** Lamps: how each domain is at a glance, for whoever looks at many. */
import type { Feature } from '../../feature/feature.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { Deps } from './deps.ts'
import { lampEndpoints } from './endpoints.ts'
import { lampHints, type PartState } from './hints.ts'
import { type LampDeps, lampTexts } from './read-lamps.ts'
import { LampRecords } from './records.ts'

export const lampDeps = (deps: Deps): LampDeps => ({ ...deps, lamp_records: new LampRecords() })

export function lampsFeature(deps: LampDeps): Feature {
  const { events, clock, log } = deps
  const lamps = () => lampTexts(deps)
  return {
    name: 'lamps',
    endpoints: lampEndpoints(deps),
    lifecycles: [lampHints({ events, clock, log, lamps, health: () => partStates(deps) })],
  }
}

/** Of what is kept and of what is watched. */
function partStates({ engine, health, clock }: Deps): readonly PartState[] {
  const kept = engine
    .statuses(null)
    .map(({ key, ok, drift }) => ({ name: key, state: stateOf({ ok, drift }) }))
  const watched = health.watched(clock.now()).map(({ part }) => ({
    name: part.name,
    state: part.configured ? stateOf(part) : ('not_configured' as const),
  }))
  return [...kept, ...watched]
}

function stateOf({ ok, drift }: Pick<HealthComponent, 'ok' | 'drift'>): PartState['state'] {
  if (drift === null) return 'unknown'
  if (drift) return 'drift'
  return ok ? 'ok' : 'wrong'
}
