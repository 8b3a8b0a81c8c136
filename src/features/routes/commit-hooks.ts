/** What keeps the proxy from serving a change as it is meant, and whose requests it would take. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { Deps } from './deps.ts'
import { outrankedExaminer } from './proxy/outranked/guard.ts'
import { planWarnings } from './proxy/plan-warnings.ts'

export const routesHooks = (deps: Deps): CommitHooks => ({
  async planned(rows, signal) {
    return rows === null ? [] : [...(await planWarnings(deps, rows, signal)), ...cacheWarnings(rows)]
  },
  examiner: outrankedExaminer(deps.proxy),
})

// What the proxy says of caching in place of the backend, told before it is done. Pure.

/** One sentence for each single-page application that becomes live or changes. */
const cacheWarnings = (rows: readonly ReleaseRow[]): readonly string[] =>
  rows.flatMap(({ row }) =>
    row?.live === true && row.fields.service_type === 'spa' ? [words(row.fields.domain)] : [],
  )

const words = (domain: string): string =>
  `${domain}: the proxy replaces what the backend says in Cache-Control: no-cache on / and *.html, a minute on files that are named by a digest of their content; nothing elsewhere.`
