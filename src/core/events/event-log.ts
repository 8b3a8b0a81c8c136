/**
 * The trail of events: written in order, kept to the newest 5,000, and read again by everybody who listens.
 *
 * Listeners are told *that* there is something, never what: each reads on from the number it has seen. So a stream has
 * no gap and no duplicate, whether it was connected or not, and a slow one costs nothing but its place.
 */
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Merger } from '../../kernel/async/burst-merger.ts'
import { eventOf } from '../../engine/pass/report-event.ts'
import type { EventKind, HintKind } from '../../model/event.ts'
import type { Outcome, Report } from '../../model/report.ts'
import type { NewEvent, StoredEvent } from '../../ports/records/trails.ts'
import type { Store } from '../../ports/store.ts'

const KEPT = 5000
/** Trimming walks over all that are kept, so it is not done for every single one. */
const TRIM_EVERY = 50
/** Waiting for a store that cannot write; beyond this the oldest are given up. */
const MAX_WAITING = 1000
const SCAN_PAGE = 1000
/** Hints that a slow listener may be behind; beyond this it is told that it has missed some. */
const MAX_HINTS = 256

export interface EventLogParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** Told once, and not kept: it has no number in the trail. */
export interface Hint extends Omit<NewEvent, 'kind'> {
  readonly number: number
  readonly kind: HintKind
}

export class EventLog {
  readonly #parts: EventLogParts
  readonly #merger = new Merger()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #listeners = new Set<() => void>()
  readonly #hints: Hint[] = []
  #hinted = 0
  #waiting: NewEvent[] = []
  #writing: Promise<void> | null = null
  #untrimmed = TRIM_EVERY
  #newest = 0
  #ended = false

  constructor(parts: EventLogParts) {
    this.#parts = parts
  }

  /** Remembers what failed when the process ended, so that its recovery is told. */
  async prepare(): Promise<void> {
    for (const { key } of await this.#parts.store.attempts()) this.#outcomes.set(key, 'failed')
  }

  /** Writes the event soon; not to be called inside a transaction. Never throws: an event that cannot be kept is logged, and what it tells of happened all the same. */
  note(kind: EventKind, message: string, facts: NewEvent['facts'] = {}): void {
    this.#waiting.push({ at: this.#parts.clock.now(), kind, message, facts })
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    this.#writing ??= this.#write()
  }

  /** Tells whoever listens now, at once, and keeps nothing. */
  hint(kind: HintKind, message: string, facts: NewEvent['facts'] = {}): void {
    this.#hints.push({ number: ++this.#hinted, at: this.#parts.clock.now(), kind, message, facts })
    if (this.#hints.length > MAX_HINTS) this.#hints.shift()
    this.#tell()
  }

  /** Of the newest hint; 0 before the first. */
  get hinted(): number {
    return this.#hinted
  }

  /** Oldest first; the first one has a higher number than the next where some are not there any more. */
  hintsAfter(number: number): readonly Hint[] {
    return this.#hints.filter((hint) => hint.number > number)
  }

  /** Somebody would hear a hint. */
  get has_listeners(): boolean {
    return this.#listeners.size > 0
  }

  /** Tells of a pass where it is worth telling. */
  report(report: Report): void {
    const event = eventOf(report, this.#outcomes.get(report.key) ?? null)
    this.#outcomes.set(report.key, report.outcome)
    if (event === null) return
    const { kind, message, facts, merge_as } = event
    const merged = merge_as === null ? 0 : this.#merger.admit(merge_as, this.#parts.clock.elapsed())
    if (merged === null) return
    this.note(kind, message, merged === 0 ? facts : { ...facts, merged })
  }

  /** Somebody's transaction added an event and is durable. */
  added(): void {
    this.#untrimmed++
    this.#tell()
  }

  /** Oldest first. */
  after(id: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#parts.store.eventsAfter(id, limit)
  }

  /** The number of the newest event, 0 before the first. */
  async newest(): Promise<number> {
    for (;;) {
      const page = await this.after(this.#newest, SCAN_PAGE)
      if (page.length === 0) return this.#newest
      this.#newest = Math.max(this.#newest, page.at(-1)!.id)
    }
  }

  /** True once nothing more will be told: listeners read what is left and go. */
  get ended(): boolean {
    return this.#ended
  }

  /** Calls `listener` whenever there may be something new, and at the end. The answer takes it away again. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Waits until what was noted is written, at most `grace_ms`, and tells the listeners that nothing more will be
   * told. What is noted later is still kept; a second call waits for it.
   */
  async end(grace_ms: Milliseconds): Promise<void> {
    await waitAtMost(this.#writing, grace_ms)
    this.#ended = true
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  /** One writer at a time, which takes everything that has come meanwhile: order is kept and commits are shared. */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch()
    this.#writing = null
  }

  async #writeBatch(): Promise<void> {
    const { store, log } = this.#parts
    const batch = this.#waiting.splice(0)
    this.#untrimmed += batch.length
    const trims = this.#untrimmed >= TRIM_EVERY
    if (trims) this.#untrimmed = 0
    try {
      await store.write(async (tx) => {
        for (const event of batch) await tx.addEvent(event)
        if (trims) await tx.trimEvents(KEPT)
      })
      this.#tell()
    } catch (error) {
      log.warn('events not kept', { kinds: batch.map(({ kind }) => kind), error })
    }
  }
}
