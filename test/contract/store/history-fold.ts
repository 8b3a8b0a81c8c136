/** The store contract: whatever was released, left and came back, each release still has its edition. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IntentRow } from '../../../src/model/intent.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { ReleaseRow } from '../../../src/ports/records/trails.ts'
import { type OpenStore, release } from './opened.ts'
import { named } from './samples.ts'
import { byTier } from '../../kit/tier.ts'

/** Domains that exist, and the names that each may have had. */
const DOMAINS = 8
const VARIANTS = 3

const aRow = (domain_id: number): fc.Arbitrary<ReleaseRow> =>
  fc
    .record({
      domain_id: fc.constant(domain_id),
      row: fc.option(
        fc.record({
          revision: fc.integer({ min: 1, max: 50 }),
          live: fc.boolean(),
          retired: fc.boolean(),
          variant: fc.nat(VARIANTS - 1),
          port: fc.integer({ min: 1, max: 65_535 }),
        }),
        { freq: 3 },
      ),
    })
    .map(({ row }) => ({
      domain_id,
      row: row && {
        domain_id,
        revision: row.revision,
        live: row.live,
        retired: !row.live && row.retired,
        // Only rows that are not live may share a name.
        fields: named(
          row.live || row.variant > 0 ? `n${row.variant}-${domain_id}.example.com` : 'shared.example.com',
          { backend_port: row.port, tags: [`t${row.variant}`] },
        ),
      },
    }))

/** Some of the domains, each at most once, in any order. */
const someRows: fc.Arbitrary<readonly ReleaseRow[]> = fc
  .shuffledSubarray(Array.from({ length: DOMAINS }, (_, i) => i + 1))
  .chain((ids) => fc.tuple(...ids.map(aRow)))

const order = (a: IntentRow, b: IntentRow): number =>
  a.fields.domain < b.fields.domain ? -1 : a.fields.domain > b.fields.domain ? 1 : a.domain_id - b.domain_id

/** The edition after each release: what stood before it, with its rows put in or taken out. */
function foldOf(releases: readonly (readonly ReleaseRow[])[]): readonly (readonly IntentRow[])[] {
  const present = new Map<number, IntentRow>()
  return releases.map((rows) => {
    for (const { domain_id, row } of rows) {
      if (row === null) present.delete(domain_id)
      else present.set(domain_id, row)
    }
    return [...present.values()].sort(order)
  })
}

async function assertFold(store: Store, editions: readonly (readonly IntentRow[])[]): Promise<void> {
  for (const [i, rows] of editions.entries()) expect((await store.releasedAt(i + 1)).rows).toEqual(rows)
}

export function historyFoldContract(open: OpenStore): void {
  test('the edition at every release is the fold of all rows until then, and the last one is the present', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someRows, { minLength: 1, maxLength: 15 }), async (releases) => {
        const opened = await open()
        const editions = foldOf(releases)
        for (const [i, rows] of releases.entries()) {
          await release(opened.store, rows)
          expect((await opened.store.intent('released')).rows).toEqual(editions[i])
        }
        await assertFold(opened.store, editions)
        const store = await opened.reopen()
        await assertFold(store, editions)
        expect((await store.intent('released')).rows).toEqual(editions.at(-1))
        await opened.close()
      }),
      { numRuns: byTier(4, 60, 600) },
    )
  })
}
