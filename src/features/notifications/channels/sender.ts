/**
 * Brings what is owed to one channel, try after try for a day, and records how it went.
 *
 * Only a message that arrived counts as told. A kill between the send and the record sends the same message again under
 * the same id: a webhook's receiver can tell, and mail is not repeated at all.
 */
import { backoffDelay } from '../../../kernel/async/backoff.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { Notifier, NotifierOutcome } from './notifier.ts'
import { type Delivery, notificationRecords } from '../records.ts'
import { age, heard } from '../decide.ts'
import type { NotificationParts } from '../parts.ts'

const BACKOFF = { first_ms: 10_000, max_ms: 3_600_000 }
const TRIED_FOR_MS: Milliseconds = 24 * 3_600_000
/** Short steps of wall-clock time, so that sleep and a clock that is set skip nothing. */
const MAX_WAIT_MS: Milliseconds = 30_000
const IDLE_MS: Milliseconds = 24 * 3_600_000
const MIN_BETWEEN_MS: Milliseconds = 100

export class NotificationSender {
  readonly #parts: NotificationParts
  readonly #notifier: Notifier
  readonly #reported: () => void
  readonly #loop: Loop
  /** What was complained of last: the same again is not worth a line. */
  #complaint: string | null = null
  /** How a send ended that could not be written down: that is done before anything is sent again. */
  #unrecorded: { readonly ended: Delivery; readonly outcome: NotifierOutcome } | null = null

  /** @param told is called when a delivery has ended */
  constructor(parts: NotificationParts, notifier: Notifier, reported: () => void) {
    this.#parts = parts
    this.#notifier = notifier
    this.#reported = reported
    this.#loop = new Loop({
      clock: parts.clock,
      least_ms: MIN_BETWEEN_MS,
      failed: (error) => parts.log.warn('notifications not sent', { channel: notifier.name, error }),
      round: (signal) => this.#round(signal),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(grace_ms: Milliseconds): Promise<void> {
    return this.#loop.stop({ grace_ms })
  }

  wake(): void {
    this.#loop.wake()
  }

  async #round(signal: AbortSignal): Promise<Milliseconds> {
    const { store, clock } = this.#parts
    const owed = (await store.of(notificationRecords).owedDeliveries()).find(
      ({ channel }) => channel === this.#notifier.name,
    )
    if (owed === undefined) return IDLE_MS
    const wait_ms = owed.next_try_at - clock.now()
    // Further off than any wait of ours: the clock was set back.
    if (wait_ms > 0 && wait_ms <= TRIED_FOR_MS) return Math.min(wait_ms, MAX_WAIT_MS)
    this.#unrecorded =
      this.#unrecorded?.ended.id === owed.id ? this.#unrecorded : await this.#sent(owed, signal)
    const { ended, outcome } = this.#unrecorded
    await this.#record(ended)
    this.#unrecorded = null
    this.#say(ended, outcome)
    if (ended.state !== 'owed') this.#reported()
    return 0
  }

  async #sent(owed: Delivery, signal: AbortSignal) {
    const outcome = await this.#notifier.send(owed.message, signal)
    return { outcome, ended: this.#after(owed, outcome, this.#parts.clock.now()) }
  }

  #after(owed: Delivery, outcome: NotifierOutcome, now: Instant): Delivery {
    const tried = { ...owed, attempts: owed.attempts + 1, detail: outcome.detail }
    if (outcome.kind === 'delivered') return { ...tried, state: 'sent', ended_at: now }
    if (outcome.kind === 'refused') return { ...tried, state: 'refused', ended_at: now }
    if (age(owed.created_at, now) >= TRIED_FOR_MS) return { ...tried, state: 'given_up', ended_at: now }
    const delay_ms = backoffDelay(BACKOFF, tried.attempts, this.#parts.random(), outcome.retry_after_ms)
    // No receiver may silence its channel for longer: what comes meanwhile waits behind this one.
    return { ...tried, next_try_at: now + Math.min(delay_ms, BACKOFF.max_ms) }
  }

  async #record(delivery: Delivery): Promise<void> {
    await this.#parts.store.write(async (tx) => {
      await tx.of(notificationRecords).saveDelivery(delivery)
      if (delivery.state !== 'sent') return
      const rows = await tx.of(notificationRecords).noticedAlerts()
      await tx.of(notificationRecords).saveNoticed(heard(rows, delivery, delivery.ended_at!))
    })
  }

  #say({ id, state, attempts, detail }: Delivery, outcome: NotifierOutcome): void {
    const { log, metrics } = this.#parts
    const { name: channel, kind } = this.#notifier
    const result = state === 'owed' ? 'failed' : state
    metrics.count('plumbline_notifications_total', { channel: kind, result })
    const facts = { channel, delivery: id, attempts, detail }
    if (outcome.kind === 'delivered') log.info('notification sent', facts)
    else if (this.#complaint !== detail) log.warn('notification not sent', { ...facts, state })
    this.#complaint = outcome.kind === 'delivered' ? null : detail
  }
}
