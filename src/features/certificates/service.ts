/** What operations know of certificates: the proxy's store, a way to see what is served, and what our own manager does. */
import type { Intent } from '../../model/intent.ts'
import type { ReadCertificate } from '../../ports/x509.ts'
import type { AcmeStore } from './acme-store/port.ts'
import type { ManagedView } from './view.ts'
import type { TlsProbe } from './tls-probe/port.ts'
import type { WireWatch } from './wire/wire-watch.ts'
import type { Responsibility } from './target/desire.ts'
import type { CertificateIndex } from './managed/certificate-index.ts'

export interface CertificateService {
  /** Null where no store is set. */
  readonly store: AcmeStore | null
  /** What a certificate says of itself. */
  readonly read: ReadCertificate
  readonly probe: TlsProbe
  /** Where the proxy serves TLS; null where each name is asked itself. */
  readonly tls_address: { readonly host: string; readonly port: number } | null
  /** Looks at what each name is served there; null where no such address is set. */
  readonly wire: WireWatch | null
  /** What was read of all of them last. */
  readonly index: CertificateIndex
  /** The resolver that the proxy uses for public names; null where it has none. */
  readonly cert_resolver: string | null
  /** Null where no authority is set. */
  readonly manager: CertificateManager | null
}

/** Our own certificate manager. */
export interface CertificateManager {
  /** The authority's directory. */
  readonly directory: string
  /** The names that it obtains for: all, or those that are served internally only. */
  readonly responsibility: Responsibility
  /** Every certificate that is wanted for these records, and every one that is still there. Ordered by name. */
  list(intent: Intent, signal: AbortSignal): Promise<readonly ManagedView[]>
  /** Clears the backoff after failures, but for a wait that an authority asked for. */
  resetBackoff(): Promise<void>
}
