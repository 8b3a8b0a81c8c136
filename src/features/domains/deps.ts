/** What the verbs of domains are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { Render } from '../../ports/rendering.ts'
import type { BackendService } from './backend/service.ts'
import type { Gateways, RecordDns } from './neighbours.ts'

/** Drift of files that we did not write. */
interface DriftBeside {
  readonly drift: DriftState
  readonly differences: readonly ExplainedDifference[]
  /** Why it is unknown, else null. */
  readonly reason: string | null
}

export interface Deps extends CoreParts, Entrypoints {
  readonly render: Render
  readonly routes_path: string
  /** A look of now at what stands beside the routes file and in its way. */
  readonly besideRoutes: (signal: AbortSignal) => Promise<DriftBeside>
  readonly backend: BackendService
  readonly gateways: Gateways
  readonly record_dns: RecordDns
  /** The fixed public address of the installation, or null while none is set. */
  readonly public_ip: string | null
}
