/** What keeps the proxy from serving a change as it is meant, and whose requests it would take. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Deps } from './deps.ts'
import { cacheRemarks } from './cache-remarks.ts'
import { outrankedExaminer } from './proxy/outranked/guard.ts'
import { planRemarks } from './proxy/plan-remarks.ts'

export const routesHooks = (deps: Deps): CommitHooks => ({
  async planned(rows, signal) {
    return rows === null ? [] : [...(await planRemarks(deps, rows, signal)), ...cacheRemarks(rows)]
  },
  examiner: outrankedExaminer(deps.proxy),
})
