/** Both editions of a component: what each side should be, and how long that is kept. */
import { describe, expect, it } from 'vitest'
import { Editions } from '../../../src/engine/editions/editions.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import type { Intent } from '../../../src/model/intent.ts'
import type { ReleaseHead } from '../../../src/ports/records/trails.ts'
import type { DamagedRecord } from '../../../src/ports/records/damaged.ts'
import type { Artifact, StoreReader } from '../../../src/ports/store.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const A = { domain_id: 1, domain: 'a.example.com' }
const B = { domain_id: 2, domain: 'b.example.com' }
const OFF = { live: false }
const RETIRED = { live: false, retired: true }

interface Scene {
  released?: Intent
  working?: Intent
  /** Digests of the newest release; null before the first. */
  digests?: Readonly<Record<string, string>> | null
  frozen?: Artifact | null
  damaged?: readonly Pick<DamagedRecord, 'domain' | 'domain_id'>[]
}

/** Editions over a store that a test may move; `reads` counts the artifacts that were read. */
function editionsOf(given: Scene = {}) {
  const none = anIntent()
  const now = { released: none, working: none, digests: null, frozen: null, damaged: [], reads: 0, ...given }
  const store = {
    intent: async (edition: 'released' | 'working') => now[edition],
    latestRelease: async () => (now.digests === null ? null : ({ digests: now.digests } as ReleaseHead)),
    artifact: async () => {
      now.reads++
      return now.frozen
    },
    damagedRecords: async () => now.damaged,
  } as unknown as StoreReader
  return { editions: new Editions(store), store, now }
}

const target = (over: Partial<AnyTarget> = {}) => fakeTarget(fakeWorld(), over)
const frozen = (text: string) => target().codec.freeze(text)

