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
  /** What a glance stamps may have changed while it was worked on. */
  heard: boolean
  /** The glance when the last look of a pass began that failed; null where there is no telling, and where none failed. */
  failed_at_glance: string | null
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
  heard: false,
  failed_at_glance: null,
  watch: null,
})

/** What stood before a pass looked. */
export interface Seen {
  readonly glance: string | null
  readonly generation: number
  readonly hints: number
}

/** Keeps how a pass ended, and whether a glance does until the next full look. */
export function noteEnd(
  state: KeyState,
  report: Report,
  { seen, now }: { readonly seen: Seen; readonly now: Instant },
): void {
  const { target } = state
  state.report = report
  if (report.outcome !== 'suspended') state.seen_at = report.observed_at
  const trusted = report.failure === null && report.outcome !== 'left_drifting' && seen.hints === state.hints
  const glance = report.outcome === 'repaired' ? target.glance() : seen.glance
  const full_look_due = now + target.full_look_every_ms
  state.clean = trusted && glance !== null ? { glance, generation: seen.generation, full_look_due } : null
}

/** A glance shows the world and the release of the last clean look, which is not too long ago. */
export const nothingNew = ({ clean, target }: KeyState, generation: number, now: Instant): boolean =>
  clean !== null &&
  clean.generation === generation &&
  now < clean.full_look_due &&
  clean.full_look_due - now <= target.full_look_every_ms &&
  target.glance() === clean.glance

/**
 * The pass failed and has seen all that a hint could mean: its own writes are hinted at, too, and would be a reason to try
 * again at once, for ever.
 */
export const hasSeenAll = ({ failed_at_glance, target }: KeyState): boolean =>
  failed_at_glance !== null && target.glance() === failed_at_glance

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
