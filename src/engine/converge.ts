/** Brings the world to the newest release on behalf of a caller: component by component, in the safe order. */
import type { Report } from '../model/report.ts'
import type { Components } from './components.ts'
import type { Controller } from './controller.ts'
import type { ConvergeScope, Direction } from './converge-scope.ts'
import type { AnyTarget } from './target.ts'

/** A deploy that takes longer no longer keeps the keys' own ticks away. */
export const HELD_AT_MOST_MS = 15_000

/**
 * Opening works in the order of the components, closing in the reverse. Until it is done no key of them is worked on by its
 * own tick: that would open a route before its rule stands, or move one whose name is refused.
 */
export async function converge(
  { controller, components }: { readonly controller: Controller; readonly components: Components },
  keys: readonly AnyTarget[],
  direction: Direction,
  { component, everything = false, progress, whole, domain_ids = [] }: ConvergeScope,
): Promise<readonly Report[]> {
  const names = components.names()
  const asked = component !== undefined || everything
  const groups = (direction === 'open' ? names : names.toReversed())
    .filter((name) => component === undefined || component === name)
    .map((name) => keys.filter((target) => target.name === name && (asked || target.constant !== true)))
  progress?.expects(groups.flat())
  const letGo = controller.hold(
    groups.flat().map(({ key }) => key),
    HELD_AT_MOST_MS,
  )
  try {
    const reports: Report[] = []
    for (const group of groups) {
      const asking = group.map(({ key }) =>
        controller.ask(key, { progress: progress?.of(key), domain_ids: whole ? [] : domain_ids }),
      )
      reports.push(...(await Promise.all(asking)))
    }
    return reports
  } finally {
    letGo()
  }
}
