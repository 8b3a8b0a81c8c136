/**
 * What keeps the proxy from serving what a plan would write, told before it is written. A thousand plans at once must not be as
 * many looks: callers share one that is under way, or that ended within a second.
 */
import { Cached } from '../../../kernel/async/cached.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import { waitAtMost } from '../../../kernel/async/wait-at-most.ts'
import type { Deps } from '../deps.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import { type EntrypointLook, lookAtEntrypoints } from './entrypoints.ts'
import { plainHttpWarnings } from './sent-away.ts'
import { type FolderDrift, folderDrift } from '../loaded/folder-drift.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

interface Look {
  readonly entrypoints: EntrypointLook
  readonly folder: FolderDrift['differences']
}

interface Beside {
  readonly warnings: readonly string[]
  /** Routers in the other files that are asked before ours, of all domains. */
  readonly shadowed: FolderDrift['differences']
}

interface Looks {
  readonly of_plans: Cached<Look, Deps>
  readonly of_deploys: SingleFlight<Look, Deps>
}

const FRESH_MS: Milliseconds = 1000
const WITHIN_MS: Milliseconds = 1500
const LOOKS = new WeakMap<object, Looks>()
/** @param rows that the plan would bring out */
export async function planWarnings(
  deps: Deps,
  rows: readonly Pick<ReleaseRow, 'row'>[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted()
  const { entrypoints, folder } = await looksOf(deps).of_plans.get(deps)
  const names = new Set(rows.flatMap(({ row }) => row?.fields.domain ?? []))
  const concerned = folder.filter(
    ({ domains }) => domains.length === 0 || domains.some((name) => names.has(name)),
  )
  return [...entrypoints.warnings, ...plainHttpWarnings(entrypoints, rows), ...concerned.map(worded)]
}

/** The same by a look that began after this call: whoever deploys has changed what was seen before. */
export async function besideNow(deps: Deps): Promise<Beside> {
  const { entrypoints, folder } = await looksOf(deps).of_deploys.afresh(deps)
  const others = folder.filter(({ cause }) => cause !== 'shadowed')
  return {
    warnings: [...entrypoints.warnings, ...others.map(worded)],
    shadowed: folder.filter(({ cause }) => cause === 'shadowed'),
  }
}

function looksOf({ routes_folder, clock }: Deps): Looks {
  const known = LOOKS.get(routes_folder)
  if (known !== undefined) return known
  const looks: Looks = {
    of_plans: new Cached({ clock, ask: lookNow, keepFor: () => FRESH_MS }),
    of_deploys: new SingleFlight(lookNow),
  }
  LOOKS.set(routes_folder, looks)
  return looks
}

async function lookNow(deps: Deps): Promise<Look> {
  const [entrypoints, folder] = await Promise.all([lookAtEntrypoints(deps, NEVER_ABORTED), besideSoon(deps)])
  return { entrypoints, folder }
}

const worded = ({ item, cause, detail }: FolderDrift['differences'][number]): string =>
  cause === 'shadowed' || detail.includes(item) ? detail : `${item}: ${detail}`

/** What another file has in its way; none of a folder that hangs: the health page tells of it, and nobody waits for it here. */
export async function besideSoon(deps: Deps): Promise<FolderDrift['differences']> {
  let found: FolderDrift['differences'] = []
  const looking = folderDrift(deps, NEVER_ABORTED).then(({ differences }) => (found = differences))
  looking.catch(() => undefined)
  await waitAtMost(looking, WITHIN_MS)
  return found
}
