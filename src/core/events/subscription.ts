/**
 * One listener's place in the trail: what comes after the last event it has seen, as soon as there is any.
 *
 * The place only moves forward by what was handed out, so nothing is skipped or told twice. Where the trail was trimmed
 * under a slow listener, it is told which numbers it cannot have.
 */
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { EventKind, HintKind } from '../../model/event.ts'
import type { StoredEvent } from '../../ports/records/trails.ts'
import type { EventLog, Hint } from './event-log.ts'

/** Small, because a slow listener holds one page in memory. */
const PAGE = 25

export interface EventView {
  readonly id: number
  /** RFC 3339. */
  readonly at: string
  readonly kind: EventKind
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

export const eventView = ({ id, at, kind, message, facts }: StoredEvent): EventView => ({
  id,
  at: isoTime(at),
  kind: kind as EventKind,
  message,
  facts,
})

/** Without a number: it is not in the trail. */
export interface HintView extends Omit<EventView, 'id' | 'kind'> {
  readonly kind: HintKind
}

const hintView = ({ at, kind, message, facts }: Hint): HintView => ({ at: isoTime(at), kind, message, facts })

export type SubscriptionStep =
  | {
      readonly kind: 'events'
      readonly events: readonly EventView[]
      readonly hints: readonly HintView[]
      readonly missed: Missed | null
    }
  /** Nothing came within `max_wait_ms`. */
  | { readonly kind: 'quiet' }
  /** Nothing more will come. */
  | { readonly kind: 'end' }

/** Events between these two numbers are no longer kept; where both are the same, hints were not taken in time. */
export interface Missed {
  readonly after: number
  readonly next: number
}

export class Subscription {
  readonly #log: EventLog
  readonly #kinds: ReadonlySet<string> | null
  #seen: number
  #hinted: number

  private constructor(log: EventLog, seen: number, kinds: ReadonlySet<string> | null) {
    this.#log = log
    this.#seen = seen
    this.#hinted = log.hinted
    this.#kinds = kinds
  }

  /**
   * Goes on after that event, or begins with the next one (null). A number that was never given (a database restored
   * from a backup counts anew) begins at the oldest that is kept: told again is better than not told.
   * @param kinds that are handed out; null for all
   */
  static async begin(
    log: EventLog,
    after: number | null,
    kinds: ReadonlySet<string> | null = null,
  ): Promise<Subscription> {
    if (after === null) return new Subscription(log, await log.newest(), kinds)
    const known = after === 0 || (await log.after(after - 1, 1)).length > 0
    return new Subscription(log, known ? after : 0, kinds)
  }

  /** Number of the last event that was handed out, or passed over for its kind. */
  get seen(): number {
    return this.#seen
  }

  /** Waits for what comes next, at most `max_wait_ms`. An aborted signal is the end. */
  async next(max_wait_ms: Milliseconds, signal: AbortSignal): Promise<SubscriptionStep> {
    const waiting = waitFor(this.#log, max_wait_ms, signal)
    try {
      for (;;) {
        const ended = this.#log.ended
        const page = signal.aborted ? [] : await this.#log.after(this.#seen, PAGE)
        const hints = signal.aborted ? [] : this.#log.hintsAfter(this.#hinted)
        const step = this.#take(page, hints)
        if (step.events.length + step.hints.length > 0 || step.missed !== null) return step
        if (page.length > 0) continue
        if (ended || signal.aborted) return { kind: 'end' }
        if ((await waiting.nextChange()) === 'quiet') return { kind: 'quiet' }
      }
    } finally {
      waiting.close()
    }
  }

  #take(page: readonly StoredEvent[], hints: readonly Hint[]) {
    const after = this.#seen
    const next = page[0]?.id ?? after
    const is_behind = hints.length > 0 && hints[0]!.number > this.#hinted + 1
    this.#seen = page.at(-1)?.id ?? after
    this.#hinted = hints.at(-1)?.number ?? this.#hinted
    const isWanted = ({ kind }: { readonly kind: string }) => this.#kinds?.has(kind) ?? true
    return {
      kind: 'events' as const,
      events: page.filter(isWanted).map(eventView),
      hints: hints.filter(isWanted).map(hintView),
      missed: (after > 0 && next > after + 1) || is_behind ? { after, next } : null,
    }
  }
}

interface Waiting {
  /** Resolves as soon as something has changed since the last call, or when `max_wait_ms` is over. */
  nextChange(): Promise<'changed' | 'quiet'>
  close(): void
}

/** Listens from the start, so that what is added between a look and the wait is not missed. */
function waitFor(log: EventLog, max_wait_ms: Milliseconds, signal: AbortSignal): Waiting {
  let state: 'changed' | 'quiet' | null = null
  let wake = (): void => undefined
  const become = (now: 'changed' | 'quiet') => () => {
    state = now
    wake()
  }
  const changed = become('changed')
  const stopListening = log.onChange(changed)
  const timer = setTimeout(become('quiet'), max_wait_ms)
  signal.addEventListener('abort', changed, { once: true })
  return {
    async nextChange() {
      if (state === null) await new Promise<void>((resolve) => (wake = resolve))
      const was = state!
      if (was === 'changed') state = null
      return was
    },
    close() {
      stopListening()
      clearTimeout(timer)
      signal.removeEventListener('abort', changed)
    },
  }
}