describe('the working side', () => {
  const lines = ({ rows }: Intent) =>
    rows.map(({ fields, retired }) => `${fields.domain} ${fields.backend_port}${retired ? ' retired' : ''}`)
  /** Counts how often it was derived. */
  function counting() {
    const asked: Intent[] = []
    return { asked, of: target({ desire: (intent) => (asked.push(intent), lines(intent)) }) }
  }

  it('is derived once as long as neither edition moves', async () => {
    const { asked, of } = counting()
    const { editions, now } = editionsOf({ working: anIntent(A) })
    expect([await editions.working(of), await editions.working(of)]).toEqual([
      ['a.example.com 8080'],
      ['a.example.com 8080'],
    ])
    expect(asked).toHaveLength(1)
    now.working = anIntent(A, B)
    expect(await editions.working(of)).toHaveLength(2)
    // A release that leaves nothing at rest changes nothing of what was saved.
    now.released = anIntent(A)
    await editions.working(of)
    expect(asked).toHaveLength(2)
  })

  it('is derived for each component', async () => {
    const { editions } = editionsOf({ working: anIntent(A) })
    const [one, other] = [
      target({ artifact: 'one', desire: () => 1 }),
      target({ artifact: 'other', desire: () => 2 }),
    ]
    expect([await editions.working(one), await editions.working(other), await editions.working(one)]).toEqual(
      [1, 2, 1],
    )
  })

  it.each<
    [what: string, working: readonly RowWish[], released: readonly RowWish[], expected: readonly string[]]
  >([
    ['what was saved', [A, { ...B, backend_port: 9 }], [A], ['a.example.com 8080', 'b.example.com 9']],
    [
      'as it was released what was deleted and is not gone yet',
      [A],
      [{ ...B, ...RETIRED }],
      ['a.example.com 8080', 'b.example.com 8080 retired'],
    ],
    ['nothing of what was deleted and was only off line', [A], [{ ...B, ...OFF }], ['a.example.com 8080']],
    [
      'as it was released what is off line on both sides',
      [A, { ...B, ...OFF, revision: 2, backend_port: 9, domain: 'c.example.com' }],
      [{ ...B, ...OFF }],
      ['a.example.com 8080', 'b.example.com 8080'],
    ],
    [
      'as it was saved what is off line and retires',
      [{ ...B, ...RETIRED, backend_port: 9 }],
      [{ ...B, ...OFF }],
      ['b.example.com 9 retired'],
    ],
    [
      'as it was saved what goes off line',
      [{ ...B, ...OFF, revision: 2, backend_port: 9 }],
      [B],
      ['b.example.com 9'],
    ],
    [
      'as it was saved what comes back',
      [{ ...B, backend_port: 9 }],
      [{ ...B, ...RETIRED }],
      ['b.example.com 9'],
    ],
    [
      'the rows at rest where they belong by name',
      [{ ...B, domain: 'z.example.com' }],
      [{ ...A, ...RETIRED }],
      ['a.example.com 8080 retired', 'z.example.com 8080'],
    ],
  ])('has %s', async (_what, working, released, expected) => {
    const { editions } = editionsOf({ working: anIntent(...working), released: anIntent(...released) })
    expect(await editions.working(target({ desire: lines }))).toEqual(expected)
  })

  it('follows each of several that are at rest', async () => {
    const { of } = counting()
    const { editions, now } = editionsOf({
      released: anIntent({ ...A, ...RETIRED }, { ...B, ...RETIRED }),
    })
    expect(await editions.working(of)).toHaveLength(2)
    const [first] = now.released.rows
    now.released = { rows: [first!, aRow({ ...B, ...RETIRED, backend_port: 9 })] }
    expect(await editions.working(of)).toEqual(['a.example.com 8080 retired', 'b.example.com 9 retired'])
  })

  it('that was derived since is not forgotten for an earlier one that fails', async () => {
    const early = Promise.withResolvers<unknown>()
    let times = 0
    const of = target({ desireInPieces: () => (++times === 1 ? early.promise : Promise.resolve(times)) })
    const { editions, now } = editionsOf({ working: anIntent(A) })
    const failed = editions.working(of).catch((error: unknown) => error)
    await expect.poll(() => times).toBe(1)
    now.working = anIntent(A, B)
    expect(await editions.working(of)).toBe(2)
    early.reject(new Error('no memory'))
    expect(await failed).toMatchObject({ message: 'no memory' })
    expect(await editions.working(of)).toBe(2)
  })

  it('has what a deploy would carry over', async () => {
    const { editions } = editionsOf({
      working: anIntent({ ...A, ddns_enabled: true }),
      released: anIntent({ ...A, static_ip: '192.0.2.1' }),
    })
    const of = target({ desire: ({ rows }) => rows.map(({ carried }) => carried) })
    expect(await editions.working(of)).toEqual([{ address: '192.0.2.1' }])
  })

  it('follows what comes to rest and what leaves it', async () => {
    const { asked, of } = counting()
    const { editions, now } = editionsOf({ working: anIntent(A), released: anIntent({ ...B, ...RETIRED }) })
    expect(await editions.working(of)).toHaveLength(2)
    // The same row in another edition: nothing of it has changed.
    now.released = { rows: [...now.released.rows] }
    await editions.working(of)
    expect(asked).toHaveLength(1)
    now.released = anIntent(A)
    expect(await editions.working(of)).toHaveLength(1)
    now.released = anIntent({ ...B, ...RETIRED, domain: 'c.example.com' })
    expect(await editions.working(of)).toEqual(['a.example.com 8080', 'c.example.com 8080 retired'])
    now.released = anIntent({ ...B, ...RETIRED })
    expect(await editions.working(of)).toEqual(['a.example.com 8080', 'b.example.com 8080 retired'])
  })
})

