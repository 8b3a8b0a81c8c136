/** What the targets of all certificates share. */
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CertificateFiles } from '../files/port.ts'
import type { CertificateReader, CertificateWriter } from '../../../ports/records/certificates.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { Responsibility } from './desire.ts'
import type { Issuer } from '../issuing/issuer.ts'

/** The part of the store that certificates need; `write` is one transaction, as in the store's own contract. */
export interface CertificateStore extends Pick<
  CertificateReader,
  'certificates' | 'certificateChains' | 'certificateChain' | 'certificateOrders' | 'certificateTrouble'
> {
  write<T>(
    work: (
      tx: Pick<
        CertificateWriter,
        | 'certificates'
        | 'certificateTrouble'
        | 'saveTrouble'
        | 'saveChain'
        | 'dropCertificate'
        | 'dropChain'
        | 'dropTrouble'
      >,
    ) => Promise<T>,
  ): Promise<T>
}

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
}
