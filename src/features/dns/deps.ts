/** What the verbs of dns are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { DnsDesk } from './desk.ts'
import type { DnsWatch } from './integrity/watch.ts'

export interface Deps extends CoreParts {
  readonly dns: DnsDesk
  readonly dns_watch: DnsWatch
}