describe('the released side', () => {
  const FROZEN = frozen('as released')
  const released = { digests: { fake: FROZEN.digest }, frozen: FROZEN }

  it('is what the newest release froze, read once', async () => {
    const { editions, now } = editionsOf(released)
    const expected = { desired: 'as released', digest: FROZEN.digest }
    expect([await editions.released(target()), await editions.released(target())]).toEqual([
      expected,
      expected,
    ])
    expect(now.reads).toBe(1)
    const newer = frozen('newer')
    Object.assign(now, { digests: { fake: newer.digest }, frozen: newer })
    expect(await editions.released(target())).toEqual({ desired: 'newer', digest: newer.digest })
  })

  it.each<[what: string, scene: Scene]>([
    ['before the first release', { digests: null }],
    ['before a release that knew the component', { digests: { other: 'x' }, frozen: FROZEN }],
    ['where its bytes are gone', { digests: released.digests, frozen: null }],
  ])('is none %s', async (_what, scene) => {
    expect(await editionsOf(scene).editions.released(target())).toBeNull()
  })

  it('is thawed beside the rows that it was frozen of, also where a release comes in between', async () => {
    const { store, now } = editionsOf({ ...released, released: anIntent(A) })
    const newer = frozen('newer')
    const rows = anIntent(A, B)
    const racing = {
      ...store,
      artifact: async () => {
        const before = now.frozen
        Object.assign(now, { digests: { fake: newer.digest }, frozen: newer, released: rows })
        return before
      },
    } as unknown as StoreReader
    const thawed: unknown[] = []
    const codec: AnyTarget['codec'] = {
      ...target().codec,
      thaw: (chunks, beside) => {
        thawed.push(beside)
        return Buffer.concat(chunks).toString()
      },
    }
    expect(await new Editions(racing).released(target({ codec }))).toEqual({
      desired: 'newer',
      digest: newer.digest,
    })
    expect(thawed).toEqual([rows])
  })

  it('of what is no function of records holds before any release', async () => {
    const of = target({ constant: true, desire: ({ rows }) => `of ${rows.length} records` })
    const { editions } = editionsOf({ released: anIntent(A) })
    expect(await editions.released(of)).toEqual({
      desired: 'of 0 records',
      digest: frozen('of 0 records').digest,
    })
  })

  it('is a prospect that became the newest release, without being read', async () => {
    const { editions, store, now } = editionsOf()
    const release = { domain_id: 1, row: aRow(A) }
    const rows = [release, { domain_id: 9, row: null }]
    const prospect = await editions.prospect(store, [target()], rows)
    expect(prospect).toMatchObject({ rows: [release], intent: anIntent(A) })
    const artifacts = await editions.freeze(prospect, [target()])
    expect(artifacts).toEqual({ fake: frozen('a.example.com 8080\n') })
    const { digest } = artifacts['fake']!
    editions.adopt(prospect, artifacts)
    now.digests = { fake: digest }
    expect(await editions.released(target())).toEqual({ desired: 'a.example.com 8080\n', digest })
    expect(now.reads).toBe(0)
  })
})

describe('what waits', () => {
  it('is known by row, and whether there is any', async () => {
    const { editions, now } = editionsOf({ working: anIntent(A), released: anIntent(A) })
    expect([await editions.rowsMoved(), await editions.pendingRows()]).toEqual([false, []])
    now.working = anIntent(A, B)
    expect(await editions.rowsMoved()).toBe(true)
    expect(await editions.pendingRows()).toEqual([{ domain_id: 2, row: aRow(B) }])
  })
})

describe('damage', () => {
  const working = anIntent(A, B)
  const damaged = [B]
  it.each<[what: string, scene: Scene, over: Partial<AnyTarget>, damage: string | null]>([
    ['is none where no record is damaged', { working }, {}, null],
    [
      'is none of a key that has nothing to do with it',
      { working, damaged },
      { concerns: (row) => row.domain_id === 1 },
      null,
    ],
    [
      'makes unknown what was saved for a key',
      { working, damaged },
      { concerns: (row) => row.domain_id === 2 },
      'What was saved for b.example.com (2) is damaged, so it is not known what should be there.',
    ],
    [
      'of several is told of each',
      { working, damaged: [A, B] },
      {},
      'What was saved for a.example.com (1), b.example.com (2) is damaged, so it is not known what should be there.',
    ],
  ])('%s', async (_what, scene, over, damage) => {
    expect(await editionsOf(scene).editions.damageIn(target(over))).toBe(damage)
  })
})
