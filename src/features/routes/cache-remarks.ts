/** What the proxy says of caching in place of the backend, told before it is done. Pure. */
import type { ReleaseRow } from '../../ports/records/trails.ts'

/** One sentence for each single-page application that becomes live or changes. */
export const cacheRemarks = (rows: readonly ReleaseRow[]): readonly string[] =>
  rows.flatMap(({ row }) =>
    row?.live === true && row.fields.service_type === 'spa' ? [words(row.fields.domain)] : [],
  )

const words = (domain: string): string =>
  `${domain}: the proxy replaces what the backend says in Cache-Control: no-cache on / and *.html, a minute on files that are named by a digest of their content; nothing elsewhere.`
