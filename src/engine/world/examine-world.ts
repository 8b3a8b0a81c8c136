/** How far the world is, found out before anything is written there. */
import type { Clock } from '../../kernel/clock.ts'
import { observeWithin, START_LOOK_TIMEOUT_MS } from '../observation.ts'
import type { AnyTarget } from '../target.ts'
import type { WorldGuard } from './guard.ts'

/** Throws `restored_from_backup` where the settings say that the start ends by it. */
export async function examineWorld(
  targets: readonly AnyTarget[],
  { world, clock }: { readonly world: WorldGuard; readonly clock: Clock },
): Promise<void> {
  const { signal } = new AbortController()
  await world.examine(signal)
  const telling = targets.filter((target) => target.stampIn !== undefined)
  await Promise.all(
    telling.map(async (target) => {
      const look = await observeWithin(target, { clock, max_ms: START_LOOK_TIMEOUT_MS }, signal)
      if (look.known) await world.found(target, look.state)
    }),
  )
  world.assertStart()
}
