/**
 * The proxy's own certificate store (Traefik's acme.json), read and never written. Keys and account data never leave the
 * reader: only what `CertificateFacts` names does.
 *
 * The proxy truncates and rewrites the file in place, so a reader meets it empty or cut. Such a look is `busy` and carries
 * the last good reading; it is never "no certificates".
 */
import type { Instant } from '../../../kernel/clock.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'

export interface AcmeStore {
  /** One stat where nothing has changed. Never throws but for the signal's abort. */
  read(signal: AbortSignal): Promise<AcmeReading>
}

export interface AcmeReading {
  /**
   * `good`: read whole. `absent`: there is no such file. `busy`: empty or cut, after some tries. `refused`: not ours to
   * read, or no such file at all: a link, another kind, too large, a mode that lets others read, no permission.
   */
  readonly state: 'good' | 'absent' | 'busy' | 'refused'
  /** Why it is not good, with what would help; null when it is. */
  readonly detail: string | null
  /** The last good content; null before the first. */
  readonly content: AcmeContent | null
  /** When that was read. */
  readonly content_at: Instant | null
  /** Of the file as it is now; null where there is none or nothing is known of it. */
  readonly file: AcmeFile | null
}

export interface AcmeContent {
  /** Ordered by name. */
  readonly resolvers: readonly AcmeResolver[]
}

export interface AcmeResolver {
  readonly name: string
  /** Status of the account's registration, such as `valid`; null where there is none. */
  readonly registration: string | null
  /** In the order of the file. One that cannot be decoded is left out and counted. */
  readonly certificates: readonly HeldCertificate[]
  readonly undecodable: number
}

export interface HeldCertificate extends CertificateFacts {
  /** How many certificates stand there together, the certificate itself among them. */
  readonly chain_length: number
}

export interface AcmeFile {
  readonly path: string
  readonly size: number
  readonly modified_at: Instant
  /** `0600` */
  readonly mode: string
  /** Numeric user id. */
  readonly owner: number
}
