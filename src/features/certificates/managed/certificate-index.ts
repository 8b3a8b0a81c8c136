/** What was read of all certificates last, whoever asked: for answers that look at nothing. */
import type { Instant } from '../../../kernel/clock.ts'
import type { CertificateUser } from '../users.ts'

/** As much of a certificate as others tell of it. Times are RFC 3339. */
export interface IndexedCertificate {
  /** Who obtains it: our manager, or the proxy. */
  readonly source: 'manager' | 'proxy'
  readonly name: string
  readonly state: string
  /** Deployed with TLS, and covered by it. */
  readonly domains: readonly CertificateUser[]
  readonly wanted: boolean
  /** Null before the first. */
  readonly certificate: { readonly not_after: string } | null
  readonly order_step: string | null
  readonly next_attempt_at: string | null
  readonly last_error: string | null
}

export interface IndexedCertificates {
  readonly certificates: readonly IndexedCertificate[]
  /** Why those of our manager could not be read, else null. */
  readonly detail: string | null
  readonly at: Instant
}

export class CertificateIndex {
  #last: IndexedCertificates | null = null

  /** Null before anybody has read them. */
  get last(): IndexedCertificates | null {
    return this.#last
  }

  keep(indexed: IndexedCertificates): void {
    this.#last = indexed
  }
}
