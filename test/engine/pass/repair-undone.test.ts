/** What a repair keeps of a stranger’s edit that it wrote over, and of a write that failed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_REVERTS, siegeOf } from '../../../src/engine/pass/fight.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Whose } from '../../../src/model/whose.ts'
import { differencesOf, type Items, refusalOf, SLOW } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'
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
const refused = (key: string) => ({ key, ok: false, failure: SLOW }) as const
const openSteps = async ({ target }: PassRig) =>
  (await store_rig.store.openSteps()).filter(({ key }) => key === target.key)
const revertsOf = async (key: string) =>
  (await store_rig.store.revertsSince(key, 0)).map(({ observed }) => observed)
const edits = async () => store_rig.store.auditTrail({ limit: 100, action: 'undo_edit' })
/** One whose world is what was released, and known as such. */
const settled = (target: Partial<AnyTarget> = {}) => settle(passRig({ target }), WANTED)

describe('a stranger’s edit that was written over', () => {
  const UNDONE = { count: 1, items: [{ item: 'item a', detail: 'by hand' }], domains: [] }
  const edited = async (target?: Partial<AnyTarget>) =>
    Object.assign(await settled(target), { there: EDITED })

  it.each<[who: string, asked_for: Whose | null, reverts: readonly string[], asked: object]>([
    ['the reconciler', null, [stringify(EDITED)], {}],
    ['a caller', 'all', [], { asked: true }],
  ])('by %s is told, logged and counted as is due', async (_who, asked_for, reverts, asked) => {
    const rig = await edited()
    const before = (await edits()).length
    rig.onApply = (keys, { kept }) => {
      kept!('/kept/1')
      return keys.map(done)
    }
    const report = await rig.pass({ asked_for })
    const undone = { ...UNDONE, kept_as: ['/kept/1'] }
    expect(report).toMatchObject({ outcome: 'repaired', undone })
    const facts = {
      component: 'fake',
      target: rig.target.key,
      release: report.release,
      ...undone,
      took_ms: 0,
    }
    expect(rig.logged).toEqual([['undid what somebody else had changed', facts]])
    expect(await revertsOf(rig.target.key)).toEqual(reverts)
    const [entry, ...others] = await edits()
    expect(others).toHaveLength(before)
    const { count, items, kept_as } = undone
    expect(entry!.detail).toEqual({
      component: 'fake',
      release: report.release,
      count,
      items,
      kept_as,
      ...asked,
    })
  })

  it('is none of what we left there, and nothing of it is told', async () => {
    const rig = await settled()
    await rig.release({ a: 'newer', b: 'new' })
    const report = await rig.pass()
    expect(report).toMatchObject({ outcome: 'repaired' })
    expect(report).not.toHaveProperty('undone')
    expect(await revertsOf(rig.target.key)).toEqual([])
  })

  it.each([
    ['lets in more is counted a second time', true],
    ['keeps out whom the release keeps out is not', false],
  ])('which %s', async (_words, opens) => {
    const rig = await edited({ opens: () => opens })
    await rig.pass()
    const once = [stringify(EDITED)]
    expect(await revertsOf(rig.target.key)).toEqual(once)
    expect(await revertsOf(siegeOf(rig.target.key))).toEqual(opens ? once : [])
  })

  it('again and again is given way to, but where that leaves a door open', async () => {
    for (const opens of [false, true]) {
      const rig = await edited({ opens: () => opens })
      for (let times = 0; times < MAX_REVERTS; times++) {
        rig.there = EDITED
        expect(await rig.pass()).toMatchObject({ outcome: 'repaired' })
      }
      rig.there = EDITED
      expect(await rig.pass()).toMatchObject({ outcome: opens ? 'repaired' : 'refused' })
      expect(await rig.pass({ asked_for: 'all' })).toMatchObject({ outcome: opens ? 'clean' : 'repaired' })
    }
  })

  it('is none of what was owed still: that never stood there', async () => {
    const rig = await edited()
    const of_a = differencesOf(WANTED, EDITED)[0]!
    rig.parts.refused_items.note(rig.target, new Map([[of_a, refusalOf('a')]]), {
      untried: new Map(),
      now: 0,
      random: 0,
      owed: new Set(['a']),
    })
    rig.there = { a: 'theirs', b: 'theirs' }
    expect(await rig.pass({ asked_for: 'all' })).toMatchObject({
      outcome: 'repaired',
      repaired: 2,
      undone: { count: 1, items: [{ item: 'item b' }] },
    })
  })

  it('that cannot be told is written over all the same, and the log says where it is kept', async () => {
    const error = new Error('no words')
    const explain = () => {
      throw error
    }
    const rig = await edited({ explain })
    rig.onApply = (keys, { kept }) => {
      kept!('/kept/1')
      return keys.map(done)
    }
    const report = await rig.pass()
    expect(report).toMatchObject({ outcome: 'repaired' })
    expect(report).not.toHaveProperty('undone')
    expect(rig.logged[0]).toEqual([
      'what was undone of somebody else is not known',
      { target: rig.target.key, kept_as: ['/kept/1'], error },
    ])
  })
})

