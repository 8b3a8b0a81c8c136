/** Whose work it was that a pass wrote over: a stranger's is told, ours is not. */
import { expect, it } from 'vitest'
import { causeOf } from '../../../src/engine/cause.ts'
import type { AnyTarget, Sides } from '../../../src/engine/target.ts'
import { undoneOf } from '../../../src/engine/editions/undone.ts'
import type { ReleaseHead } from '../../../src/ports/records/trails.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

/** One item, whose cause the table of causes tells. */
function explain({ working, released, observed, rows_moved }: Sides<unknown, unknown>) {
  const [of_working, of_released, of_world] = [working, released, observed] as (string | null)[]
  const cause = causeOf({ working: of_working!, released: of_released!, observed: of_world! }, rows_moved)
  const differences = cause === null ? [] : [{ item: 'it', cause, domains: ['a.example.com'], detail: cause }]
  return { differences, unified_diff: null, note: null }
}

interface Case {
  /** What each release wanted, from the first on; the last is the one that is carried out. */
  readonly releases: readonly string[]
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
}

function undone({ releases, applied, found, options, asked = true, digest, written = ['it'], stood }: Case) {
  const target = fakeTarget(fakeWorld(), { explain, ...options })
  const artifacts = releases.map((wanted) => target.codec.freeze(wanted))
  const reader = {
    artifactAt: async (number: number) => artifacts[number - 1] ?? null,
    latestRelease: async () => ({ number: releases.length }) as ReleaseHead,
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
    'of what stood, though its release was never in the world as a whole',
    { releases: ['a', 'b', 'b'], applied: 1, found: 'x', stood: 'b', options: { whole: false } },
    told('edited'),
  ],
])('an edit %s', async (_which, given, wanted) => {
  expect(await undone(given)).toEqual(wanted)
})
