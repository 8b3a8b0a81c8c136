/** What the verbs of certificates are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { DnsService } from '../dns/service.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { CertificateService } from './service.ts'

export interface Deps extends CoreParts, Entrypoints {
  readonly certificates: CertificateService
  readonly dns: DnsService
}
