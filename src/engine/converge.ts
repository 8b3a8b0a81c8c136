/** Brings the world to the newest release on behalf of a caller: component by component, in the safe order. */
import type { Report } from '../model/report.ts'
import type { Components } from './components.ts'
import type { Controller } from './controller.ts'
import type { Answered } from './key-state.ts'
import type { ConvergeProgress } from './progress.ts'
import { type Reach, reaches } from './reach.ts'
import type { AnyTarget } from './target.ts'

/** Opening works in the order of the components, closing in the reverse. */
export type Direction = 'open' | 'close'

export interface ConvergeScope extends Reach {
  /** Only these keys, whatever records they have to do with. */
  readonly keys?: readonly string[]
  readonly progress?: ConvergeProgress | undefined
  /** The release that the caller has just made: what a pass by its own tick has done of it before is the caller's, too. */
  readonly made?: number | undefined
}

interface Parts {
  readonly controller: Controller
  readonly components: Components
}

/**
 * Opening works in the order of the components, closing in the reverse. Until it is done no key of them is worked on by its
 * own tick: that would open a route before its rule stands, or move one whose name is refused. A key that leaves meanwhile has
 * no report. Its names may be another key's now, as where a zone is found inside another one: what has come is worked on, too.
 * @param keysNow those of the records, as they are when it is called
 */
export async function converge(
  parts: Parts,
  keysNow: () => Promise<readonly AnyTarget[]>,
  direction: Direction,
  scope: ConvergeScope,
): Promise<readonly Report[]> {
  const keys = await keysNow()
  const { reports, has_left } = await workOn(parts, keys, direction, scope)
  if (!has_left) return reports
  const come = (await keysNow()).filter((target) => !keys.includes(target))
  return [...reports, ...(await workOn(parts, come, direction, scope)).reports]
}

async function workOn(
  { controller, components }: Parts,
  keys: readonly AnyTarget[],
  direction: Direction,
  scope: ConvergeScope,
): Promise<{ readonly reports: readonly Report[]; readonly has_left: boolean }> {
  const { records, progress, made } = scope
  const names = components.names()
  const groups = (direction === 'open' ? names : names.toReversed()).map((name) =>
    keys.filter((target) => target.name === name && reaches(scope, target)),
  )
  progress?.expects(groups.flat())
  const letGo = controller.hold(groups.flat().map(({ key }) => key))
  try {
    const reports: Report[] = []
    let has_left = false
    const began = new Map(groups.flat().map(({ key }) => [key, controller.report(key)]))
    for (const group of groups) {
      const asking = group.map(async ({ key }) => {
        const steps = progress?.of(key)
        const answered = await controller.ask(key, { progress: steps, records })
        if (answered !== null)
          return mergeReports(since(answered.before, began.get(key), made), answered.report)
        has_left = true
        steps?.left()
        return null
      })
      reports.push(...(await Promise.all(asking)).filter((report) => report !== null))
    }
    return { reports: await finished(reports, (key) => controller.ask(key, { records })), has_left }
  } finally {
    letGo()
  }
}

/**
 * The pass before the one that was asked for, where it ended while the call was under way, or is of the release that the call has
 * made: what a key's own tick did then is the call's, too.
 */
const since = (before: Report | null, began: Report | null | undefined, made = Infinity): Report | null =>
  before !== null && (before !== began || before.release >= made) ? before : null

/** What waited for a later component, as a name that goes waits for its route to be gone, is done by the same call. */
async function finished(
  reports: readonly Report[],
  ask: (key: string) => Promise<Answered | null>,
): Promise<readonly Report[]> {
  const last_done = reports.findLastIndex(({ outcome }) => outcome === 'repaired')
  return Promise.all(
    reports.map(async (report, at) => {
      const again = report.outcome === 'left_unfinished' && at < last_done ? await ask(report.key) : null
      return again === null ? report : mergeReports(report, again.report)
    }),
  )
}

/**
 * A component may have another one worked on first, as the rules have the routes closed before they are loaded: what that did
 * is done by the same call.
 */
export function mergeReports(earlier: Report | null, report: Report): Report {
  if (earlier === null || earlier.repaired === 0) return report
  const done = earlier.items?.filter((item) => item.repaired)
  const later = report.items ?? (report.differences === 0 ? [] : undefined)
  const { items: _, ...rest } = report
  return {
    ...rest,
    outcome: report.outcome === 'clean' ? 'repaired' : report.outcome,
    differences: earlier.repaired + report.differences,
    repaired: earlier.repaired + report.repaired,
    ...(done && later && { items: [...done, ...later] }),
    took_ms: earlier.took_ms + report.took_ms,
  }
}
