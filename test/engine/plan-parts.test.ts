/** What a plan is put together from: which targets it looks at, and what it says of each side. */
import { describe, expect, it } from 'vitest'
import type { AnyTarget } from '../../src/engine/target.ts'
import type { Intent } from '../../src/model/intent.ts'
import { aRow } from '../fixtures.ts'
import { type Items, refusalOf, SLOW } from './item-target.ts'
import { A, B, C, clock, moves, explained, aTarget, unasked, planOf, type Scene } from './plan-scene.ts'

describe('a plan', () => {
  it('of nothing says from which release, and of whom', async () => {
    expect(await planOf({ released: [A], release: 7, sources: [aTarget({ a: '81' })] })).toMatchObject({
      installation_id: 'here',
      scope: { kind: 'all' },
      base_release: 7,
      rows: [],
      actions: [],
      details: [],
      unified_diff: null,
      warnings: [],
      inputs: [{ component: 'fake', key: 'fake', digest: '{"a":"81"}' }],
      guards: [],
      refused: [],
      left: [],
      complete: true,
    })
  })

  it('of the first release starts from none', async () => {
    const plan = await planOf({
      rows: moves(A),
      actions: undefined!,
      refused: undefined!,
      unread: undefined!,
    })
    expect(plan.base_release).toBe(0)
    expect(plan.actions).toMatchObject([{ item: 'item a', after: '81', reason: 'release' }])
  })

  it('compares with the edition that its rows lead to, and names that', async () => {
    const asked: unknown[] = []
    const explain: AnyTarget['explain'] = ({ working, wanted_as }) => {
      asked.push([working, wanted_as])
      return { differences: [], unified_diff: null, note: null }
    }
    const release = 1
    await planOf({ released: [A], release, rows: moves(B), sources: [aTarget({}, { explain })] })
    expect(asked.at(-1)).toEqual([{ a: '81', b: '82' }, 'with this plan'])
    // A row that stands there already moves nothing.
    await planOf({
      released: [A],
      release,
      rows: moves({ ...A, revision: 1 }),
      sources: [aTarget({}, { explain })],
    })
    expect(asked.at(-1)).toEqual([{ a: '81' }, 'released edition'])
  })

  it('joins what its targets say', async () => {
    const explain = (of: string) => () => ({
      differences: [explained(`item ${of}`, 'edited')],
      unified_diff: `- ${of}`,
      note: null,
    })
    const silent = () => ({ differences: [], unified_diff: null, note: null })
    const obstacles = (key: string) => () => [
      refusalOf(key, { failure: { ...SLOW, message: `${key} is taken.` } }),
    ]
    const sources = [
      aTarget({}, { explain: explain('a'), obstacles: obstacles('a') }),
      aTarget({}, { explain: silent }),
      aTarget({}, { explain: explain('b'), obstacles: obstacles('b') }),
    ]
    const plan = await planOf({ rows: moves(A), sources, warnings: ['first'] })
    expect(plan.unified_diff).toBe('- a\n- b')
    expect(plan.details.map(({ item }) => item)).toEqual(['item a', 'item b'])
    expect(plan.warnings).toEqual(['first', 'a is taken.', 'b is taken.'])
    expect(plan.inputs).toHaveLength(3)
  })

  it('that is refused does nothing, and still says what it would move', async () => {
    const explain = () => ({ differences: [], unified_diff: '- a', note: null })
    const actions = [
      { component: 'x', verb: 'delete', item: 'y', before: 'z', after: null, reason: 'release' },
    ] as const
    const given = { rows: moves(A), sources: [aTarget({}, { explain })], actions }
    expect(await planOf({ ...given, is_refused: true })).toMatchObject({
      rows: [{ domain: A.domain }],
      actions: [],
      unified_diff: null,
    })
    const plan = await planOf(given)
    expect(plan.unified_diff).toBe('- a')
    expect(plan.actions).toMatchObject([
      { component: 'fake' },
      { ...actions[0], needs: [], of_neighbour: false },
    ])
  })

  it('of what could not be asked is incomplete, and names it', async () => {
    const unread = [{ component: 'x', key: 'x:1', detail: 'nobody answers' }]
    expect(await planOf({ unread })).toMatchObject({
      complete: false,
      inputs: [{ key: 'fake' }, { ...unread[0], digest: null, observed_at: clock.now() }],
    })
  })

  it('that could not look removes nothing, and one that could does', async () => {
    const rows = [{ domain_id: 1, row: null }]
    const unknown = { known: false, reason: 'unreachable', detail: 'why', at: 0 } as const
    const gone = { released: [A, B], release: 1, rows }
    const blind = await planOf({
      ...gone,
      sources: [aTarget({}), aTarget({}, { observe: async () => unknown })],
    })
    expect(blind).toMatchObject({ complete: false, guards: [{ rule: 'incomplete_read' }] })
    expect(await planOf(gone)).toMatchObject({ complete: true, guards: [] })
  })

  it('tells which names are protected', async () => {
    const protection = (name: string) => `serves ${name}`
    const rows = [{ domain_id: 1, row: null }]
    expect(await planOf({ released: [A, B], release: 1, rows, protection })).toMatchObject({
      guards: [{ rule: 'protected_name' }],
    })
  })

  it('has another hash with other values that it would save', async () => {
    const [one, other, same] = await Promise.all(['1', '2', '1'].map((values) => planOf({ values })))
    expect(other!.hash).not.toBe(one!.hash)
    expect(same!.hash).toBe(one!.hash)
  })

  it('that sets a mode says what is left by it', async () => {
    const mode = { scope: 'fake', mode: 'suspend', reason: 'holidays', actor: 'a', expires_at: null } as const
    const plan = await planOf({ rows: moves(A), mode })
    expect(plan.left).toMatchObject([{ component: 'fake', mode: 'suspend', differences: 1 }])
    expect(plan.actions).toEqual([])
  })
})

