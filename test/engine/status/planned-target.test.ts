/** What a plan says of one target: what it would do there, what it leaves, and what it brings with it. */
import { describe, expect, it } from 'vitest'
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { CallerObservation } from '../../../src/engine/status/caller-observation.ts'
import {
  type About,
  type PlannedTarget,
  type PlanParts,
  planTarget,
} from '../../../src/engine/status/planned-target.ts'
import type { AnyTarget, Sides } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import type { ExplainedDifference } from '../../../src/model/drift.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'
import { differencesOf, type Items, itemTarget, LOOKED_AT, refusalOf, seenAs } from '../item-target.ts'

const RELEASED: Items = { a: 'old', b: 'old' }
const WANTED: Items = { a: 'new', b: 'old' }
const NAMES = new Map([
  [1, 'a.example.com'],
  [2, 'b.example.com'],
  [3, 'c.example.com'],
])

const modeOf = (mode: Mode): ModeSetting => ({
  scope: 'fake',
  mode,
  reason: 'holidays',
  actor: 'alice',
  expires_at: 5_000,
})

interface Scene {
  /** Null: it could not be read. */
  readonly there: Items | null
  readonly wanted?: Items
  readonly released?: Items | null
  readonly about?: Partial<About>
  readonly rows_moved?: boolean
  readonly target?: Partial<AnyTarget>
  readonly mode?: Mode
  /** Whether anything was written there by us. */
  readonly is_written?: boolean
  /** Whether the newest release stood there once. */
  readonly is_applied?: boolean
  readonly refused_items?: RefusedItems
  readonly rows_at_rest?: boolean
  readonly explained?: readonly Partial<ExplainedDifference>[]
}

async function planned(scene: Scene) {
  const { there, wanted = WANTED, released = RELEASED } = scene
  const told: CallerObservation[] = []
  const sides: Sides<unknown, unknown>[] = []
  const target = itemTarget({
    observe: async () =>
      there === null
        ? { known: false, reason: 'unreadable', detail: 'nobody answers', at: LOOKED_AT }
        : seenAs(there),
    explain(asked) {
      sides.push(asked)
      const differences = (scene.explained ?? []) as readonly ExplainedDifference[]
      return { differences, unified_diff: '- old', note: null }
    },
    ...scene.target,
  })
  const edition = released === null ? null : { desired: released, digest: 'released' }
  const parts = {
    editions: {
      released: async () => edition,
      working: async () => wanted,
      rowsMoved: async () => scene.rows_at_rest !== true,
    },
    clock: { ...systemClock, now: () => LOOKED_AT },
    looks: new ObservationOrder(),
    memory: {
      modeOf: () => modeOf(scene.mode ?? 'repair'),
      modeWith: (set: ModeSetting) => set,
      written: () => (scene.is_written === false ? null : { observed: 'x' }),
      applied: () => ({ digest: scene.is_applied === false ? 'an earlier one' : 'released' }),
    },
    refused_items: scene.refused_items ?? new RefusedItems(),
    seen: async (_target: AnyTarget, found: CallerObservation) => void told.push(found),
  } as unknown as PlanParts
  const about: About = {
    records: 'all',
    names: NAMES,
    moving: new Set(['a.example.com']),
    set: undefined,
    tells: () => true,
    ...scene.about,
  }
  const request: PlannedTarget = { target, wanted, rows_moved: scene.rows_moved ?? true, about }
  return { part: await planTarget(request, parts, AbortSignal.timeout(60_000)), told, sides }
}

const SEEN = { component: 'fake', key: 'fake', observed_at: LOOKED_AT }
const NOTHING = { actions: [], details: [], unified_diff: null, obstacles: [], refused: [], left: [] }
const inputOf = (there: Items) => ({ ...SEEN, digest: JSON.stringify(there), detail: null })
const FOREIGN = {
  code: 'foreign_owner',
  message: 'Somebody else has item b.',
  retry_after_ms: 0,
} as const

