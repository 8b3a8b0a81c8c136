/** Many trials: which, how many at once, and the figures that they add up to. */
import { availableParallelism } from 'node:os'
import { type Attempt, attempt, type Bench, type Trial } from './trial.ts'
import { TIER } from '../kit/tier.ts'

/** Every point and every n-th system call instead of a spread sample: minutes instead of seconds. */
export const ALL = TIER === 'nightly'

/** A test's time limit. A bound against a stuck machine, not a measure. */
export const MAX_MS = ALL ? 3_600_000 : 300_000

/** Trials in the order of the attempts; as many at a time as there are processors. */
export const sweep = (bench: Bench, attempts: readonly Attempt[], at_once?: number): Promise<Trial[]> =>
  sideBySide(attempts, (what) => attempt(bench, what), at_once)

/** Results in the order of the items. */
async function sideBySide<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  at_once = availableParallelism(),
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [i, item] of waiting) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return results
}

/**
 * At most `most` of the items, every group served before any is served twice, and evenly spread within each: the first
 * and the last of a group come first.
 */
export function spread<T>(items: readonly T[], most: number, groupOf: (item: T) => string): T[] {
  const groups = Map.groupBy(items, groupOf)
  const queues = [...groups.values()].map(inHalves)
  const chosen: T[] = []
  for (let round = 0; chosen.length < Math.min(most, items.length); round++)
    for (const queue of queues) {
      const next = queue[round]
      if (next !== undefined && chosen.length < most) chosen.push(next)
    }
  return items.filter((item) => chosen.includes(item))
}

/** The ends first, then the middle of every gap, the widest before the narrower. */
function inHalves<T>(items: readonly T[]): T[] {
  const order = [0, items.length - 1]
  for (let step = items.length - 1; step > 1; step /= 2)
    for (let at = step / 2; at < items.length - 1; at += step) order.push(Math.round(at))
  return [...new Set([...order, ...items.keys()])].flatMap((i) => (i in items ? [items[i]!] : []))
}

/** One sentence per trial that broke something, for the assertion that there is none. */
export const complaints = (trials: readonly Trial[]): string[] =>
  trials.flatMap(({ name, broken }) => broken.map((it) => `${name}: ${it.name}: ${it.detail}`))

/** Names of the trials whose fault did not come. */
export const missed = (trials: readonly Trial[]): string[] =>
  trials.flatMap(({ name, came }) => (came ? [] : [name]))

/** Straight out, so that the figures stand in the log of a run that is good. */
export function printFigures(title: string, places: number, trials: readonly Trial[]): void {
  const came = trials.length - missed(trials).length
  const broken = trials.reduce((sum, trial) => sum + trial.broken.length, 0)
  const lost = trials.reduce((sum, trial) => sum + trial.lost, 0)
  process.stdout.write(
    `faults: ${title}: ${places} places, ${trials.length} trials (${came} came, ${trials.length - came} did not), ` +
      `${broken} broken invariants, ${lost} acknowledged steps lost\n`,
  )
}
