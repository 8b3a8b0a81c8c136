/** Does the routes file say what the database says? And if not: what differs, whose it is, and why. */
import { isoTime } from '../../kernel/clock.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { PendingDomain } from '../answers.ts'
import { pendingDomains } from '../deploy/deployment.ts'
import type { Deps } from '../deps.ts'

export interface RoutesDrift {
  /** True when the bytes on disk differ from a fresh rendering of the database; null when they could not be read. */
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
  readonly observed_at: string
}

export async function readRoutesDrift(deps: Deps, signal: AbortSignal): Promise<RoutesDrift> {
  const look = await deps.engine.look('routes', signal)
  return {
    // As it is specified: also where the next pass undoes what stands there, because no release says so.
    drift: look.drift === null ? null : look.observed_digest !== look.working_digest,
    reason: look.unknown_because,
    path: deps.routes_path,
    rendered_checksum: look.working_digest,
    disk_checksum: checksumOnly(look.observed_digest),
    released_checksum: look.released_digest,
    differences: look.differences,
    pending: await pendingDomains(deps),
    unified_diff: look.unified_diff,
    note: look.note,
    observed_at: isoTime(look.observed_at),
  }
}

/** What is not a file has a fingerprint but no checksum. */
const checksumOnly = (digest: string | null): string | null =>
  digest !== null && /^[0-9a-f]{64}$/.test(digest) ? digest : null
