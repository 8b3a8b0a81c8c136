/** What waits for a deploy, key by key: by the editions alone, and kept until one of them moves. */
import { describe, expect, it } from 'vitest'
import { Components, type Source } from '../../../src/engine/components.ts'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { PendingKeys } from '../../../src/engine/status/pending.ts'
import type { AnyFamily, AnyTarget } from '../../../src/engine/target.ts'
import { byDomain, type Intent } from '../../../src/model/intent.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const A = { domain_id: 1, domain: 'a.example.com' }
const B = { domain_id: 2, domain: 'b.example.com' }
/** As it is once it was saved again with another port. */
const edited = (row: RowWish): RowWish => ({ ...row, revision: 2, backend_port: 9 })

interface Scene {
  readonly released: readonly RowWish[]
  readonly working: readonly RowWish[]
  readonly sources?: readonly Source[]
  /** What the newest release froze, by artifact; left out: what its rows give now. */
  readonly frozen?: Readonly<Record<string, string>>
}

const target = (over: Partial<AnyTarget> = {}) => fakeTarget(fakeWorld(), over)
const textOf = (rows: readonly RowWish[]) => target().desire(anIntent(...rows)) as string

/** The pending keys, over editions that a test may move. */
function pendingOf({ released, working, sources = [target()], frozen }: Scene) {
  const { codec } = target()
  const now = { released: anIntent(...released), working: anIntent(...working), number: 1 as number | null }
  const bytes = frozen ?? { fake: textOf(released) }
  const artifacts = new Map(Object.entries(bytes).map(([key, text]) => [key, codec.freeze(text)]))
  const store = {
    intent: async (edition: 'released' | 'working') => now[edition],
    latestRelease: async () =>
      now.number === null
        ? null
        : {
            number: now.number,
            digests: Object.fromEntries([...artifacts].map(([key, { digest }]) => [key, digest])),
          },
    artifact: async (key: string) => artifacts.get(key) ?? null,
  } as unknown as StoreReader
  const pending = new PendingKeys({
    store,
    editions: new Editions(store),
    components: new Components(sources),
  })
  return { pending, now }
}

const waitingOf = async (scene: Scene) =>
  (await pendingOf(scene).pending.read()).keys.map(({ key, waiting }) => [key, waiting])
const PENDING = 'pending_deploy'
const waits = (...domains: readonly string[]) => ({ cause: PENDING, domains })

describe('what waits', () => {
  it.each<[what: string, scene: Scene, waiting: unknown]>([
    ['nothing where all is deployed', { released: [A, B], working: [A, B] }, null],
    ['an edit', { released: [A, B], working: [edited(A), B] }, waits(A.domain)],
    ['a new record', { released: [A], working: [A, B] }, waits(B.domain)],
    ['one that goes, by the name that it has', { released: [A, B], working: [A] }, waits(B.domain)],
    [
      'one with another name, by that',
      { released: [A], working: [{ ...A, revision: 2, domain: 'new.example.com' }] },
      waits('new.example.com'),
    ],
    ['nothing of a record that was never live', { released: [A], working: [A, { ...B, live: false }] }, null],
    [
      'what settings change, of no record',
      { released: [A], working: [A], frozen: { fake: 'as it was rendered then' } },
      { cause: 'renderer_changed', domains: [] },
    ],
    ['nothing of a key that was never released', { released: [A], working: [edited(A)], frozen: {} }, null],
    [
      'nothing of what no deploy moves',
      {
        released: [A],
        working: [edited(A)],
        sources: [target({ constant: true, desire: ({ rows }) => `${rows.length}` })],
      },
      null,
    ],
    [
      'nothing where the key’s own part stays the same',
      {
        released: [A, B],
        working: [edited(A), B],
        sources: [target({ portion: (desired) => String(desired).split('\n')[1]! })],
      },
      null,
    ],
    [
      'what moves the key’s own part, of the records that it has to do with',
      {
        released: [A, B],
        working: [edited(A), edited(B)],
        sources: [
          target({
            portion: (desired) => String(desired).split('\n')[1]!,
            concerns: ({ domain_id }) => domain_id === 2,
          }),
        ],
      },
      waits(B.domain),
    ],
    [
      'a record that was the key’s, and goes to another',
      {
        released: [A],
        working: [{ ...A, revision: 2, domain: 'new.example.com' }],
        sources: [target({ concerns: ({ fields }) => fields.domain === A.domain })],
      },
      waits('new.example.com'),
    ],
  ])('is %s', async (_what, scene, waiting) => {
    expect(await waitingOf(scene)).toEqual([['fake', waiting]])
  })

  it('is told of the keys of both editions, in the order of work', async () => {
    const zone = (name: string) =>
      target({ name: 'dns', key: `dns:${name}`, concerns: ({ fields }) => fields.domain === name })
    const zones = new Map([A, B].map(({ domain }) => [domain, zone(domain)]))
    const family = {
      ...target({ name: 'dns' }),
      targetsFor: ({ rows }: Intent) => rows.map(({ fields }) => zones.get(fields.domain)!),
    } as unknown as AnyFamily
    const scene = { released: [A], working: [B], sources: [family, target()] }
    const frozen = { fake: textOf([A]), 'dns:a.example.com': textOf([A]) }
    expect(await waitingOf({ ...scene, frozen })).toEqual([
      ['dns:a.example.com', waits(A.domain)],
      ['dns:b.example.com', null],
      ['fake', waits(B.domain, A.domain)],
    ])
    const { keys } = await pendingOf({ ...scene, frozen }).pending.read()
    expect(keys.map(({ component }) => component)).toEqual(['dns', 'dns', 'fake'])
  })

  it('is worked out once for all keys that share what is frozen', async () => {
    let times = 0
    const desire: AnyTarget['desire'] = (intent) => {
      times++
      return target().desire(intent)
    }
    const sources = [target({ desire }), target({ desire, key: 'other', artifact: 'fake' })]
    expect(await waitingOf({ released: [A], working: [edited(A)], sources })).toEqual([
      ['fake', waits(A.domain)],
      ['other', waits(A.domain)],
    ])
    expect(times).toBe(1)
  })
})

describe('the answer', () => {
  const scene = { released: [A], working: [edited(A)] }
  const withRow = (intent: Intent, row: RowWish): Intent => ({
    rows: [...intent.rows, aRow(row)].sort(byDomain),
  })

  it('is kept while nothing moves', async () => {
    const { pending, now } = pendingOf(scene)
    const first = await pending.read()
    expect(first).toMatchObject({ working: now.working })
    expect(await pending.read()).toBe(first)
  })

  it.each<[what: string, move: (of: ReturnType<typeof pendingOf>) => void]>([
    ['something is saved', ({ now }) => (now.working = withRow(now.working, B))],
    ['something is released', ({ now }) => (now.released = withRow(now.released, B))],
    ['a release moves no row', ({ now }) => (now.number = 2)],
    ['the places of the world may be others', ({ pending }) => pending.forget()],
  ])('is made anew when %s', async (_what, move) => {
    const scene_of = pendingOf(scene)
    const first = await scene_of.pending.read()
    move(scene_of)
    const again = await scene_of.pending.read()
    expect(again).not.toBe(first)
    expect(again.working).toBe(scene_of.now.working)
  })

  it('is the same before the first release, when nothing waits yet', async () => {
    const { pending, now } = pendingOf({ released: [], working: [A], frozen: {} })
    now.number = null
    expect((await pending.read()).keys).toEqual([{ component: 'fake', key: 'fake', waiting: null }])
  })
})
