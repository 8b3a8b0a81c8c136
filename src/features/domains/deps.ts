/** What the verbs of domains are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { Ddns } from '../ddns/ddns.ts'
import type { DnsDesk } from '../dns/desk.ts'
import type { Deps as RoutesDeps, Entrypoints } from '../routes/deps.ts'
import type { BackendDesk } from './backend/desk.ts'

export interface Deps
  extends CoreParts, Entrypoints, Pick<RoutesDeps, 'render' | 'routes_folder' | 'routes_path'> {
  readonly backend: BackendDesk
  readonly ddns: Ddns
  readonly dns: DnsDesk
  /** The fixed public address of the installation, or null while none is set. */
  readonly public_ip: string | null
}
