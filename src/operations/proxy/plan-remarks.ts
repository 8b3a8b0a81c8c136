/**
 * What keeps the proxy from serving what a plan would write, told before it is written. A thousand plans at once must not be as
 * many looks: callers share one that is under way, or that ended within a second.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import { SharedWork } from '../../kernel/shared-work.ts'
import { waitAtMost } from '../../kernel/wait-at-most.ts'
import type { Deps } from '../deps.ts'
import { entrypointRemarks } from './entrypoints.ts'
import { type FolderDrift, folderDrift } from './folder-drift.ts'

interface Looks {
  readonly of_plans: SharedWork<Deps, readonly string[]>
  readonly of_deploys: SharedWork<Deps, readonly string[]>
  last: readonly string[]
  /** Of the monotonic clock. */
  ended_at: Milliseconds
}

const FRESH_MS: Milliseconds = 1000
const WITHIN_MS: Milliseconds = 1500
const LOOKS = new WeakMap<object, Looks>()
/** Those who share it have signals of their own; each part of it is bounded. */
const NEVER = new AbortController().signal

export async function planRemarks(deps: Deps, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  const looks = looksOf(deps)
  return deps.clock.elapsed() - looks.ended_at <= FRESH_MS ? looks.last : looks.of_plans.join(deps)
}

/** The same by a look that began after this call: whoever deploys has changed what was seen before. */
export const remarksOfNow = (deps: Deps): Promise<readonly string[]> => looksOf(deps).of_deploys.afresh(deps)

function looksOf({ routes_folder }: Deps): Looks {
  const known = LOOKS.get(routes_folder)
  if (known !== undefined) return known
  const looks: Looks = {
    of_plans: new SharedWork(async (deps) => {
      looks.last = await lookNow(deps)
      looks.ended_at = deps.clock.elapsed()
      return looks.last
    }),
    of_deploys: new SharedWork(lookNow),
    last: [],
    ended_at: -Infinity,
  }
  LOOKS.set(routes_folder, looks)
  return looks
}

async function lookNow(deps: Deps): Promise<readonly string[]> {
  const [doors, differences] = await Promise.all([entrypointRemarks(deps, NEVER), differencesIn(deps)])
  return [
    ...doors,
    ...differences.map(({ item, detail }) => (detail.includes(item) ? detail : `${item}: ${detail}`)),
  ]
}

/** None of a folder that hangs: the health page tells of it, and nobody waits for it here. */
async function differencesIn(deps: Deps): Promise<FolderDrift['differences']> {
  let found: FolderDrift['differences'] = []
  const looking = folderDrift(deps, NEVER).then(({ differences }) => (found = differences))
  looking.catch(() => undefined)
  await waitAtMost(looking, WITHIN_MS)
  return found
}
