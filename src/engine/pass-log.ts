/**
 * What the log tells of how passes end: each change of a key's state, and trouble that lasts once an hour with its count.
 * What a pass did is told by the pass.
 */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Outcome, Report } from '../model/report.ts'

const HOUR_MS: Milliseconds = 3_600_000
/** Other words for the same trouble, such as how far something came, are told no more often. */
const OTHER_WORDS_MS: Milliseconds = 60_000

interface Trouble {
  readonly outcome: Outcome
  readonly code: string | null
  readonly since_ms: Milliseconds
  said: string
  told_ms: Milliseconds
  /** Passes that ended so, from the first. */
  passes: number
}

/** To be called with the report of every pass, in their order. */
export function passLog({
  log,
  clock,
}: {
  readonly log: Log
  readonly clock: Clock
}): (report: Report) => void {
  const troubles = new Map<string, Trouble>()
  return (report) => {
    const { component, key: target, outcome, release, differences, failure, refusals } = report
    const now_ms = clock.elapsed()
    const before = troubles.get(target)
    if (outcome === 'left_unfinished')
      return log.info('under way', { component, target, release, differences, progress: failure?.message })
    if (outcome === 'clean' || outcome === 'repaired') {
      troubles.delete(target)
      if (before !== undefined)
        log.info('recovered', { component, target, release, ...lasted(before, now_ms) })
      return
    }
    const said = failure?.message ?? ''
    const code = failure?.code ?? null
    const lasts = before !== undefined && before.outcome === outcome && before.code === code
    const trouble = lasts ? before : { outcome, code, since_ms: now_ms, said, told_ms: now_ms, passes: 0 }
    trouble.passes++
    troubles.set(target, trouble)
    const silent_ms = now_ms - trouble.told_ms
    if (lasts && silent_ms < (trouble.said === said ? HOUR_MS : OTHER_WORDS_MS)) return
    trouble.said = said
    trouble.told_ms = now_ms
    const items = refusals.slice(0, MOST_ITEMS).map(({ item }) => item)
    log.warn(LEFT.has(outcome) ? 'left alone' : 'pass did not succeed', {
      component,
      target,
      release,
      outcome,
      differences,
      ...(items.length === 0 ? {} : { items }),
      ...(failure === null ? {} : { code, reason: said }),
      ...(lasts ? lasted(trouble, now_ms) : before === undefined ? {} : { was: before.outcome }),
    })
  }
}

const MOST_ITEMS = 20
const LEFT: ReadonlySet<Outcome> = new Set(['left_drifting', 'suspended'])

const lasted = ({ outcome, since_ms, passes }: Trouble, now_ms: Milliseconds) => ({
  was: outcome,
  passes,
  lasted_ms: Math.round(now_ms - since_ms),
})
