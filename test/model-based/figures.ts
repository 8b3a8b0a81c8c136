/** What was tried, so that a green run says how much it means. */
import type { Fault, Trouble } from './faults.ts'

export class Figures {
  runs = 0
  steps = 0
  checks = 0
  done = 0
  refused = 0
  guarded = 0
  /** Calls that met a fault and were not answered well. */
  failed = 0
  dry_runs = 0
  together = 0
  plans_applied = 0
  plans_refused = 0
  restored = 0
  passes = 0
  contested = 0
  hand_edits = 0
  /** Own writes that could not be recorded and were kept as a stranger's later. */
  mistaken = 0
  starts = 0
  kills = 0
  file_writes = 0
  transactions = 0
  readonly faults = new Map<string, number>()
  /** How many runs took so many passes to converge. */
  readonly converged_after = new Map<number, number>()

  took({ met, written, transactions }: Trouble): void {
    for (const fault of met) add(this.faults, nameOf(fault))
    this.file_writes += written.length
    this.transactions += transactions
  }

  converged(passes: number): void {
    add(this.converged_after, passes)
  }

  print(): string {
    const { faults, converged_after, ...counts } = this
    const sorted = [...faults].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name} ${count}`)
    const all = [...faults.values()].reduce((sum, count) => sum + count, 0)
    return [
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
      `${all} faults met: ${sorted.join(', ')}`,
      `passes to converge: ${[...converged_after].map(([passes, runs]) => `${passes} in ${runs} runs`).join(', ')}`,
    ].join('\n')
  }
}

const nameOf = ({ port, phase, deed }: Fault): string => `${port}:${phase} ${deed.replaceAll(' ', '-')}`

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
