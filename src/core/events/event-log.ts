/**
 * The trail of events: written in order, kept to the newest 5,000, and read again by everybody who listens.
 *
 * Listeners are told *that* there is something, never what: each reads on from the number it has seen. So a stream has
 * no gap and no duplicate, whether it was connected or not, and a slow one costs nothing but its place.
 */
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { passWords, recoveredWords } from '../../engine/pass/pass-words.ts'
import type { EventKind } from '../../model/event.ts'
import type { Outcome, Report } from '../../model/report.ts'
import type { NewEvent, StoredEvent } from '../../ports/records/trails.ts'
import type { Store } from '../../ports/store.ts'

const KEPT = 5000
/** Trimming walks over all that are kept, so it is not done for every single one. */
const TRIM_EVERY = 50
/** Waiting for a store that cannot write; beyond this the oldest are given up. */
const MAX_WAITING = 1000
const SCAN_PAGE = 1000

export interface EventLogParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

export class EventLog {
  readonly #parts: EventLogParts
  readonly #merger = new Merger()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #listeners = new Set<() => void>()
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

// Keeps a key that fails again and again from drowning everything else: a burst, then now and then one that counts the rest.

export const BURST = 25
export const THEN_EVERY_MS: Milliseconds = 5 * 60_000

interface Bucket {
  /** How many may still pass, with the part of the next one that has grown back. */
  left: number
  at: Milliseconds
  merged: number
}

/** A bucket per name; names come from keys, kinds and codes, so there are few. */
export class Merger {
  readonly #buckets = new Map<string, Bucket>()

  /**
   * How many were held back since the last that passed, or null when this one is held back, too.
   * @param now monotonic
   */
  admit(name: string, now: Milliseconds): number | null {
    const bucket = this.#buckets.get(name) ?? { left: BURST, at: now, merged: 0 }
    this.#buckets.set(name, bucket)
    bucket.left = Math.min(BURST, bucket.left + (now - bucket.at) / THEN_EVERY_MS)
    bucket.at = now
    if (bucket.left < 1) {
      bucket.merged++
      return null
    }
    const { merged } = bucket
    bucket.left--
    bucket.merged = 0
    return merged
  }
}

// Which event a pass is worth. Pure. What a component is in (`drift`, `suspended`) is told when it begins; what goes
// wrong is told each time and merged later; the end of either is told always.
//
// | pass                       | after a good one | after trouble          |
// |----------------------------|------------------|------------------------|
// | clean                      | nothing          | recovered              |
// | repaired                   | repaired         | recovered              |
// | left_drifting, suspended   | that             | that, unless it was so |
// | refused, failed, unknown   | that, merged     | that, merged           |
// | left_unfinished            | nothing          | nothing                |

interface ReportEvent {
  readonly kind: EventKind
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
  /** Events with one name are merged when there are too many of them; null for one that always passes. */
  readonly merge_as: string | null
}

const EVENT_KIND: Readonly<Partial<Record<Outcome, EventKind>>> = {
  left_drifting: 'drift',
  suspended: 'suspended',
  refused: 'refused',
  failed: 'failed',
  unknown: 'unreadable',
}
const LASTING: readonly Outcome[] = ['left_drifting', 'suspended']

/** @param before the outcome of the pass before, or null when this is the first that is known of. */
export function eventOf(report: Report, before: Outcome | null): ReportEvent | null {
  const { outcome } = report
  const event_kind = EVENT_KIND[outcome]
  const had_failed = before !== null && EVENT_KIND[before] !== undefined
  if (event_kind !== undefined)
    return LASTING.includes(outcome) && outcome === before ? null : eventFor(report, event_kind)
  if (outcome === 'left_unfinished') return null
  if (had_failed) return { ...eventFor(report, 'recovered'), message: recoveredWords(report), merge_as: null }
  return outcome === 'repaired' ? eventFor(report, 'repaired') : null
}

function eventFor(report: Report, kind: EventKind): ReportEvent {
  const { component, key, outcome, differences, repaired, release, failure } = report
  const code = failure?.code ?? null
  return {
    kind,
    message: passWords(report),
    facts: { component, key, outcome, release, differences, repaired, code },
    merge_as: `${key} ${kind} ${code ?? ''}`,
  }
}
