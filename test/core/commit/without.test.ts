/** What stays as it is since it could not be carried out whole. */
import { expect, it } from 'vitest'
import { without } from '../../../src/core/commit/rehearse.ts'
import type { Change } from '../../../src/core/commit/change.ts'
import type { ReleaseRow } from '../../../src/ports/records/trails.ts'

it('a record that goes is taken away, also where the one that was to have its name is refused', () => {
  const row = (domain_id: number, live: boolean) =>
    ({
      domain_id,
      row: { domain_id, live, retired: !live, fields: { domain: 'app.example.com' } },
    }) as ReleaseRow
  const change: Change<null> = {
    result: null,
    audit: [],
    release: [row(1, false), row(2, true)],
    reason: 'apply estate',
    warnings: [],
  }
  const refused = [{ domain_id: 2, domain: 'app.example.com', code: 'foreign_owner', message: '' }] as const
  expect(without(change, refused).release).toEqual([row(1, false)])
})
