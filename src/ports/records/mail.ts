/** What the store keeps of mails: that they were begun, and how that ended. Texts and recipients are not kept. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'

export interface MailReader {
  mailByKey(key: string): Promise<MailRecord | null>
  /** How many were begun since then, and when the oldest of them was. */
  mailsSince(since: Instant): Promise<{ readonly count: number; readonly oldest: Instant | null }>
  /** The newest that ended in this state. */
  lastMail(state: MailRecord['state']): Promise<MailRecord | null>
}

export interface MailWriter extends MailReader {
  /** By id. A second mail under a key throws `conflict`. */
  saveMail(mail: MailRecord): Promise<void>
  /** At start: those that were being sent when the process died are `unknown`, those only begun `refused`. Answers how many. */
  interruptMails(at: Instant): Promise<number>
  forgetMails(before: Instant): Promise<void>
}

export const MAIL_STATES = ['begun', 'sending', 'sent', 'refused', 'unknown'] as const

export interface MailRecord {
  readonly id: string
  readonly key: string
  /** The Message-ID header (RFC 5322 §3.6.4), ours and fixed before the send. */
  readonly message_id: string
  readonly from_address: string
  readonly recipients: number
  /** `begun`: not out yet. `sending`: it may be out. `refused`: certainly not accepted. `unknown`: it may have left, and is never sent again by itself. */
  readonly state: (typeof MAIL_STATES)[number]
  readonly detail: string | null
  readonly provider_id: string | null
  readonly begun_at: Instant
  readonly ended_at: Instant | null
}
