/** What the verbs of dns are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { DnsService } from './service.ts'
import type { DnsWatch } from './integrity/watch.ts'

export interface Deps extends CoreParts {
  readonly dns: DnsService
  readonly dns_watch: DnsWatch
}
