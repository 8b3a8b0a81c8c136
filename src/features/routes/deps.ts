/** What the verbs of routes are given. */
import type { HealthCheck } from '../../core/check.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { BackendService } from '../domains/backend/service.ts'
import type { DnsService } from '../dns/service.ts'
import type { RoutingService } from './proxy/service.ts'
import type { ReleaseDecisions } from './proxy/decision-record.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { Render } from '../../ports/rendering.ts'

export interface Deps extends CoreParts, Entrypoints {
  readonly backend: BackendService
  /** What became of releases that the proxy did not load. */
  readonly decisions: ReleaseDecisions
  readonly dns: DnsService
  readonly proxy: RoutingService
  readonly render: Render
  /** Looks at the other files beside it. */
  readonly routes_folder: Pick<HealthCheck, 'name' | 'look'>
  readonly routes_path: string
}
