/** What the verbs of domains are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { Ddns } from '../ddns/ddns.ts'
import type { DnsService } from '../dns/service.ts'
import type { Deps as RoutesDeps, Entrypoints } from '../routes/deps.ts'
import type { BackendService } from './backend/service.ts'

export interface Deps
  extends CoreParts, Entrypoints, Pick<RoutesDeps, 'render' | 'routes_folder' | 'routes_path'> {
  readonly backend: BackendService
  readonly ddns: Ddns
  readonly dns: DnsService
  /** The fixed public address of the installation, or null while none is set. */
  readonly public_ip: string | null
}