describe('a plan of one target', () => {
  it('says what it does there, to whom, and whether that is of the release or a repair', async () => {
    const there = { a: 'old', b: 'theirs' }
    const { part, sides } = await planned({
      there,
      about: { records: [1] },
      explained: [{ item: 'item a', domains: [] }],
    })
    expect(part).toEqual({
      input: inputOf(there),
      actions: [
        {
          component: 'fake',
          verb: 'update',
          item: 'item a',
          before: 'old',
          after: 'new',
          reason: 'release',
          of_neighbour: false,
        },
        {
          component: 'fake',
          verb: 'update',
          item: 'item b',
          before: 'theirs',
          after: 'old',
          reason: 'repair',
          of_neighbour: true,
        },
      ],
      details: [{ component: 'fake', item: 'item a', domains: [] }],
      unified_diff: '- old',
      obstacles: [],
      refused: [],
      left: [],
    })
    expect(sides.at(-1)).toEqual({
      working: WANTED,
      released: RELEASED,
      observed: there,
      rows_moved: true,
      wanted_as: 'with this plan',
    })
  })

  it('that moves no row compares with the released edition, where there is one', async () => {
    const { sides } = await planned({ there: {}, released: null, rows_moved: false })
    expect(sides.at(-1)).toMatchObject({ released: null, rows_moved: false, wanted_as: 'released edition' })
  })

  it('where nothing differs has nothing to do', async () => {
    const { part } = await planned({ there: WANTED })
    expect(part).toEqual({ ...NOTHING, input: inputOf(WANTED) })
  })

  it('that could not be read says why', async () => {
    const { part, told } = await planned({ there: null })
    expect(part).toEqual({ ...NOTHING, input: { ...SEEN, digest: null, detail: 'nobody answers' } })
    expect(told).toMatchObject([
      { turn: 1, at: LOOKED_AT, deviates: null, unknown_because: 'nobody answers', differences: [] },
    ])
  })

  it.each([
    ['where the world deviates', { there: { a: 'x', b: 'old' }, rows_at_rest: true }, [{ item: 'item a' }]],
    ['where an edit waits', { there: RELEASED }, [{ item: 'item a' }]],
    ['nothing where all is at rest', { there: RELEASED, rows_at_rest: true }, []],
  ] as const)('tells others what it found: %s', async (_where, scene, differences) => {
    const explained = [{ item: 'item a', cause: 'edited', domains: [] }] as const
    const { told } = await planned({ ...scene, explained })
    expect(told).toMatchObject([{ turn: 1, at: LOOKED_AT, unknown_because: null }])
    expect(told[0]!.differences.map(({ item }) => ({ item }))).toEqual(differences)
  })

  it.each<[string, Pick<About, 'set'> | undefined, Mode]>([
    ['as it is', undefined, 'suspend'],
    ['that the plan sets', { set: modeOf('suspend') }, 'repair'],
  ])('does nothing under a suspension %s', async (_which, about, mode) => {
    const there = { a: 'old', b: 'theirs' }
    const obstacles = () => [refusalOf('c')]
    const { part } = await planned({ there, mode, ...(about && { about }), target: { obstacles } })
    expect(part).toEqual({
      ...NOTHING,
      input: inputOf(there),
      obstacles: [expect.stringMatching(/^fake is suspended: holidays\. Nothing is done there\.$/i)],
      left: [
        { component: 'fake', key: 'fake', mode: 'suspend', reason: 'holidays', until: 5_000, differences: 3 },
      ],
    })
  })

  it.each<[string, Pick<Scene, 'about' | 'mode' | 'is_applied'>, number, number]>([
    ['a plan that sets it leaves what differs', { about: { set: modeOf('observe') } }, 0, 1],
    [
      'a release that never stood is finished all the same',
      { about: { set: modeOf('observe') }, is_applied: false },
      1,
      0,
    ],
    ['a deploy asks for its repair', { mode: 'observe' }, 1, 0],
    [
      'one that sets another mode has it repaired',
      { about: { set: modeOf('repair') }, mode: 'observe' },
      1,
      0,
    ],
  ])('in observe: %s', async (_words, scene, actions, left) => {
    const { part } = await planned({ there: RELEASED, ...scene })
    expect([part.actions.length, part.left.length, part.obstacles.length]).toEqual([actions, left, 0])
  })

  it('refuses what only a person can move, to the records that it is about', async () => {
    const theirs = refusalOf('b', { failure: FOREIGN })
    const { part } = await planned({
      there: WANTED,
      about: { records: [1, 2] },
      target: { obstacles: () => [theirs, refusalOf('c', { failure: FOREIGN })] },
    })
    expect(part).toMatchObject({
      actions: [],
      obstacles: [FOREIGN.message],
      refused: [{ domain_id: 2, domain: 'b.example.com', code: 'foreign_owner', message: FOREIGN.message }],
    })
  })

  it('does what it can beside one thing that only a person can move', async () => {
    const obstacles = () => [refusalOf('b', { failure: FOREIGN })]
    const { part } = await planned({ there: RELEASED, target: { obstacles } })
    expect(part.actions.map(({ item }) => item)).toEqual(['item a'])
    expect(part.refused.map(({ domain }) => domain)).toEqual(['b.example.com'])
  })

  it('leaves what was refused to others to its own time, and tells nothing of it', async () => {
    const there = { a: 'old', b: 'theirs' }
    const refused_items = new RefusedItems()
    const [, of_b] = differencesOf(WANTED, there)
    refused_items.note(itemTarget({}), new Map([[of_b!, refusalOf('b')]]), {
      untried: new Map(),
      now: LOOKED_AT,
      random: 0,
    })
    const explained = [
      { item: 'item a', cause: 'pending_deploy', domains: ['a.example.com'] },
      { item: 'item b', cause: 'edited', domains: ['b.example.com'] },
    ] as const
    const tells = (domains: readonly string[]) => domains.includes('a.example.com')
    const scene = { there, refused_items, explained, about: { records: [1], tells } }
    const { part } = await planned(scene)
    expect(part.actions.map(({ item }) => item)).toEqual(['item a'])
    expect(part.details.map(({ item }) => item)).toEqual(['item a'])
    const { part: of_all } = await planned({ ...scene, about: { records: 'all' } })
    expect(of_all.actions.map(({ item }) => item)).toEqual(['item a', 'item b'])
  })

  it.each([
    ['edited', true],
    ['foreign_owner', false],
    ['orphan', false],
  ] as const)('details of others, %s: told %s', async (cause, is_told) => {
    const explained = [{ item: 'item b', cause, domains: ['b.example.com'] }]
    const { part } = await planned({ there: RELEASED, explained, about: { tells: () => false } })
    expect(part.details.length).toBe(is_told ? 1 : 0)
    const { part: own } = await planned({ there: RELEASED, explained })
    expect(own.details.length).toBe(1)
  })

  describe('of something that is written as a whole', () => {
    const explained = [
      { item: 'item b', cause: 'edited', detail: 'by hand', domains: ['b.example.com'] },
    ] as const
    const UNDONE =
      'fake is written as a whole: what was edited by hand of b.example.com is undone by it (item b: by hand).'

    it.each<[string, Pick<Scene, 'target' | 'is_written'>, readonly unknown[]]>([
      ['names the edits of others that go with it', {}, [UNDONE]],
      ['and none where parts are written', { target: { whole: false } }, []],
      [
        'and leaves alone what was there before our first write',
        { is_written: false },
        [expect.stringContaining('was there before Plumbline first wrote to it')],
      ],
    ])('%s', async (_words, scene, obstacles) => {
      const { part } = await planned({
        there: { a: 'old', b: 'theirs' },
        explained,
        ...scene,
        target: { whole: true, ...scene.target },
      })
      expect(part.obstacles).toEqual(obstacles)
    })

    it('tells no edit where nothing of ours stood and nothing is in the way', async () => {
      const { part } = await planned({ there: {}, is_written: false, explained, target: { whole: true } })
      expect(part.obstacles).toEqual([])
    })
  })
})