describe('the order of actions', () => {
  it('has each wait for the components before its own, each once', async () => {
    const of = (name: string, key: string, there: Items) => aTarget(there, { name, key })
    const sources = [
      of('dns', 'dns:1', {}),
      of('dns', 'dns:2', {}),
      of('idle', 'idle', { a: '81' }),
      of('routes', 'routes', {}),
    ]
    const plan = await planOf({ rows: moves(A), sources })
    expect(plan.actions.map(({ component, needs }) => [component, needs])).toEqual([
      ['dns', []],
      ['dns', []],
      ['routes', ['dns']],
    ])
  })
})

describe('a plan looks', () => {
  it('at the keys of both editions', async () => {
    const keys = new Map([A, B].map(({ domain }) => [domain, aTarget({}, { key: domain, artifact: 'fake' })]))
    const family = {
      ...aTarget({}),
      targetsFor: ({ rows }: Intent) => rows.flatMap(({ fields }) => keys.get(fields.domain) ?? []),
    }
    const rows = [{ domain_id: 1, row: null }, ...moves(B)]
    const plan = await planOf({ released: [A], release: 1, rows, sources: [family] })
    expect(plan.inputs.map(({ key }) => key)).toEqual([A.domain, B.domain])
  })

  it('nowhere for a call that only saves', async () => {
    const plan = await planOf({ rows: moves(A), reach: { records: [] }, sources: [unasked('fake')] })
    expect(plan).toMatchObject({ inputs: [], actions: [], complete: true, rows: [{ domain: A.domain }] })
  })

  it('at no component that is none of the call’s', async () => {
    const reach = { records: 'all', component: 'fake' } as const
    const plan = await planOf({ reach, sources: [aTarget({}), unasked('other')] })
    expect(plan.inputs.map(({ key }) => key)).toEqual(['fake'])
  })

  const OLD = { ...A, domain: 'old.example.com' }
  it.each<[edition: string, given: Scene]>([
    ['as it would be', { rows: moves(A), released: [OLD], release: 1 }],
    ['as it is released', { released: [A], release: 1, rows: moves(OLD) }],
    ['as it is saved', { working: [A] }],
    ['as it was asked for and refused', { about: [aRow(A)], released: [OLD], release: 1 }],
  ])('at what has to do with its record %s', async (_edition, given) => {
    const concerns: AnyTarget['concerns'] = ({ fields }) => fields.domain === A.domain
    const nobodys = unasked('other', { concerns: ({ fields }) => fields.domain === C.domain })
    const sources = [aTarget({}, { concerns }), nobodys]
    const plan = await planOf({ ...given, reach: { records: [1] }, sources })
    expect(plan.inputs.map(({ key }) => key)).toEqual(['fake'])
  })
})
