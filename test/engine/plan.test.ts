/** Plans: the hash names the whole of what would happen and what that rests on; the parts come in a safe order. */
import { describe, expect, it } from 'vitest'
import { Components } from '../../src/engine/components.ts'
import { makePlan, type PlanRequest } from '../../src/engine/plan.ts'
import { Memory } from '../../src/engine/memory.ts'
import { RefusedItems } from '../../src/engine/pass/refused-items.ts'
import { Editions } from '../../src/engine/editions/editions.ts'
import { ObservationOrder } from '../../src/engine/observation.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { Failure } from '../../src/kernel/failure.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import { isEmptyPlan, type Plan, sealPlan } from '../../src/model/plan.ts'
import { aRow } from '../fixtures.ts'
import { fakeTarget, type FakeWorld, fakeWorld } from './fake-target.ts'
import { openRig, type Rig } from './rig.ts'

type Unsealed = Omit<Plan, 'hash' | 'applyable'>

const PLAN: Unsealed = {
  installation_id: 'here',
  scope: { kind: 'all' },
  base_release: 7,
  rows: [{ domain_id: 1, domain: 'a.example.com', change: 'update', revision: 3 }],
  actions: [
    {
      component: 'routes',
      verb: 'update',
      item: 'routes.yml',
      before: 'x',
      after: 'y',
      reason: 'release',
      of_neighbour: false,
      needs: [],
    },
  ],
  details: [],
  unified_diff: null,
  warnings: [],
  inputs: [{ component: 'routes', key: 'routes', digest: 'd', detail: null, observed_at: 1 }],
  guards: [],
  left: [],
  refused: [],
  complete: true,
}
const [ROW, ACTION, INPUT] = [PLAN.rows[0]!, PLAN.actions[0]!, PLAN.inputs[0]!]
const HIT = { rule: 'bulk_removal', message: '6 of 12', confirmable: true } as const

const scopeOf = (set: object) =>
  ({ kind: 'records', domain_ids: [], edits: [{ id: 1, revision: 3, set: { ...set } }], create: [] }) as const

describe('the hash of a plan', () => {
  const { hash } = sealPlan(PLAN)

  it('is SHA-256 in lower-case hexadecimal, and equal for equal plans in whatever order they are spelled', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const turned = Object.fromEntries(Object.entries(structuredClone(PLAN)).reverse()) as unknown as Unsealed
    expect(sealPlan(turned).hash).toBe(hash)
  })

  it.each<[string, Partial<Unsealed>]>([
    ['installation', { installation_id: 'there' }],
    ['values that nobody has saved', { scope: scopeOf({ note: 'x' }) }],
    ['base release', { base_release: 8 }],
    ['rows: none', { rows: [] }],
    ['row: another domain', { rows: [{ ...ROW, domain_id: 2 }] }],
    ['row: name', { rows: [{ ...ROW, domain: 'b.example.com' }] }],
    ['row: change', { rows: [{ ...ROW, change: 'remove' }] }],
    ['row: revision', { rows: [{ ...ROW, revision: 4 }] }],
    ['row: fields', { rows: [{ ...ROW, fields: { note: { before: null, after: 'x' } } }] }],
    ['actions: none', { actions: [] }],
    ['actions: twice', { actions: [ACTION, ACTION] }],
    ['action: component', { actions: [{ ...ACTION, component: 'dns' }] }],
    ['action: verb', { actions: [{ ...ACTION, verb: 'delete' }] }],
    ['action: item', { actions: [{ ...ACTION, item: 'other.yml' }] }],
    ['action: before', { actions: [{ ...ACTION, before: null }] }],
    ['action: after', { actions: [{ ...ACTION, after: 'z' }] }],
    ['action: reason', { actions: [{ ...ACTION, reason: 'repair' }] }],
    ['action: whose', { actions: [{ ...ACTION, of_neighbour: true }] }],
    ['action: needs', { actions: [{ ...ACTION, needs: ['dns'] }] }],
    ['input: key', { inputs: [{ ...INPUT, key: 'dns' }] }],
    ['input: what was seen', { inputs: [{ ...INPUT, digest: 'e' }] }],
    ['input: a failed look', { inputs: [{ ...INPUT, digest: null }] }],
    ['guards', { guards: [HIT] }],
    ['complete', { complete: false }],
  ])('differs with its %s', (_part, over) => {
    expect(sealPlan({ ...PLAN, ...over }).hash).not.toBe(hash)
  })

  it.each<[string, Partial<Unsealed>]>([
    ['when it was looked', { inputs: [{ ...INPUT, observed_at: 2 }] }],
    ['the words of a failed look', { inputs: [{ ...INPUT, detail: 'why' }] }],
    ['warnings', { warnings: ['mind the gap'] }],
    ['the unified diff', { unified_diff: '- x\n+ y\n' }],
    ['the call that does the same', { scope: { kind: 'call' } }],
    ['how its records were named', { scope: { kind: 'domain', domain_id: 1 } }],
    ['the same records in a list', { scope: { kind: 'records', domain_ids: [1], edits: [], create: [] } }],
  ])('does not differ with %s', (_part, over) => {
    expect(sealPlan({ ...PLAN, ...over }).hash).toBe(hash)
  })
})

