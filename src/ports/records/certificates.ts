/** What the store keeps for certificates that we obtain ourselves. Part of the store's contract. Keys are never in it. */
import type { Instant } from '../../kernel/clock.ts'
import type { FailureCode } from '../../kernel/failure.ts'
import type { CertificateFacts } from '../../model/network/certificate.ts'

export interface CertificateReader {
  /** Ordered by name. */
  certificates(): Promise<readonly InstalledCertificate[]>
  /** Ordered by name. */
  certificateChains(): Promise<readonly ChainDigests[]>
  /** Null where none is kept. */
  certificateChain(name: string): Promise<KeptChain | null>
  certificateOrders(): Promise<readonly CertificateOrder[]>
  certificateTrouble(): Promise<readonly CertificateTrouble[]>
  /** Entries of one kind and subject since then, oldest first. */
  ledger(query: LedgerQuery): Promise<readonly LedgerEntry[]>
}

export interface CertificateWriter extends CertificateReader {
  /** By name. */
  saveCertificate(certificate: InstalledCertificate): Promise<void>
  /** Its chain goes with it. */
  dropCertificate(name: string): Promise<void>
  /** By name, of a certificate that is there. */
  saveChain(chain: KeptChain): Promise<void>
  dropChain(name: string): Promise<void>
  /** By id; a second order for the same name is refused (`conflict`). */
  saveOrder(order: CertificateOrder): Promise<void>
  dropOrder(id: string): Promise<void>
  /** By name. */
  saveTrouble(trouble: CertificateTrouble): Promise<void>
  dropTrouble(name: string): Promise<void>
  addToLedger(entry: LedgerEntry): Promise<void>
  /** Entries from before then count against no limit any more. */
  trimLedger(before: Instant): Promise<void>
}

export interface InstalledCertificate extends CertificateFacts {
  /** The first of its names, which it is called by. */
  readonly name: string
  readonly directory: string
  readonly obtained_at: Instant
  /** For renewal information and as `replaces` (RFC 9773 §4.1); null where the certificate has none. */
  readonly ari_id: string | null
  readonly renewal: RenewalHint | null
}

/** What we wrote of an installed certificate, so that a file with other bytes is noticed. */
export interface ChainDigests {
  readonly name: string
  /** Of the certificate that they are for. */
  readonly fingerprint: string
  /** SHA-256 of the files as they were written, lower-case hexadecimal. */
  readonly chain_sha256: string
  readonly key_sha256: string
}

/** With the bytes of the chain, which are public: they are written again without a new order. */
export interface KeptChain extends ChainDigests {
  readonly chain_pem: string
}

/** What the authority suggested, kept with the id of the certificate that it was for. */
export interface RenewalHint {
  readonly ari_id: string
  readonly start: Instant
  readonly end: Instant
  /** Chosen at random within the window, once. */
  readonly moment: Instant
  /** When to ask again. */
  readonly ask_at: Instant
}

export const ORDER_STEPS = [
  'planned',
  'ordered',
  'presented',
  'propagated',
  'answered',
  'validated',
  'finalised',
  'stored',
  'failed',
] as const
export type OrderStep = (typeof ORDER_STEPS)[number]

export interface CertificateOrder {
  readonly id: string
  readonly name: string
  readonly names: readonly string[]
  readonly directory: string
  /** Ends when the authority has validated: nothing is finalised, and nothing counts. */
  readonly rehearsal: boolean
  readonly replaces: string | null
  /** The last one that is done. `failed`: only what it left is still to be taken away. */
  readonly step: OrderStep
  readonly order_url: string | null
  /** TXT records that may stand at the provider. */
  readonly challenges: readonly OrderChallenge[]
  /** Why it was begun, in words. */
  readonly reason: string
  readonly started_at: Instant
  readonly updated_at: Instant
}

/** A TXT record that answers a challenge (RFC 8555 §8.4). */
export interface ChallengeRecord {
  /** `_acme-challenge.example.com` */
  readonly name: string
  readonly value: string
}

export interface OrderChallenge extends ChallengeRecord {
  readonly challenge_url: string
  readonly authorization_url: string
}

export interface CertificateTrouble {
  readonly name: string
  /** In a row. */
  readonly failures: number
  readonly directory: string
  readonly code: FailureCode
  readonly message: string
  readonly failed_at: Instant
  readonly next_try_at: Instant
  readonly rehearse: boolean
}

export interface LedgerEntry {
  readonly at: Instant
  readonly directory: string
  readonly kind: 'ordered' | 'issued' | 'failed_authorization'
  /** The sorted name set as JSON; the name of a failed authorisation. */
  readonly subject: string
}

export type LedgerQuery = Pick<LedgerEntry, 'directory' | 'kind' | 'subject'> & { readonly since: Instant }
