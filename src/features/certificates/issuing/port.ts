/** Obtaining certificates: what the target asks for, and what it is told. */
import type { Instant } from '../../../kernel/clock.ts'
import type { InstalledCertificate } from '../records.ts'

export interface CertificateWish {
  /** What it is called by: one of its names, the same for as long as it is wanted. */
  readonly name: string
  /** Sorted, lower-case A-labels, wildcards among them. */
  readonly names: readonly string[]
}

export interface Issuer {
  /**
   * Takes up the order that stands for the name, or begins one. Resolves when key and chain are stored, the row is
   * written and the TXT records are gone. Throws a Failure: the order's row says where it stands, and the next call goes on
   * there. `facts.unfinished` in it: nothing went wrong, only time went by; look again after `retry_after_ms`. Aborted, it
   * throws the signal's reason. A second call for the same name shares the work of the first.
   */
  issue(
    wish: CertificateWish,
    why: { readonly reason: string; readonly signal: AbortSignal },
  ): Promise<InstalledCertificate>
  /** What stands in the way now, for plans. Looks and changes nothing; the authority is asked for its directory at most. */
  preflight(wish: CertificateWish, signal: AbortSignal): Promise<readonly Hindrance[]>
  /**
   * Takes away what orders left behind that nobody wants any more: TXT records, keys that wait for a certificate, rows. What
   * cannot be taken away now stays on its row. Never throws but for the signal and the store.
   */
  tidy(wanted: readonly CertificateWish[], signal: AbortSignal): Promise<void>
  /**
   * Asks the authority when to renew (RFC 9773), where that is due; the hint is kept with the certificate's id. Never throws
   * for an authority that is down: the old hint stands.
   */
  askRenewal(certificate: InstalledCertificate, signal: AbortSignal): Promise<InstalledCertificate>
}

export interface Hindrance {
  readonly what: 'zone' | 'writable' | 'caa' | 'ledger' | 'trouble'
  readonly detail: string
  /** When it ends by itself, else null. */
  readonly until: Instant | null
}
