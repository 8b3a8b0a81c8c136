/** How far a call has come that brings the world to a release, in figures and as steps. Pure. */
import { type Instant, type Milliseconds, isoTimeOrNull } from '../../kernel/clock.ts'
import { isGood, type Report } from '../report.ts'

/** From the least advanced on: a component is as far as its least advanced key that still goes on. */
export const PROGRESS_STATES = ['writing', 'looking', 'waiting', 'failed', 'unfinished', 'done'] as const
export type ProgressState = (typeof PROGRESS_STATES)[number]

export interface ComponentProgress {
  readonly name: string
  /** Differences that were applied. */
  readonly done: number
  /** Differences that were found so far: those of a component are known once it has been looked at. */
  readonly total: number
  readonly state: ProgressState
}

export interface ProgressView {
  readonly done: number
  readonly total: number
  /** In the order of work. */
  readonly components: readonly ComponentProgress[]
}

/** One key, or one proof (its component is `proof`), in the order of work. */
export interface StepView {
  readonly component: string
  readonly key: string
  readonly state: ProgressState
  /** RFC 3339; null before it begins. */
  readonly started_at: string | null
  /** Null until it has ended. */
  readonly took_ms: Milliseconds | null
  readonly message: string | null
}

export const PROOF = 'proof'

/** A key as it comes along. */
export interface KeyState extends Timed {
  readonly name: string
  /** Applied by earlier work of the same call. */
  readonly before: number
  state: ProgressState
  done: number
  total: number
}

export interface Timed {
  started_at: Instant | null
  started_ms: Milliseconds
  took_ms: Milliseconds | null
  message: string | null
}

export const UNTIMED: Timed = { started_at: null, started_ms: 0, took_ms: null, message: null }

/** Null before anything is to be brought anywhere. */
export function progressOf(keys: readonly KeyState[]): ProgressView | null {
  if (keys.length === 0) return null
  const components = [...Map.groupBy(keys, ({ name }) => name)].map(componentOf)
  return { ...sumOf(components), components }
}

export const stepOf = ([key, { name, state, started_at, took_ms, message }]: readonly [
  string,
  KeyState,
]): StepView => ({
  component: name,
  key,
  state,
  started_at: isoTimeOrNull(started_at),
  took_ms,
  message,
})

export const endOf = ({ before }: KeyState, report: Report): Pick<KeyState, 'state' | 'done' | 'total'> => ({
  state: isGood(report) ? 'done' : report.outcome === 'left_unfinished' ? 'unfinished' : 'failed',
  done: before + report.repaired,
  total: before + report.differences,
})

const componentOf = ([name, keys]: readonly [string, readonly KeyState[]]): ComponentProgress => ({
  name,
  ...sumOf(keys),
  state: PROGRESS_STATES.find((state) => keys.some((key) => key.state === state))!,
})

const sumOf = (parts: readonly Pick<KeyState, 'done' | 'total'>[]) => ({
  done: parts.reduce((sum, part) => sum + part.done, 0),
  total: parts.reduce((sum, part) => sum + part.total, 0),
})
