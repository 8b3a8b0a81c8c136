/** What operations know of certificates: the proxy's store, a way to see what is served, and what our own manager does. */
import type { Instant } from '../../kernel/clock.ts'
import type { CertificateFacts } from '../../model/certificate.ts'
import type { AcmeStore } from '../../ports/acme-store.ts'
import type { OrderStep } from '../../ports/certificate-records.ts'
import type { TlsProbe } from '../../ports/tls-probe.ts'

export interface CertificatesDesk {
  /** Null where no store is set. */
  readonly store: AcmeStore | null
  readonly probe: TlsProbe
  /** Where the proxy serves TLS; null where each name is asked itself. */
  readonly tls_address: { readonly host: string; readonly port: number } | null
  /** The resolver that the proxy uses for public names; null where it has none. */
  readonly cert_resolver: string | null
  readonly managed: ManagedCertificate
}

/** What our certificate manager knows of a domain's name; null where the name is none of its. */
export type ManagedCertificate = (domain: string) => Promise<ManagedView | null>

export interface ManagedView {
  /** What the certificate is called by: the first of its names. */
  readonly name: string
  /** The authority's directory. */
  readonly directory: string
  /** Null before the first. */
  readonly installed: CertificateFacts | null
  /** The last step of the order that runs; null where none runs. */
  readonly order_step: OrderStep | null
  /** Of the renewal, or of the next try after a failure; null where none is planned. */
  readonly next_attempt_at: Instant | null
  /** In plain words, with what would help. */
  readonly last_error: string | null
}
