/** How a certificate of our own manager stands, as it tells others. */
import type { Instant } from '../../kernel/clock.ts'
import type { CertificateFacts, OrderStep } from '../../model/network/certificate.ts'

export interface ManagedView {
  /** What the certificate is called by: the first of its names. */
  readonly name: string
  /** That it is to be for, or that it is for where nobody wants it any more. */
  readonly names: readonly string[]
  readonly wanted: boolean
  /** The proxy's file names it, or that cannot be told. */
  readonly in_use: boolean
  /** Where it is from, or is to be from. */
  readonly directory: string
  /** Null before the first. */
  readonly installed: CertificateFacts | null
  /** How many certificates its chain file holds, the certificate itself among them; null where that is not known. */
  readonly chain_length: number | null
  /** The last step of the order that runs; null where none runs. */
  readonly order_step: OrderStep | null
  /** Of the renewal, or of the next try after a failure; null where none is planned. */
  readonly next_attempt_at: Instant | null
  /** What the engine calls it, and what was seen of it, for its judgement. */
  readonly seen: { readonly key: string; readonly state: unknown }
  /** What a retry would do at once although it waits after a failure; null where it waits for none, or the authority asked for the wait. */
  readonly retried: Retried | null
  /** In plain words, with what would help. */
  readonly last_error: string | null
}

export interface Retried {
  readonly verb: 'create' | 'update'
  readonly before: string | null
  readonly after: string
  /** How a plan says that it waits. */
  readonly waiting: string
}
