/**
 * What features are given, before what they call is built: the engine and the operations come after them. Those that need no more are
 * built here, too.
 */
import type { Feature } from './feature/feature.ts'
import type { Manifest } from './feature/manifest.ts'
import { FEATURES } from './features.ts'
import type { Core } from './core/core.ts'
import type { Engine } from './engine/engine.ts'
import type { WorldGuard } from './engine/world/guard.ts'
import type { Foundation } from './foundation.ts'
import { commit } from './core/commit/commit.ts'
import type { CoreParts } from './core/parts.ts'
import { IgnoredRegistry } from './features/explain/ignored/registry.ts'
import { EventLog } from './core/events/event-log.ts'
import { guessingWords, type WrongKeys } from './http/access/wrong-keys.ts'

interface CoreNeeds extends Pick<Foundation, 'store' | 'clock' | 'log'> {
  readonly world: WorldGuard
  readonly wrong_keys: WrongKeys
  readonly engine: () => Engine
  readonly deps: () => CoreParts & { readonly ddns: { baseUrl(): string } }
}

/** The core as the daemon sees it: with all of the event log and of the engine. */
export type WholeCore = Omit<Core, 'events' | 'engine'> & {
  readonly events: EventLog
  readonly engine: () => Engine
  /** What a person has said may stay. */
  readonly ignored: IgnoredRegistry
}

export function coreOf({ store, clock, log, world, wrong_keys, engine, deps }: CoreNeeds): WholeCore {
  const events = new EventLog({ store, clock, log })
  wrong_keys.onMany((guessing) => events.note('wrong_keys', guessingWords(guessing), { ...guessing }))
  return {
    store,
    clock,
    log,
    events,
    ignored: new IgnoredRegistry({ store, events, clock, log }),
    wrong_keys,
    engine,
    stamp: () => world.own(),
    commit: (caller, work) => commit(deps(), caller, work),
    assertNewest: async () => {
      await world.lookAgain()
      world.assertKnownAndWhole()
    },
    baseUrl: () => deps().ddns.baseUrl(),
  }
}

/** Features that need nothing but the core, in the order of the list. Throws as `Manifest.build` does. */
export async function builtAlone(
  ...given: Parameters<NonNullable<Manifest['build']>>
): Promise<readonly Feature[]> {
  const alone: Feature[] = []
  for (const manifest of FEATURES as readonly Manifest[]) {
    const feature = await manifest.build?.(...given)
    if (feature !== undefined) alone.push(feature)
  }
  return alone
}
