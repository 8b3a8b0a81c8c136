/**
 * Which key is worked on next. Keys only: an event says *look*, never what to do.
 *
 * A key that is added twice waits once, with the higher priority and the earlier time. A key that is added while it is
 * being worked on runs once more afterwards. One that waited longer than `STARVED_MS` goes before everything.
 */
import type { Instant, Milliseconds } from '../kernel/clock.ts'

export const PRIORITY = { asked: 0, hinted: -10, retried: -50, resynced: -100 } as const
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY]

export const STARVED_MS: Milliseconds = 600_000

/** What is held waits no longer than this, however many deploys follow one another. */
export const MAX_HELD_MS: Milliseconds = 15_000

interface Waiting {
  readonly key: string
  priority: number
  ready_at: Instant
}

/** A key to work on, and how long it was due before its turn came. */
export interface Taken {
  readonly key: string
  readonly waited_ms: Milliseconds
}

export class KeyQueue {
  /** In the order in which they came. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #running = new Set<string>()
  /** How many hold each key. */
  readonly #held = new Map<string, number>()
  #last_now: Instant = 0

  /** Asks for a look at `ready_at`; what already waits for the key is only ever brought forward. */
  add(key: string, priority: Priority, ready_at: Instant): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) {
      this.#waiting.set(key, { key, priority, ready_at })
      return
    }
    waiting.priority = Math.max(waiting.priority, priority)
    waiting.ready_at = Math.min(waiting.ready_at, ready_at)
  }

  /** Until `letGo` only callers have the key worked on, or who has waited `MAX_HELD_MS`. Several may hold it. */
  hold(key: string): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
  }

  letGo(key: string): void {
    const left = (this.#held.get(key) ?? 0) - 1
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
  }

  /** From when it may be taken; null while it is being worked on. */
  #freeAt({ key, priority, ready_at }: Waiting): Instant | null {
    if (this.#running.has(key)) return null
    return priority !== PRIORITY.asked && this.#held.has(key) ? ready_at + MAX_HELD_MS : ready_at
  }

  /** The key is no longer to be looked at; one that is worked on still owes its `done`. */
  drop(key: string): void {
    this.#waiting.delete(key)
  }

  /** Takes the best key that is due and not being worked on, or null. The caller owes a `done`. */
  take(now: Instant): Taken | null {
    this.#follow(now)
    let best: Waiting | null = null
    for (const waiting of this.#waiting.values()) {
      const free_at = this.#freeAt(waiting)
      if (free_at === null || free_at > now) continue
      if (best === null || goesBefore(waiting, best, now)) best = waiting
    }
    if (best === null) return null
    this.#waiting.delete(best.key)
    this.#running.add(best.key)
    return { key: best.key, waited_ms: now - best.ready_at }
  }

  done(key: string): void {
    this.#running.delete(key)
  }

  /** When the next key that could be taken is due, or null when none waits. */
  nextDue(): Instant | null {
    let due: Instant | null = null
    for (const waiting of this.#waiting.values()) {
      const free_at = this.#freeAt(waiting)
      if (free_at !== null && (due === null || free_at < due)) due = free_at
    }
    return due
  }

  /** When the key is due; null when it does not wait, and while it is being worked on, whatever comes after. */
  dueAt(key: string): Instant | null {
    return this.#running.has(key) ? null : (this.#waiting.get(key)?.ready_at ?? null)
  }

  /** The wall clock was set back: what waits keeps its distance, or nothing would be looked at until it has caught up. */
  #follow(now: Instant): void {
    const back_ms = this.#last_now - now
    this.#last_now = now
    if (back_ms <= 0) return
    for (const waiting of this.#waiting.values()) waiting.ready_at -= back_ms
  }

  /** How many keys are due, and for how long the oldest of them has been. */
  depth(now: Instant): { due: number; oldest_ms: Milliseconds } {
    const due = [...this.#waiting.values()].filter((waiting) => waiting.ready_at <= now)
    return { due: due.length, oldest_ms: Math.max(0, ...due.map((waiting) => now - waiting.ready_at)) }
  }
}

/** By priority, then by due time. Of two alike neither does, so the one that came first stays. */
function goesBefore(a: Waiting, b: Waiting, now: Instant): boolean {
  const rank = (waiting: Waiting) =>
    now - waiting.ready_at > STARVED_MS ? PRIORITY.asked + 1 : waiting.priority
  return rank(a) === rank(b) ? a.ready_at < b.ready_at : rank(a) > rank(b)
}
