/** Whose work it was that a pass wrote over: a stranger's is told, ours is not. */
import { describe, expect, it } from 'vitest'
import { causeOf } from '../../../src/engine/cause.ts'
import type { AnyTarget, Sides } from '../../../src/engine/target.ts'
import { auditUndone, undoneOf } from '../../../src/engine/editions/undone.ts'
import type { AuditEntry, ReleaseHead } from '../../../src/ports/records/trails.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { anIntent } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

/** One item, whose cause the table of causes tells. */
function explain({ working, released, observed, rows_moved }: Sides<unknown, unknown>) {
  const [of_working, of_released, of_world] = [working, released, observed] as (string | null)[]
  const cause = causeOf({ working: of_working!, released: of_released!, observed: of_world! }, rows_moved)
  const differences = cause === null ? [] : [{ item: 'it', cause, domains: ['a.example.com'], detail: cause }]
  return { differences, unified_diff: null, note: null }
}

interface Case {
  /** What each release wanted, from the first on; the last is the one that is carried out. Null: nobody knows any more. */
  readonly releases: readonly (string | null)[]
  /** The last that is known to have been applied. */
  readonly applied: number
  /** What is there. */
  readonly found: string
  readonly options?: Partial<AnyTarget>
  readonly asked?: boolean
  readonly digest?: string
  /** Left out: the item. */
  readonly written?: readonly string[]
  /** Left out: no more is known than what was applied. */
  readonly stood?: string
  /** The newest release is not known. */
  readonly is_headless?: boolean
}

function undone({
  releases,
  applied,
  found,
  options,
  asked = true,
  digest,
  written = ['it'],
  stood,
  is_headless,
}: Case) {
  const target = fakeTarget(fakeWorld(), { explain, ...options })
  const artifacts = releases.map((wanted) => (wanted === null ? null : target.codec.freeze(wanted)))
  const reader = {
    artifactAt: async (number: number) => artifacts[number - 1] ?? null,
    latestRelease: async () => (is_headless ? null : ({ number: releases.length } as ReleaseHead)),
  }
  const place = { key: 'fake', release: applied, place: 'memory', observed: '', at: 0 }
  return undoneOf(target, reader, {
    released: { desired: releases.at(-1)!, digest: artifacts.at(-1)!.digest },
    state: found,
    by_stranger: true,
    asked,
    applied: applied === 0 ? null : { ...place, digest: digest ?? artifacts[applied - 1]!.digest },
    kept_as: ['/kept'],
    written: new Set(written),
    stood: stood === undefined ? null : { desired: stood, digest: target.codec.freeze(stood).digest },
  })
}

const told = (detail: string) => ({
  count: 1,
  items: [{ item: 'it', detail }],
  domains: ['a.example.com'],
  kept_as: ['/kept'],
})

const MANY = Array.from({ length: 30 }, (_, i) => `r${i + 1}`)

it.each<[string, Case, object | null]>([
  ['of what is released', { releases: ['a'], applied: 1, found: 'x' }, told('edited')],
  [
    'of what a new release changes',
    { releases: ['a', 'b'], applied: 1, found: 'x' },
    told('edited_and_pending'),
  ],
  ['of what a new release leaves', { releases: ['a', 'b', 'a'], applied: 1, found: 'x' }, told('edited')],
  ['into what the new release says', { releases: ['a', 'b'], applied: 1, found: 'b' }, null],
  [
    'that is ours: a release in between failed after its write',
    { releases: ['a', 'b', 'c'], applied: 1, found: 'b' },
    null,
  ],
  [
    'over a release in between',
    { releases: ['a', 'b', 'c'], applied: 1, found: 'x' },
    told('edited_and_pending'),
  ],
  [
    'of what is not known any more',
    { releases: ['a', 'b'], applied: 1, found: 'x', digest: 'another' },
    null,
  ],
  ['before anything of ours', { releases: ['a'], applied: 0, found: 'x' }, null],
  [
    'of what moves without a release, when a caller moved it',
    { releases: ['a'], applied: 1, found: 'x', options: { constant: true } },
    null,
  ],
  [
    'of what moves without a release, when nobody asked',
    { releases: ['a'], applied: 1, found: 'x', asked: false, options: { constant: true } },
    told('edited'),
  ],
  [
    'of an item that was not written',
    { releases: ['a'], applied: 1, found: 'x', options: { whole: false }, written: ['another'] },
    null,
  ],
  [
    'of an item that was written',
    { releases: ['a'], applied: 1, found: 'x', options: { whole: false } },
    told('edited'),
  ],
  ['of what could not be written', { releases: ['a'], applied: 1, found: 'x', written: [] }, null],
  [
    'of what moves without a release, whatever was applied',
    {
      releases: ['a'],
      applied: 1,
      found: 'x',
      asked: false,
      digest: 'another',
      options: { constant: true },
    },
    told('edited'),
  ],
  ['that nobody made: the release is only behind', { releases: ['a', 'b'], applied: 1, found: 'a' }, null],
  ['of what nobody keeps any more', { releases: ['a', 'b'], applied: 7, found: 'x', digest: 'gone' }, null],
  [
    'over a release in between that nobody keeps any more',
    { releases: ['a', null, 'b'], applied: 1, found: 'x' },
    told('edited_and_pending'),
  ],
  [
    'where the newest release is not known',
    { releases: ['a', 'b'], applied: 1, found: 'x', is_headless: true },
    told('edited_and_pending'),
  ],
  [
    'back into what an earlier release had said',
    { releases: ['x', 'a', 'b'], applied: 2, found: 'x' },
    told('edited_and_pending'),
  ],
  [
    'into what stood before the release of which all but the refused stood',
    { releases: ['a', 'x', 'b', 'c'], applied: 1, found: 'x', stood: 'b' },
    told('edited_and_pending'),
  ],
  ['that is ours: one of the last twenty releases', { releases: MANY, applied: 1, found: 'r11' }, null],
  [
    'that may be ours, by a release that is longer ago',
    { releases: MANY, applied: 1, found: 'r10' },
    told('edited_and_pending'),
  ],
  [
    'of what stood, though its release was never in the world as a whole',
    { releases: ['a', 'b', 'b'], applied: 1, found: 'x', stood: 'b', options: { whole: false } },
    told('edited'),
  ],
])('an edit %s', async (_which, given, wanted) => {
  expect(await undone(given)).toEqual(wanted)
})

