/** What the controller keeps of one key. */
import type { Instant } from '../kernel/clock.ts'
import type { Report } from '../model/report.ts'
import type { AnyTarget } from './target.ts'

export interface KeyState {
  readonly target: AnyTarget
  report: Report | null
  /** The last look, or glance that showed nothing new. */
  seen_at: Instant | null
  /** Glance and release generation of the last clean look; null when the next tick must look. */
  clean: { readonly glance: string; readonly generation: number; readonly full_look_due: Instant } | null
  asked: Waiter[]
  /** How often the world hinted at a change: a look that began before the last hint proves nothing. */
  hints: number
  /** Null while nobody ticks. */
  watch: { close(): void } | null
}

interface Waiter {
  readonly resolve: (report: Report) => void
  readonly reject: (error: unknown) => void
}

export const newState = (target: AnyTarget): KeyState => ({
  target,
  report: null,
  seen_at: null,
  clean: null,
  asked: [],
  hints: 0,
  watch: null,
})
