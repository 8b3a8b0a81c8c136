/**
 * How far a call has come that brings the world to a release. It lives in memory alone: a write to the database for every
 * record would cost more than the record, and once the call has ended its answer says what was done.
 */
import type { ConvergeProgress, KeyProgress } from '../../engine/progress.ts'
import type { Report } from '../../model/report.ts'
import { isGood } from '../../model/report.ts'

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

interface Key {
  readonly name: string
  /** Applied by earlier work of the same call. */
  readonly before: number
  state: ProgressState
  done: number
  total: number
}

export class OperationProgress implements ConvergeProgress {
  readonly #keys = new Map<string, Key>()

  expects(targets: readonly { readonly name: string; readonly key: string }[]): void {
    for (const { name, key } of targets) {
      const before = this.#keys.get(key)?.done ?? 0
      this.#keys.set(key, { name, before, state: 'waiting', done: before, total: before })
    }
  }

  of(key: string): KeyProgress {
    const set = (change: (one: Key) => void) => {
      const one = this.#keys.get(key)
      if (one !== undefined) change(one)
    }
    return {
      looks: () => set((one) => (one.state = 'looking')),
      writes: (items) =>
        set((one) => Object.assign(one, { state: 'writing', done: one.before, total: one.before + items })),
      wrote: (items) => set((one) => (one.done = Math.min(one.total, one.done + items))),
      ended: (report) => set((one) => Object.assign(one, endOf(one, report))),
    }
  }

  /** Null before anything is to be brought anywhere. */
  view(): ProgressView | null {
    if (this.#keys.size === 0) return null
    const components = [...Map.groupBy(this.#keys.values(), ({ name }) => name)].map(componentOf)
    return { ...sumOf(components), components }
  }
}

const endOf = ({ before }: Key, report: Report): Omit<Key, 'name' | 'before'> => ({
  state: isGood(report) ? 'done' : report.outcome === 'left_unfinished' ? 'unfinished' : 'failed',
  done: before + report.repaired,
  total: before + report.differences,
})

const componentOf = ([name, keys]: readonly [string, readonly Key[]]): ComponentProgress => ({
  name,
  ...sumOf(keys),
  state: PROGRESS_STATES.find((state) => keys.some((key) => key.state === state))!,
})

const sumOf = (parts: readonly Pick<Key, 'done' | 'total'>[]) => ({
  done: parts.reduce((sum, part) => sum + part.done, 0),
  total: parts.reduce((sum, part) => sum + part.total, 0),
})
