/**
 * Sending mail.
 *
 * Contract: `send` tries once and never throws for what the other side says or fails to say: `refused` means that the
 * mail was certainly not accepted, `unknown` that it may have been. Whoever repeats after `unknown` may send twice. The
 * sender is not checked here: a provider may put another one in its place without a word (Gmail does). Every wait ends
 * by the signal, which is an `unknown` once the text is on its way.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { FailureCode } from '../../kernel/failure.ts'

export interface Mailer {
  readonly provider: 'smtp' | 'gmail'
  /** Senders that may stand in From. Throws a Failure where they cannot be found out. */
  senders(signal: AbortSignal): Promise<readonly Sender[]>
  /** @param leaving awaited right before the text goes out: what fails or ends before it has certainly not been sent */
  send(mail: Mail, leaving: () => Promise<void>, signal: AbortSignal): Promise<SendOutcome>
  /** The message as `send` would hand it over, byte for byte. Asks nobody. */
  preview(mail: Mail): Promise<MailPreview>
  /**
   * Whether a mail with this Message-ID went out: looked for where the provider keeps what was sent. `absent` means not
   * there by now, which is the truth only some time after the send. Null where the provider keeps nothing that could be
   * asked. Throws a Failure where it cannot be found out.
   */
  find(message_id: string, signal: AbortSignal): Promise<FoundMail | 'absent' | null>
  /** Gets a new access token now, also after a refusal. Throws a Failure. Null where the provider has none. */
  refresh(signal: AbortSignal): Promise<TokenState | null>
  /** What is known without asking anybody; null where the provider has no token. */
  token(): TokenState | null
  /**
   * Asks the provider whether it would take a mail. Throws a Failure that says why not.
   * @param options with `afresh`, no answer that is kept for others will do
   */
  check(signal: AbortSignal, options?: { readonly afresh?: boolean }): Promise<void>
}

export interface FoundMail {
  readonly provider_id: string
}

export interface MailPreview {
  /** In their order, unfolded, encoded as they go out. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly size_bytes: number
}

export interface Sender {
  readonly address: string
  readonly name: string | null
  readonly is_default: boolean
}

export interface MailParty {
  readonly address: string
  readonly name: string | null
}

/** Addresses have passed `parseMailAddress`; names and subject hold no control characters. */
export interface Mail {
  /** With its angle brackets. */
  readonly message_id: string
  readonly at: Instant
  readonly from: MailParty
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  /** In no header. */
  readonly bcc: readonly MailParty[]
  readonly reply_to: MailParty | null
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

export type SendOutcome =
  | {
      readonly kind: 'sent'
      readonly provider_id: string | null
      /** Recipients that were refused while others were taken. */
      readonly rejected: readonly string[]
    }
  | {
      readonly kind: 'refused'
      readonly code: FailureCode
      readonly detail: string
      readonly retry_after_ms: number
      /** Whether the same mail may be taken later. */
      readonly passing: boolean
    }
  | { readonly kind: 'unknown'; readonly detail: string }

export interface TokenState {
  /** `needs_consent`: the provider takes the refresh token no more; only a person can renew it. */
  readonly state: 'never_asked' | 'valid' | 'expired' | 'needs_consent' | 'failing'
  readonly expires_at: Instant | null
  /** Why it is not valid and what to do about it; null where it is. */
  readonly reason: string | null
}
