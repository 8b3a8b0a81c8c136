/**
 * What the log tells of how passes end: each change of a key's state, and trouble that lasts once an hour with its count.
 * What a pass did is told by the pass.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Outcome, Report } from '../../model/report.ts'

const HOUR_MS: Milliseconds = 3_600_000
/** Other words for the same trouble, such as how far something came, and more of it, are told no more often. */
const OTHER_WORDS_MS: Milliseconds = 60_000

interface FailureStreak {
  readonly outcome: Outcome
  readonly code: string | null
  readonly since_ms: Milliseconds
  /** What is in trouble, and how much of it. */
  extent: { readonly items: string; readonly differences: number }
  said: string
  reported_ms: Milliseconds
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
  const streaks = new Map<string, FailureStreak>()
  return (report) => {
    const { component, key: target, outcome, release, differences, failure, refusals } = report
    const now_ms = clock.elapsed()
    const before = streaks.get(target)
    if (outcome === 'left_unfinished')
      return log.info('under way', { component, target, release, differences, progress: failure?.message })
    if (outcome === 'clean' || outcome === 'repaired') {
      streaks.delete(target)
      if (before !== undefined)
        log.info('recovered', { component, target, release, ...lasted(before, now_ms) })
      return
    }
    const said = failure?.message ?? ''
    const code = failure?.code ?? null
    const extent = { items: refusals.map(({ item }) => item).join('\n'), differences }
    const lasts = before !== undefined && before.outcome === outcome && before.code === code
    const begun = { outcome, code, since_ms: now_ms, extent, said, reported_ms: now_ms, passes: 0 }
    const streak = lasts ? before : begun
    streak.passes++
    streaks.set(target, streak)
    const silent_ms = now_ms - streak.reported_ms
    const spreads = extent.items !== streak.extent.items || differences > streak.extent.differences
    const is_same = streak.said === said && !spreads
    if (lasts && silent_ms < (is_same ? HOUR_MS : OTHER_WORDS_MS)) return
    Object.assign(streak, { extent, said, reported_ms: now_ms })
    const items = refusals.slice(0, MAX_ITEMS).map(({ item }) => item)
    log.warn(LEFT.has(outcome) ? 'left alone' : 'pass did not succeed', {
      component,
      target,
      release,
      outcome,
      differences,
      ...(items.length === 0 ? {} : { items }),
      ...(failure === null ? {} : { code, reason: said }),
      ...(lasts ? lasted(streak, now_ms) : before === undefined ? {} : { was: before.outcome }),
    })
  }
}

const MAX_ITEMS = 20
const LEFT: ReadonlySet<Outcome> = new Set(['left_drifting', 'suspended'])

const lasted = ({ outcome, since_ms, passes }: FailureStreak, now_ms: Milliseconds) => ({
  was: outcome,
  passes,
  lasted_ms: Math.round(now_ms - since_ms),
})
