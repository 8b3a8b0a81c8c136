/** How a convergence comes along, told to whoever waits for it. Called for every batch of items: it is cheap and never throws. */
import { type Report, type ReportedItem, reportFor } from '../model/report.ts'
import { isTheirs, type Whose } from '../model/whose.ts'
import type { AnyTarget } from './target.ts'

export interface ConvergeProgress {
  /** What is to be worked on, in the order of work, before the first of it begins. A second call adds to the first. */
  expects(targets: readonly Pick<AnyTarget, 'name' | 'key'>[]): void
  of(key: string): KeyProgress
  /** What is proven after the work, such as that the proxy runs it, begins now. The answer is called once, with its end. */
  proves(name: string): (end: ProofEnd) => void
}

export interface ProofEnd {
  /** `unfinished`: it could not be told. */
  readonly state: 'done' | 'failed' | 'unfinished'
  /** A sentence; null where there is nothing to say. */
  readonly message: string | null
}

/** One key, as far as it is about the records that are asked for. A pass that is overtaken by a newer release looks and begins to write again. */
export interface KeyProgress {
  looks(): void
  /** @param items how many differences are about to be applied */
  writes(items: number): void
  /** So many more of them were applied. */
  wrote(items: number): void
  ended(report: Report): void
  /** Nobody works on it any more: by a later release nothing is left to do there. */
  left(): void
}

/** What a pass tells: whose each of its differences is. */
export interface PassProgress {
  looks(): void
  writes(items: readonly Concerned[]): void
  wrote(items: readonly Concerned[]): void
  ended(report: Report): void
}

/** No record: the key as a whole. */
export type Concerned = Partial<Pick<ReportedItem, 'domain_ids'>>

interface Waiting {
  readonly progress: KeyProgress | undefined
  /** The records that are asked for. */
  readonly records: Whose
}

/** Several callers may wait for the same pass, each for records of its own. */
export const toAll = (waiting: readonly Waiting[]): PassProgress => ({
  looks: () => waiting.forEach(({ progress }) => progress?.looks()),
  writes: (items) => waiting.forEach((one) => one.progress?.writes(countFor(one, items))),
  wrote: (items) => waiting.forEach((one) => one.progress?.wrote(countFor(one, items))),
  ended: (report) => waiting.forEach(({ progress, records }) => progress?.ended(reportFor(report, records))),
})

const countFor = ({ records }: Waiting, items: readonly Concerned[]): number =>
  items.filter(({ domain_ids }) => isTheirs(records, domain_ids)).length