it('of many items is counted whole, and the first are named', async () => {
  const many = Array.from({ length: 25 }, (_, i) => ({
    item: `item ${i}`,
    cause: 'edited' as const,
    domains: [`${i % 3}.example.com`],
    detail: 'by hand',
  }))
  const options = { explain: () => ({ differences: many, unified_diff: null, note: null }) }
  const found = await undone({ releases: ['a'], applied: 1, found: 'x', options })
  expect(found).toMatchObject({ count: 25, domains: ['0.example.com', '1.example.com', '2.example.com'] })
  expect(found!.items).toEqual(many.slice(0, 20).map(({ item, detail }) => ({ item, detail })))
})

it.each([
  ['of one release', ['a'], [false]],
  ['from one release to the next', ['a', 'b'], [true, false]],
])('%s is explained by whether rows moved', async (_which, releases, moved) => {
  const asked: boolean[] = []
  const options: Partial<AnyTarget> = {
    explain: (sides) => {
      asked.push(sides.rows_moved)
      return explain(sides)
    },
  }
  await undone({ releases, applied: 1, found: 'x', options })
  expect(asked).toEqual(moved)
})

describe('the audit trail', () => {
  const here = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ domain_id: i + 1, domain: `d${i + 1}.example.com` }))
  async function told(domains: readonly string[], records = here(30), head: ReleaseHead | null = null) {
    const entries: AuditEntry[] = []
    const tx = {
      intent: async () => anIntent(...records),
      audit: async (entry: AuditEntry) => void entries.push(entry),
    } as unknown as StoreWriter
    const edits = { count: 2, items: [{ item: 'it', detail: 'by hand' }], domains, kept_as: ['/kept'] }
    await auditUndone(tx, edits, { target: fakeTarget(fakeWorld()), head, at: 7, asked: false })
    return entries
  }
  const names = (entries: readonly AuditEntry[]) =>
    entries.map(({ domain, domain_id }) => [domain, domain_id])

  it('has what was undone, once for each domain', async () => {
    const entries = await told(['d1.example.com', 'd3.example.com'], here(3), { number: 4 } as ReleaseHead)
    expect(names(entries)).toEqual([
      ['d1.example.com', 1],
      ['d3.example.com', 3],
    ])
    expect(entries[0]).toEqual({
      at: 7,
      actor: 'reconciler',
      request_id: '',
      action: 'undo_edit',
      domain_id: 1,
      domain: 'd1.example.com',
      revision_before: null,
      revision_after: null,
      plan_hash: null,
      detail: {
        component: 'fake',
        release: 4,
        count: 2,
        items: [{ item: 'it', detail: 'by hand' }],
        kept_as: ['/kept'],
      },
    })
  })

  it.each<[what: string, domains: readonly string[], entries: number, domain: string | null]>([
    ['of none by name', [], 1, null],
    ['of names that no record has', ['x.example.com'], 1, null],
    ['of a name that no record has beside one', ['x.example.com', 'd2.example.com'], 1, 'd2.example.com'],
    ['of twenty', here(20).map(({ domain }) => domain), 20, 'd1.example.com'],
    ['of more than twenty, for all of them', here(21).map(({ domain }) => domain), 1, null],
  ])('has edits %s', async (_what, domains, count, domain) => {
    const entries = await told(domains)
    expect(entries).toHaveLength(count)
    expect(entries[0]).toMatchObject({ domain, detail: { release: 0 } })
  })
})
