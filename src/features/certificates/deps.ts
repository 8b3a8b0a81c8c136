/** What the verbs of certificates are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { DnsDesk } from '../dns/desk.ts'
import type { Entrypoints } from '../routes/deps.ts'
import type { CertificatesDesk } from './desk.ts'

export interface Deps extends CoreParts, Entrypoints {
  readonly certificates: CertificatesDesk
  readonly dns: DnsDesk
}
