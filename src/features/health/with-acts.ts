/** What can be done about each part of the page. */
import { actsOnPart } from '../../model/acts/acts.ts'
import type { ActGround } from '../../model/acts/ground.ts'
import { componentGround } from '../../engine/act-ground.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { Deps } from './deps.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import { MAX_LOOK_MS } from './rounds/kept-look.ts'
import { type HealthAnswer, readHealth } from './read-health.ts'

/** The page has an answer whatever is down: no acts where it is not known what they would be. */
export async function healthWithActs(deps: Deps, asked: { readonly probe: boolean }) {
  const [health, ground] = await Promise.all([readHealth(deps, asked), groundInTime(deps)])
  const acts = (part: HealthAnswer['components'][number]) => (ground === null ? [] : actsOnPart(ground, part))
  return { ...health, components: health.components.map((part) => ({ ...part, acts: acts(part) })) }
}

const groundInTime = ({ store, engine, clock, log }: CoreParts): Promise<ActGround | null> =>
  withTimeout(
    { clock, ms: MAX_LOOK_MS },
    () =>
      componentGround({ store, engine }).catch((error: unknown) => {
        log.warn('what can be done is not known', { error })
        return null
      }),
    () => null,
  )
