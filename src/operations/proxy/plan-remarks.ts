/**
 * What keeps the proxy from serving what a plan would write, told before it is written. A thousand plans at once must not be as
 * many looks: callers share one that is under way, or that ended within a second.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/wait-at-most.ts'
import type { Deps } from '../deps.ts'
import { entrypointRemarks } from './entrypoints.ts'
import { type FolderDrift, folderDrift } from './folder-drift.ts'

interface Look {
  readonly found: Promise<readonly string[]>
  /** Of the monotonic clock; null while it is under way. */
  ended_at: Milliseconds | null
}

const FRESH_MS: Milliseconds = 1000
const WITHIN_MS: Milliseconds = 1500
const LOOKS = new WeakMap<object, Look>()
/** Those who share it have signals of their own; each part of it is bounded. */
const NEVER = new AbortController().signal

export async function planRemarks(deps: Deps, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  const { clock, routes_folder } = deps
  const last = LOOKS.get(routes_folder)
  if (last !== undefined && (last.ended_at === null || clock.elapsed() - last.ended_at <= FRESH_MS))
    return last.found
  const look: Look = { found: lookNow(deps), ended_at: null }
  LOOKS.set(routes_folder, look)
  const forget = () => LOOKS.delete(routes_folder)
  look.found.then(() => (look.ended_at = clock.elapsed()), forget)
  return look.found
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
