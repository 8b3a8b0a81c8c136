/** How a convergence comes along, told to whoever waits for it. Called for every batch of items: it is cheap and never throws. */
import type { Report } from '../model/report.ts'
import type { AnyTarget } from './target.ts'

export interface ConvergeProgress {
  /** What is to be worked on, in the order of work, before the first of it begins. A second call adds to the first. */
  expects(targets: readonly Pick<AnyTarget, 'name' | 'key'>[]): void
  of(key: string): KeyProgress
}

/** One key. A pass that is overtaken by a newer release looks and begins to write again. */
export interface KeyProgress {
  looks(): void
  /** @param items how many differences are about to be applied */
  writes(items: number): void
  /** So many more of them were applied. */
  wrote(items: number): void
  ended(report: Report): void
}

/** Several callers may wait for the same pass. */
export const toAll = (waiting: readonly KeyProgress[]): KeyProgress => ({
  looks: () => waiting.forEach((one) => one.looks()),
  writes: (items) => waiting.forEach((one) => one.writes(items)),
  wrote: (items) => waiting.forEach((one) => one.wrote(items)),
  ended: (report) => waiting.forEach((one) => one.ended(report)),
})
