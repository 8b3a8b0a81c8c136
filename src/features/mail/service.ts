/** What operations know of mail: who sends it, and how much of it there may be. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Mailer } from './port.ts'
import type { Store } from '../../ports/store.ts'

export interface MailService {
  /** Null where nothing is configured. */
  readonly mailer: Mailer | null
  /** Preferred senders, the first one first. */
  readonly from: readonly string[]
  readonly per_minute: number
  readonly per_day: number
  /** The only domains of recipients; null for any. */
  readonly recipient_domains: readonly string[] | null
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}
