/** Measuring in one run: both sides in turn, the median, and the ratio pair by pair. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Row {
  readonly goal: string
  readonly figure: string
  readonly limit: string
  readonly ok: boolean
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in use without garbage. */
export function freed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Milliseconds that one run takes. It begins without garbage: what one side leaves behind is not charged to the other. */
export async function timed(work: () => unknown): Promise<number> {
  collectGarbage()
  const started = performance.now()
  await work()
  return performance.now() - started
}

export interface Pair {
  readonly ours_ms: number
  readonly theirs_ms: number
  /** Median of theirs / ours over the rounds. */
  readonly times_faster: number
}

export interface Rounds {
  readonly rounds: number
  /** So many runs of ours stand against one of theirs in a round; their mean counts. */
  readonly ours_per_round: number
}

/** Runs both in turn, one uncounted round first. */
export async function paired(
  { rounds, ours_per_round }: Rounds,
  ours: () => unknown,
  theirs: () => unknown,
): Promise<Pair> {
  const oursMany = async () => {
    for (let run = 0; run < ours_per_round; run++) await ours()
  }
  await oursMany()
  await theirs()
  const a: number[] = []
  const b: number[] = []
  for (let round = 0; round < rounds; round++) {
    a.push((await timed(oursMany)) / ours_per_round)
    b.push(await timed(theirs))
  }
  return { ours_ms: median(a), theirs_ms: median(b), times_faster: median(b.map((ms, i) => ms / a[i]!)) }
}

export const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))

/** Prints the table and one machine-readable line per goal; false when a goal was missed. */
export function printRows(rows: readonly Row[]): boolean {
  const line = ({ goal, figure, limit, ok }: Row) =>
    `| ${goal} | ${figure} | ${limit} | ${ok ? 'met' : '**missed**'} |`
  const table = ['| Goal | Measured | Limit | |', '| --- | --- | --- | --- |', ...rows.map(line)]
  process.stdout.write(`\n${table.join('\n')}\n`)
  return rows.every(({ ok }) => ok)
}
