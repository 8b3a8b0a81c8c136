/**
 * Does the routes file say what the database says, and does nothing beside it stand in its way? And if not: what differs,
 * whose it is, and why.
 */
import { isoTime } from '../../kernel/clock.ts'
import type { Drift } from '../../http/common-views.ts'
import type { WithoutActs } from '../../http/difference-views.ts'
import type { SidesOf } from '../../model/sides/sides.ts'
import { driftOver } from '../../model/drift.ts'
import { pendingDomains } from '../../core/deploy.ts'
import type { Deps } from './deps.ts'

/**
 * `drift` is true when the bytes on disk differ from a fresh rendering of the database, or another file keeps the proxy from
 * taking them; null when that could not be read.
 */
export type RoutesDrift = WithoutActs<Drift> & { readonly sidesOf?: SidesOf | undefined }

export async function readRoutesDrift(deps: Deps, signal: AbortSignal): Promise<RoutesDrift> {
  const [look, folder] = await Promise.all([
    deps.engine.observeFirstKey('routes', signal),
    deps.besideRoutes(signal),
  ])
  // As it is specified: also where the next pass undoes what stands there, because no release says so.
  const { observed } = look
  const own = look.drift === null ? null : observed.observed_digest !== observed.working_digest
  return {
    drift: driftOver([own, folder.drift]),
    reason: observed.unknown_because ?? folder.reason,
    path: deps.routes_path,
    rendered_checksum: observed.working_digest,
    disk_checksum: checksumOnly(observed.observed_digest),
    released_checksum: observed.released_digest,
    differences: [...look.differences, ...folder.differences],
    pending: await pendingDomains(deps),
    unified_diff: observed.unified_diff,
    note: observed.note,
    sidesOf: observed.sidesOf,
    observed_at: isoTime(observed.observed_at),
  }
}

/** What is not a file has a fingerprint but no checksum. */
const checksumOnly = (digest: string | null): string | null =>
  digest !== null && /^[0-9a-f]{64}$/.test(digest) ? digest : null
