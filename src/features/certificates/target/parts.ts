/** What the targets of all certificates share. */
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CertificateFiles } from '../files/port.ts'
import type { CertificateStore } from '../records.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { Responsibility } from './desire.ts'
import type { Issuer } from '../issuing/port.ts'

export interface CertificateParts {
  readonly responsibility: Responsibility
  /** Where certificates come from. */
  readonly directory: string
  readonly store: CertificateStore
  readonly files: CertificateFiles
  /** What the proxy reads. */
  readonly file: ManagedFile
  readonly issuer: Issuer
  readonly clock: Clock
  readonly log: Log
  /** The last of a certificate has gone: where nobody wants it, there is nothing to look at any more. */
  readonly left?: () => void
}