describe('a plan', () => {
  it.each([
    ['without guards', [], true],
    ['with a guard that a confirmation lifts', [HIT], true],
    ['with one that nothing lifts', [HIT, { ...HIT, confirmable: false }], false],
  ])('%s: applyable', (_name, guards, applyable) => {
    expect(sealPlan({ ...PLAN, guards }).applyable).toBe(applyable)
  })

  it.each([
    ['neither rows nor actions', [], [], true],
    ['a row alone', [ROW], [], false],
    ['an action alone', [], [ACTION], false],
  ])('of %s: empty', (_name, rows, actions, empty) => {
    expect(isEmptyPlan({ rows, actions, refused: [] })).toBe(empty)
  })

  it('of what is refused alone: not empty', () => {
    const refused = [{ domain_id: 1, domain: 'a.example.com', code: 'foreign_owner', message: '' }] as const
    expect(isEmptyPlan({ rows: [], actions: [], refused })).toBe(false)
  })
})

interface Worlds {
  readonly dns: FakeWorld
  readonly sso: FakeWorld
  readonly routes: FakeWorld
}

const worlds = (): Worlds => ({ dns: fakeWorld(), sso: fakeWorld(), routes: fakeWorld() })

/** Three components over one store, in the order in which a deploy works on them. */
function planOver(
  rig: Rig,
  among: Worlds,
  { sso = {}, ...request }: Partial<PlanRequest> & { readonly sso?: Partial<AnyTarget> },
): Promise<Plan> {
  const targets: AnyTarget[] = Object.entries(among).map(([name, world]) =>
    fakeTarget(world as FakeWorld, { name, key: name, ...(name === 'sso' && sso) }),
  )
  const parts = {
    store: rig.store,
    editions: new Editions(rig.store),
    protection: () => null,
    clock: systemClock,
    looks: new ObservationOrder(),
    memory: new Memory(rig.store, systemClock, 'repair'),
    refused_items: new RefusedItems(),
    seen: async () => undefined,
  }
  const wanted: PlanRequest = {
    scope: { kind: 'all' },
    reach: { records: 'all' },
    rows: [],
    warnings: [],
    ...request,
  }
  return makePlan(new Components(targets), parts, wanted, AbortSignal.timeout(60_000))
}

const NEW_ROW = { domain_id: 9, row: aRow({ domain_id: 9, domain: 'new.example.com', backend_port: 81 }) }
const NEW = 'new.example.com 81\n'

