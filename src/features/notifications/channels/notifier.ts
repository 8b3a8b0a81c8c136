/**
 * Telling people over one channel.
 *
 * Contract: `send` tries once, ends within a minute, and throws for nothing that the other side says or fails to say; an
 * abort by the signal is thrown as its reason. Sending a message again under its id is safe: the other side gets it once,
 * or can tell that it is the same.
 */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { Alert } from '../../../model/alert.ts'
import type { NotificationMessage } from '../../../model/notification.ts'

export interface Notifier {
  /** Unique and stable over restarts. */
  readonly name: string
  readonly kind: 'mail' | 'webhook'
  /** Where it leads, without anything secret. */
  readonly target: string
  /** Which alerts it is told; left out: all. It says the same of an alert for as long as that lasts. */
  readonly tells?: (alert: Pick<Alert, 'component'>) => boolean
  /** How long an alert waits for others that come with it; left out: as long as is usual. */
  readonly gathers_ms?: Milliseconds
  send(message: NotificationMessage, signal: AbortSignal): Promise<NotifierOutcome>
}

export type NotifierOutcome =
  /** @property detail a remark, such as that nobody can know; null without one */
  | { readonly kind: 'delivered'; readonly detail: string | null }
  /** The same may be taken later. */
  | { readonly kind: 'passing'; readonly detail: string; readonly retry_after_ms: Milliseconds }
  /** Trying the same again would change nothing. */
  | { readonly kind: 'refused'; readonly detail: string }
