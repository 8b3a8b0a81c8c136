/** What a channel is told in one go. The JSON of a webhook is this very value, so a change of it is a new `version`. */
import type { Severity, AlertKind } from './alert.ts'

export const VERDICTS = ['wrong', 'still_wrong', 'recovered', 'test'] as const

export interface NotificationMessage {
  readonly version: 1
  /** Of the delivery: the same again is the same message again. */
  readonly id: string
  /** RFC 3339, when it was put together. */
  readonly at: string
  /** Where the installation is reached. */
  readonly source: string
  /** The heaviest of what is in it: something new is wrong, something still is, or all of it is over. */
  readonly verdict: (typeof VERDICTS)[number]
  /** One line. */
  readonly title: string
  /** All of it for people; chat systems show this member as it is. */
  readonly text: string
  readonly new: readonly NotificationLine[]
  readonly still: readonly NotificationLine[]
  readonly over: readonly NotificationLine[]
  /** How many troubles the channel knows to be open after this. */
  readonly open: number
}

/** Troubles of one kind, part and cause. */
export interface NotificationLine {
  readonly kind: AlertKind
  readonly severity: Severity
  readonly component: string
  readonly key: string
  /** How many domains are concerned; 0 where it is everybody's. */
  readonly count: number
  /** The first of them by name. */
  readonly domains: readonly string[]
  /** RFC 3339, of the oldest of them. */
  readonly since: string
  /** RFC 3339, of the last to end; null while it lasts. */
  readonly ended: string | null
  readonly message: string
  readonly remedy: string
  /** The first of the troubles' ids. */
  readonly ids: readonly string[]
}
