/**
 * Looks, remembers, and puts together what each channel is to be told. What it decides is durable before anybody sends it.
 *
 * A channel has at most one message on its way. What happens meanwhile waits for the next one, which then says how it is.
 */
import { randomUUID } from 'node:crypto'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Loop } from '../../kernel/async/loop.ts'
import type { Notifier } from './channels/notifier.ts'
import { type Delivery, type Noticed, notificationRecords } from './records.ts'
import type { StoreReader } from '../../ports/store.ts'
import { age, type Digest, digestFor, GATHERED_MS, remember } from './decide.ts'
import type { NotificationParts } from './parts.ts'
import { messageOf } from './message.ts'
import { observe } from './observe.ts'
import type { Observation } from './observation.ts'

const LOOK_EVERY_MS: Milliseconds = 10_000
const MAX_GAP_MS: Milliseconds = 60_000
const MIN_BETWEEN_MS: Milliseconds = 500
/** After a refusal, or when a day of tries was in vain. A restart tries at once: something may have been set right. */
const REST_MS: Milliseconds = 3_600_000
const KEPT_MS: Milliseconds = 30 * 24 * 3_600_000

export class NotificationWatch {
  readonly #parts: NotificationParts
  readonly #owed: () => void
  readonly #began_at: Instant
  readonly #loop: Loop
  #looked_at: Instant | null = null
  #last: Observed | null = null
  #awake_since: Instant

  /** @param owed is called when there is a message to send */
  constructor(parts: NotificationParts, owed: () => void) {
    this.#parts = parts
    this.#owed = owed
    this.#began_at = parts.clock.now()
    this.#awake_since = this.#began_at
    this.#loop = new Loop({
      clock: parts.clock,
      least_ms: MIN_BETWEEN_MS,
      failed: (error) => parts.log.warn('troubles not looked at', { error }),
      round: async (signal) => {
        await this.look(signal)
        return LOOK_EVERY_MS
      },
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(grace_ms: Milliseconds): Promise<void> {
    return this.#loop.stop({ grace_ms })
  }

  /** Something may have changed. */
  changed(): void {
    this.#loop.wake()
  }

  /** Since when there was no gap that only a host that slept, or a clock that was set, explains. */
  awakeSince(now: Instant): Instant {
    const gap_ms = this.#looked_at === null ? 0 : age(this.#looked_at, now)
    return gap_ms > MAX_GAP_MS ? now : this.#awake_since
  }

  /** What the last look has found, however old; null before the first. */
  get last(): Observed | null {
    return this.#last
  }

  /** One look. Writes only where something changed that somebody is to be told. */
  async look(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts
    const now = clock.now()
    this.#awake_since = this.awakeSince(now)
    this.#looked_at = now
    const observation = await observe(this.#parts, { now, awake_since: this.#awake_since }, signal)
    this.#last = { observation, at: now }
    if (this.#parts.notifiers.length === 0) return
    if (!hasChanges(await this.#decide(store, observation, now))) return
    // Decided again from what is there then: a message may have arrived meanwhile.
    const owes = await store.write(async (tx) => {
      const { changed, forgotten, deliveries } = await this.#decide(tx, observation, now)
      await tx.of(notificationRecords).saveNoticed(changed)
      await tx.of(notificationRecords).forgetNoticed(forgotten)
      for (const delivery of deliveries) await tx.of(notificationRecords).saveDelivery(delivery)
      if (deliveries.length > 0) await tx.of(notificationRecords).forgetDeliveries(now - KEPT_MS)
      return deliveries.length > 0
    })
    if (owes) this.#owed()
  }

  async #decide(reader: StoreReader, observation: Observation, now: Instant): Promise<Decided> {
    const before = await reader.of(notificationRecords).noticedAlerts()
    const owed = await reader.of(notificationRecords).owedDeliveries()
    const on_their_way = new Set(owed.flatMap(({ tells }) => tells.map(({ id }) => id)))
    const rows = remember(before, observation, { now, on_their_way })
    const known = new Set(before)
    const kept = new Set(rows.map(({ alert }) => alert.id))
    const deliveries: Delivery[] = []
    const busy = new Set(owed.map(({ channel }) => channel))
    for (const notifier of this.#parts.notifiers.filter(({ name }) => !busy.has(name))) {
      const delivery = await this.#deliveryFor(notifier, reader, { rows, observation, now })
      if (delivery !== null) deliveries.push(delivery)
    }
    return {
      changed: rows.filter((row) => !known.has(row)),
      forgotten: before.flatMap(({ alert }) => (kept.has(alert.id) ? [] : alert.id)),
      deliveries,
    }
  }

  async #deliveryFor(
    { name: channel, tells = () => true, gathers_ms = GATHERED_MS }: Notifier,
    reader: StoreReader,
    { rows, observation, now }: { rows: readonly Noticed[]; observation: Observation; now: Instant },
  ): Promise<Delivery | null> {
    const { repeat_ms } = this.#parts.policy
    const own = rows.filter(({ alert }) => tells(alert))
    const digest = digestFor(own, observation, { channel, now, repeat_ms, gathers_ms })
    if (digest === null || !this.#mayBegin(await reader.of(notificationRecords).latestDelivery(channel), now))
      return null
    return owedDelivery(channel, digest, { at: now, source: this.#parts.source() })
  }

  #mayBegin(last: Delivery | null, now: Instant): boolean {
    if (last === null) return true
    if (age(last.created_at, now) < GATHERED_MS) return false
    if (last.state === 'sent' || last.ended_at! < this.#began_at) return true
    return age(last.ended_at!, now) >= REST_MS
  }
}

const UNSENT = { state: 'owed', attempts: 0, detail: null, ended_at: null } as const

function owedDelivery(
  channel: string,
  digest: Digest,
  { at, source }: { readonly at: Instant; readonly source: string },
): Delivery {
  const id = randomUUID()
  return {
    id,
    channel,
    message: messageOf(digest, { id, at, source }),
    tells: [...digest.news, ...digest.still].map(({ id: alert_id, severity }) => ({
      id: alert_id,
      severity,
    })),
    ends: digest.over.map(({ alert }) => alert.id),
    ...UNSENT,
    next_try_at: at,
    created_at: at,
  }
}

export interface Observed {
  readonly observation: Observation
  readonly at: Instant
}

interface Decided {
  readonly changed: readonly Noticed[]
  readonly forgotten: readonly string[]
  readonly deliveries: readonly Delivery[]
}

const hasChanges = ({ changed, forgotten, deliveries }: Decided): boolean =>
  changed.length + forgotten.length + deliveries.length > 0
