/** What a pass that writes asks before it, and what it keeps of a write that went through. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { differencesOf, type Items, refusalOf } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'
import { wholeWorld } from '../whole-world.ts'
import { done, passRig as rigOn, type PassRig, type PassRigOptions, settle } from './pass-rig.ts'

let store_rig: Rig
beforeAll(async () => {
  store_rig = await openRig({ started: false })
})
afterAll(() => store_rig[Symbol.asyncDispose]())

const passRig = (options?: PassRigOptions) => rigOn(store_rig.store, options)
const { stringify } = JSON
const WANTED: Items = { a: 'new', b: 'new' }
const EDITED: Items = { a: 'theirs', b: 'new' }
const appliedAt = ({ parts, target }: PassRig) => parts.memory.applied(target)
const openSteps = async ({ target }: PassRig) =>
  (await store_rig.store.openSteps()).filter(({ key }) => key === target.key)
const FULL = () => Promise.reject(new Failure('storage_full', 'no room'))

/** One whose world is what was released, and known as such. */
const settled = (target: Partial<AnyTarget> = {}) => settle(passRig({ target }), WANTED)

describe('before the write', () => {
  it.each<[what: string, target: Partial<AnyTarget>, evidence: boolean]>([
    ['parts of a key that we never wrote', {}, false],
    ['the whole of one', { whole: true }, true],
  ])('%s are kept as evidence: %3$s', async (_what, target, evidence) => {
    const rig = passRig({ target })
    await rig.release(WANTED)
    await rig.pass()
    expect(rig.writes.map(({ context }) => context.evidence)).toEqual([evidence])
  })

  it.each<[what: string, there: Items, whole: boolean, evidence: boolean]>([
    ['what we left there is no evidence', WANTED, false, false],
    ['nor is a file that we left there', WANTED, true, false],
    ['what somebody has edited is', EDITED, false, true],
  ])('%s', async (_what, there, whole, evidence) => {
    const rig = await settled({ whole })
    rig.there = there
    await rig.release({ a: 'newer', b: 'new' })
    await rig.pass()
    expect(rig.writes.map(({ context }) => context.evidence)).toEqual([evidence])
  })

  it('a database that is older than the world keeps from it, and what differs is told', async () => {
    const { installation_id } = store_rig.store
    const rig = passRig({ target: { stampIn: () => ({ installation_id, number: 99, mark: 'another' }) } })
    await rig.release(WANTED)
    const observed_at = rig.clock.now()
    rig.onLook = () => rig.clock.pass(0)
    expect(await rig.pass({ asked_for: 'all' })).toMatchObject({
      outcome: 'failed',
      differences: 2,
      repaired: 0,
      failure: { code: 'restored_from_backup' },
      observed_at,
    })
    expect([rig.writes, await openSteps(rig)]).toEqual([[], []])
  })

  it('a guard may refuse: what stood there before us is never written over', async () => {
    const rig = passRig({ target: { whole: true } })
    await rig.release(WANTED)
    rig.there = EDITED
    const observed_at = rig.clock.now()
    const report = await rig.pass({ asked_for: 'all' })
    expect(report).toMatchObject({
      outcome: 'refused',
      differences: 1,
      repaired: 0,
      failure: { code: 'refused_by_guard', message: expect.stringContaining('item a was there before') },
      observed_at,
    })
    // It is looked at once: no newer release came.
    expect([rig.looks, rig.writes, await openSteps(rig)]).toEqual([1, [], []])
    expect(rig.measured).toContainEqual([
      'plumbline_guard_hits_total',
      { component: 'fake', rule: 'not_ours' },
    ])
    const ours = await settled({ whole: true })
    ours.there = EDITED
    expect(await ours.pass()).toMatchObject({ outcome: 'repaired' })
  })

  it.each([
    ['as such', {}, false],
    ['as one that bears its own', { bears_number: true }, true],
  ])('the database’s number is put into the world, %s', async (_how, target, bears_number) => {
    const raised: unknown[] = []
    const rig = passRig({ target })
    const raise = async (...asked: unknown[]) => {
      expect([rig.writes, await openSteps(rig)]).toMatchObject([[], [{ key: rig.target.key }]])
      raised.push(asked)
    }
    Object.assign(rig.parts, { world: Object.assign(wholeWorld(store_rig.store), { raise }) })
    await rig.release(WANTED)
    const { signal } = new AbortController()
    await rig.pass({ signal })
    expect(raised).toEqual([['fake', signal, { bears_number }]])
    expect(rig.writes).toHaveLength(1)
  })

  it('without that number nothing is written, and the step has ended', async () => {
    const rig = passRig({ target: { whole: true } })
    Object.assign(rig.parts, { world: Object.assign(wholeWorld(store_rig.store), { raise: FULL }) })
    await rig.release(WANTED)
    expect(await rig.pass()).toMatchObject({
      outcome: 'failed',
      differences: 2,
      failure: { code: 'storage_full', message: 'no room' },
    })
    expect([rig.writes, await openSteps(rig), appliedAt(rig)]).toEqual([[], [], null])
  })
})

