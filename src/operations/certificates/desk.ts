/** What operations know of certificates: the proxy's store, and a way to see what is served. */
import type { AcmeStore } from '../../ports/acme-store.ts'
import type { TlsProbe } from '../../ports/tls-probe.ts'

export interface CertificatesDesk {
  /** Null where no store is set. */
  readonly store: AcmeStore | null
  readonly probe: TlsProbe
  /** Where the proxy serves TLS; null where each name is asked itself. */
  readonly tls_address: { readonly host: string; readonly port: number } | null
  /** The resolver that the proxy uses for public names; null where it has none. */
  readonly cert_resolver: string | null
}
