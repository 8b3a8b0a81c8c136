/** What the controller keeps of one key. */
import type { Instant } from '../kernel/clock.ts'
import type { Report } from '../model/report.ts'
import type { Whose } from '../model/whose.ts'
import type { KeyProgress } from './progress.ts'
import type { AnyTarget } from './target.ts'

export interface KeyState {
  readonly target: AnyTarget
  report: Report | null
  /** The last look, or glance that showed nothing new. */
  seen_at: Instant | null
  /** Glance and release generation of the last clean look; null when the next tick must look. */
  clean: { readonly glance: string; readonly generation: number; full_look_due: Instant } | null
  asked: Waiter[]
  /** A key that has left and come back meanwhile has a state of its own, which is not. */
  is_running: boolean
  /** How often the world hinted at a change: a look that began before the last hint proves nothing. */
  hints: number
  /** Null while nobody ticks. */
  watch: { close(): void } | null
}

/** Who is told how it comes along, and which records are asked for. */
export interface Asking {
  readonly progress?: KeyProgress | undefined
  readonly records: Whose
}

/** What became of a key for who asked. */
export interface Answered {
  readonly report: Report
  /** Of the pass before, which may have been under way when it was asked for; null where there was none. */
  readonly before: Report | null
}

interface Waiter {
  /** Null where the key has left. */
  readonly resolve: (answered: Answered | null) => void
  readonly reject: (error: unknown) => void
  readonly progress: KeyProgress | undefined
  readonly records: Whose
}

export const newState = (target: AnyTarget): KeyState => ({
  target,
  report: null,
  seen_at: null,
  clean: null,
  asked: [],
  is_running: false,
  hints: 0,
  watch: null,
})

/** The records for which they ask together; null where nobody asks. */
export function askedFor(waiters: readonly Pick<Waiter, 'records'>[]): Whose | null {
  if (waiters.length === 0) return null
  const lists = waiters.flatMap(({ records }) => (records === 'all' ? [] : [records]))
  return lists.length < waiters.length ? 'all' : lists.flat()
}

/** The key left while it was worked on and is back: callers wait for the new state. Answers whether there are any. */
export function handOver({ asked }: KeyState, present: KeyState): boolean {
  const waiters = asked.splice(0)
  present.asked.push(...waiters)
  return waiters.length > 0
}