describe('what a plan shows of the world', () => {
  it('is ordered as it would be done, and each action needs the components that act before it', async () => {
    await using rig = await openRig({ started: false })
    const plan = await planOver(rig, worlds(), { rows: [NEW_ROW] })
    expect(plan.actions).toMatchObject([
      { component: 'dns', verb: 'create', before: null, after: NEW, reason: 'release', needs: [] },
      { component: 'sso', needs: ['dns'] },
      { component: 'routes', needs: ['dns', 'sso'] },
    ])
    expect(plan).toMatchObject({
      rows: [{ domain_id: 9, domain: 'new.example.com', change: 'add', revision: 1 }],
      complete: true,
      applyable: true,
      base_release: 1,
    })
  })

  it('needs nothing of a component that has nothing to do', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    among.sso.content = NEW
    const plan = await planOver(rig, among, { rows: [NEW_ROW] })
    expect(plan.actions.map(({ component, needs }) => [component, needs])).toEqual([
      ['dns', []],
      ['routes', ['dns']],
    ])
  })

  it('is the same twice, hash and all, and another after the world moved', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    const first = await planOver(rig, among, { rows: [NEW_ROW] })
    expect((await planOver(rig, among, { rows: [NEW_ROW] })).hash).toBe(first.hash)
    among.sso.content = 'a stranger'
    expect((await planOver(rig, among, { rows: [NEW_ROW] })).hash).not.toBe(first.hash)
  })

  it('tells what would stand in the way of what it would do, and of nothing else', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    const foresee: AnyTarget['foresee'] = (differences) =>
      Promise.resolve(differences.map(({ item }) => `${item} will be refused.`))
    const plan = await planOver(rig, among, { rows: [NEW_ROW], warnings: ['first'], sso: { foresee } })
    expect(plan.warnings).toEqual(['first', 'the fake will be refused.'])
    among.sso.content = NEW
    expect((await planOver(rig, among, { rows: [NEW_ROW], sso: { foresee } })).warnings).toEqual([])
  })

  it('says so where that could not be found out', async () => {
    await using rig = await openRig({ started: false })
    const foresee = () => Promise.reject(new Failure('component_unavailable', 'nobody answers'))
    const plan = await planOver(rig, worlds(), { rows: [NEW_ROW], sso: { foresee } })
    expect(plan).toMatchObject({ warnings: ['sso: nobody answers'], complete: true, applyable: true })
  })

  it('is incomplete when one look fails, names it, and shows what the others would do', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    among.sso.look = 'unknown'
    const plan = await planOver(rig, among, { rows: [NEW_ROW] })
    expect(plan.complete).toBe(false)
    expect(plan.inputs).toMatchObject([
      { component: 'dns', detail: null },
      { component: 'sso', digest: null, detail: 'the fake is unreadable' },
      { component: 'routes', detail: null },
    ])
    expect(plan.actions.map(({ component }) => component)).toEqual(['dns', 'routes'])
  })

  it('is not applyable when it removes something and a look failed', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    const among = worlds()
    among.dns.look = 'unknown'
    const plan = await planOver(rig, among, { rows: [{ domain_id: 1, row: null }] })
    expect(plan).toMatchObject({ complete: false, applyable: false, guards: [{ rule: 'incomplete_read' }] })
    expect(plan.rows).toMatchObject([{ domain: 'app.example.com', change: 'remove', revision: null }])
  })

  it('names under which name a record is served until then, where that is another one', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    const row = aRow({ domain_id: 1, domain: 'new.example.com', backend_port: 80 })
    const plan = await planOver(rig, worlds(), { rows: [{ domain_id: 1, row }] })
    expect(plan.rows).toMatchObject([
      { domain: 'new.example.com', change: 'update', renamed_from: 'app.example.com' },
    ])
  })

  it('of one component looks at no other', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    among.dns.look = 'hangs'
    const plan = await planOver(rig, among, {
      scope: { kind: 'component', component: 'sso' },
      reach: { records: 'all', component: 'sso' },
    })
    expect(plan.inputs.map(({ component }) => component)).toEqual(['sso'])
    expect(among.routes.looks).toBe(0)
  })

  it('changes nothing', async () => {
    await using rig = await openRig({ started: false })
    const among = worlds()
    const head = await rig.store.latestRelease()
    await planOver(rig, among, { rows: [NEW_ROW] })
    expect(await rig.store.latestRelease()).toEqual(head)
    expect(Object.values(among).flatMap(({ writes }: FakeWorld) => writes)).toEqual([])
  })
})