describe('after a write that failed', () => {
  /** Somebody is faster: what was written of these is another's again when it is looked at. */
  const overwritten = (rig: PassRig, there: Items) => {
    const before = rig.looks
    rig.onLook = (nth) => {
      if (nth === before + 2) rig.there = there
    }
  }

  it.each([false, true])(
    'the step has ended, and nothing of a refused one was undone (whole: %s)',
    async (whole) => {
      const rig = await settled({ whole })
      rig.there = EDITED
      rig.onApply = (keys) => keys.map(refused)
      const report = await rig.pass()
      expect(report).toMatchObject({ outcome: 'failed', failure: SLOW })
      expect(report).not.toHaveProperty('undone')
      expect([await openSteps(rig), await revertsOf(rig.target.key), rig.logged]).toEqual([[], [], []])
    },
  )

  it.each<[who: string, asked_for: Whose | null, reverts: number, asked: object]>([
    ['the reconciler', null, 1, {}],
    ['a caller', 'all', 0, { asked: true }],
  ])('what was undone before that is told and counted, of %s', async (_who, asked_for, reverts, asked) => {
    const rig = await settled()
    rig.there = { a: 'theirs', b: 'theirs' }
    const before = (await edits()).length
    rig.onApply = (keys) => keys.map((key) => (key === 'b' ? refused(key) : done(key)))
    const report = await rig.pass({ asked_for })
    expect(report).toMatchObject({ outcome: 'failed', repaired: 1, undone: { count: 1 } })
    expect(await revertsOf(rig.target.key)).toHaveLength(reverts)
    const [entry, ...others] = await edits()
    expect(others).toHaveLength(before)
    expect(entry!.detail).toEqual({
      component: 'fake',
      release: report.release,
      count: 1,
      items: [{ item: 'item a', detail: 'by hand' }],
      kept_as: [],
      ...asked,
    })
  })

  it('one that somebody was faster than is counted', async () => {
    const rig = await settled()
    rig.there = EDITED
    overwritten(rig, EDITED)
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', failure: { code: 'conflict' } })
    expect(await revertsOf(rig.target.key)).toEqual([stringify(EDITED)])
  })

  it.each<[what: string, whole: boolean, is_ours: boolean]>([
    ['the place of a first whole write is ours, and nothing that stands there', true, true],
    ['of parts nothing is ours yet', false, false],
  ])('%s', async (_what, whole, is_ours) => {
    const rig = passRig({ target: { whole } })
    await rig.release(WANTED)
    overwritten(rig, EDITED)
    await rig.pass()
    const applied = appliedAt(rig)
    if (!is_ours) return expect(applied).toBeNull()
    expect(applied).toMatchObject({ digest: '{}', observed: '{}' })
    expect(await store_rig.store.applied()).toContainEqual(applied)
  })

  it('a first write that was refused makes nothing ours', async () => {
    const rig = passRig({ target: { whole: true } })
    await rig.release(WANTED)
    rig.onApply = (keys) => keys.map(refused)
    await rig.pass()
    expect(appliedAt(rig)).toBeNull()
  })

  it('what was known as ours stays known', async () => {
    const rig = await settled({ whole: true })
    const applied = appliedAt(rig)
    rig.there = EDITED
    overwritten(rig, EDITED)
    await rig.pass()
    expect(appliedAt(rig)).toBe(applied)
  })

  it('a step that the store will not end stays open, and the pass says what failed first', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    const error = new Failure('storage_full', 'no room')
    rig.onApply = (keys) => {
      Object.assign(rig.parts.store, { write: () => Promise.reject(error) })
      return keys.map(refused)
    }
    const store = Object.create(store_rig.store)
    store.write = store_rig.store.write.bind(store_rig.store)
    Object.assign(rig.parts, { store, refused_items: new RefusedItems() })
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', failure: SLOW })
    const [step] = await openSteps(rig)
    expect(rig.logged).toEqual([
      ['journal step left open', { step: step!.id, target: rig.target.key, error }],
    ])
  })
})
