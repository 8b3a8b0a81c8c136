/**
 * Does the routes file say what the database says, and does nothing beside it stand in its way? And if not: what differs,
 * whose it is, and why.
 */
import { isoTime } from '../../kernel/clock.ts'
import type { SidesOf } from '../../model/sides/sides.ts'
import { type DriftState, type ExplainedDifference, driftOver } from '../../model/drift.ts'
import type { PendingDomain } from '../../core/answers.ts'
import { pendingDomains } from '../../core/deploy.ts'
import type { Deps } from './deps.ts'
import { folderDrift } from '../routes/loaded/folder-drift.ts'

export interface RoutesDrift {
  /**
   * True when the bytes on disk differ from a fresh rendering of the database, or another file keeps the proxy from taking
   * them; null when that could not be read.
   */
  readonly drift: DriftState
  readonly reason: string | null
  readonly path: string
  readonly rendered_checksum: string
  readonly disk_checksum: string | null
  readonly released_checksum: string | null
  readonly differences: readonly ExplainedDifference[]
  readonly pending: readonly PendingDomain[]
  readonly unified_diff: string | null
  readonly note: string | null
  readonly sidesOf?: SidesOf | undefined
  readonly observed_at: string
}

export async function readRoutesDrift(deps: Deps, signal: AbortSignal): Promise<RoutesDrift> {
  const [look, folder] = await Promise.all([deps.engine.look('routes', signal), folderDrift(deps, signal)])
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
