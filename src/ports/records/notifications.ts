/** What the store keeps of notifications: troubles that were noticed, who was told of them, and what is still to be told. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'
import type { NotificationMessage } from '../../model/notification.ts'
import type { Severity, Trouble } from '../../model/trouble.ts'

export interface NotificationReader {
  /** Ordered by the trouble's id. */
  noticedTroubles(): Promise<readonly Noticed[]>
  /** Those that are still to be made; the oldest first. */
  owedDeliveries(): Promise<readonly Delivery[]>
  /** The newest of a channel, in any state or in one of these. */
  latestDelivery(channel: string, states?: readonly DeliveryState[]): Promise<Delivery | null>
}

export interface NotificationWriter extends NotificationReader {
  /** By the trouble's id. */
  saveNoticed(noticed: readonly Noticed[]): Promise<void>
  forgetNoticed(ids: readonly string[]): Promise<void>
  /** By id. */
  saveDelivery(delivery: Delivery): Promise<void>
  /** Drops what ended before then. */
  forgetDeliveries(before: Instant): Promise<void>
}

/** A trouble that has lasted long enough to be told, until some time after its end. */
export interface Noticed {
  readonly trouble: Trouble
  readonly noticed_at: Instant
  /** Since when it is known to be over; null while it is not. */
  readonly gone_at: Instant | null
  /** How often it came back within a while of its end. */
  readonly returns: number
  /** Channels that believe it to be open. */
  readonly told: readonly Telling[]
}

export interface Telling {
  readonly channel: string
  /** The worst that was told. */
  readonly severity: Severity
  /** When it was told last. */
  readonly at: Instant
}

export const DELIVERY_STATES = ['owed', 'sent', 'refused', 'given_up'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One message to one channel. It never changes: every try sends the same. */
export interface Delivery {
  readonly id: string
  readonly channel: string
  readonly message: NotificationMessage
  /** What the channel believes once it has the message. */
  readonly tells: readonly { readonly id: string; readonly severity: Severity }[]
  /** Ids of troubles that it believes to be over then. */
  readonly ends: readonly string[]
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_try_at: Instant
  /** Of the last try, or a remark on how it went; null before. */
  readonly detail: string | null
  readonly created_at: Instant
  readonly ended_at: Instant | null
}
