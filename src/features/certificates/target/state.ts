/** How one certificate stands: what our own rows and files say at a moment. */
import type { Instant } from '../../../kernel/clock.ts'
import type { CertificateOrder } from '../order-records.ts'
import type { CertificateFailure, InstalledCertificate } from '../records.ts'
import type { Mend } from './soundness.ts'

export interface CertificateState {
  readonly name: string
  /** When it was looked at: what is due depends on it. */
  readonly now: Instant
  /** Where certificates are to come from. */
  readonly directory: string
  /** Null before the first. */
  readonly installed: InstalledCertificate | null
  /** What is wrong with its key or its chain on disk; null where nothing is. */
  readonly fault: string | null
  /** Beside a fault: key and chain are there, and what they hold is something else. */
  readonly altered?: boolean
  /** What puts the fault right without a new order; left out or empty: nothing does. */
  readonly mends?: readonly Mend[]
  /** The order that runs, or what is left of one that failed. */
  readonly order: CertificateOrder | null
  readonly failure: CertificateFailure | null
  /** The file that the proxy reads names it, or that cannot be told. */
  readonly in_use: boolean
}