describe('after a write that went through', () => {
  const resultsOf = async (number: number) => (await store_rig.store.release(number))!.results

  it('what stands there is known as ours, with the release that has its result', async () => {
    const rig = passRig()
    const number = await rig.release(WANTED)
    rig.parts.refused_items.noteRest(rig.target.key, 'p', { desired: {}, digest: 'p' })
    await rig.pass()
    const applied = { key: rig.target.key, release: number, place: 'memory', at: rig.clock.now() }
    expect(appliedAt(rig)).toEqual({ ...applied, digest: stringify(WANTED), observed: stringify(WANTED) })
    expect(await resultsOf(number)).toEqual({ [rig.target.key]: 'repaired' })
    expect([await openSteps(rig), rig.parts.refused_items.rest(rig.target.key)]).toEqual([[], null])
    const action = ['plumbline_plan_actions_total', { component: 'fake', verb: 'create' }]
    expect(rig.measured.slice(0, 2)).toEqual([action, action])
  })

  it('nobody is told of each part who does not wait for it', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.onApply = (keys, { wrote }) => {
      wrote!(keys)
      return keys.map(done)
    }
    expect(await rig.pass()).toMatchObject({ outcome: 'repaired', repaired: 2 })
  })

  it('of our own notes alone nothing was repaired', async () => {
    const rig = passRig({
      target: {
        diff: (desired, state) =>
          differencesOf(desired as Items, state as Items).map((one) => ({ ...one, is_note: true })),
      },
    })
    const number = await rig.release(WANTED)
    expect(await rig.pass()).toMatchObject({ outcome: 'clean', differences: 0, repaired: 0, items: [] })
    expect(await resultsOf(number)).toEqual({ [rig.target.key]: 'clean' })
  })

  it('a release that came during it has no result yet', async () => {
    const rig = passRig()
    const number = await rig.release(WANTED)
    let newer = 0
    rig.onApply = async (keys) => {
      newer = await rig.release({ a: 'newer' })
      return keys.map(done)
    }
    expect(await rig.pass()).toMatchObject({ outcome: 'repaired', release: number })
    expect([await resultsOf(number), await resultsOf(newer)]).toEqual([{}, {}])
  })

  it('what stands in the way still is told beside what was repaired', async () => {
    const rig = await settled({ obstacles: () => [refusalOf('c')] })
    rig.there = EDITED
    rig.onLook = () => rig.clock.pass(1)
    const report = await rig.pass()
    expect(report).toMatchObject({
      outcome: 'refused',
      differences: 2,
      repaired: 1,
      refusals: [refusalOf('c')],
      items: [
        { item: 'item a', repaired: true },
        { item: 'item c', repaired: false },
      ],
      observed_at: rig.clock.now(),
      undone: { count: 1 },
    })
  })

  it('a stranger’s edit that was left alone is not known as ours', async () => {
    const rig = await settled()
    Object.assign(rig.parts.memory, { modeOf: () => ({ scope: '*', mode: 'observe', reason: '' }) })
    rig.there = { a: 'new', b: 'theirs' }
    await rig.release({ a: 'newer', b: 'new' })
    expect(await rig.pass()).toMatchObject({ outcome: 'left_drifting', repaired: 1 })
    expect(appliedAt(rig)).toMatchObject({ observed: stringify(WANTED) })
  })
})
