/** What a pass leaves as it is: by its mode, by a person’s word, because it was refused, or because nothing differs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IgnoredDifference, seenOf } from '../../../src/engine/pass/ignored.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { differencesOf, ITEM_IDS, type Items, refusalOf, SLOW } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'
import { wholeWorld } from '../whole-world.ts'
import { done, passRig as rigOn, type PassRig, type PassRigOptions, settle } from './pass-rig.ts'

let store_rig: Rig
beforeAll(async () => {
  store_rig = await openRig({ started: false })
})
afterAll(() => store_rig[Symbol.asyncDispose]())

const passRig = (options?: PassRigOptions) => rigOn(store_rig.store, options)
const WANTED: Items = { a: 'new', b: 'new' }
const itemOf = (key: string, is_repaired: boolean) => ({
  domain_ids: [ITEM_IDS[key]!],
  item: `item ${key}`,
  repaired: is_repaired,
})
const appliedAt = ({ parts, target }: PassRig) => parts.memory.applied(target)
const refused = (key: string) => ({ key, ok: false, failure: SLOW }) as const

/** One whose world is what was released, and known as such. */
const settled = (options?: PassRigOptions, wanted = WANTED) => settle(passRig(options), wanted)

describe('in the mode observe', () => {
  it('an edit is told and left, with what a person has to move', async () => {
    const rig = await settled({ mode: 'observe', target: { obstacles: () => [refusalOf('c')] } })
    rig.there = { a: 'theirs', b: 'new' }
    const applied = appliedAt(rig)
    rig.clock.pass(7)
    expect(await rig.pass()).toMatchObject({
      outcome: 'left_drifting',
      differences: 2,
      repaired: 0,
      failure: null,
      items: [itemOf('a', false), itemOf('c', false)],
      observed_at: rig.clock.now(),
    })
    expect(rig.writes).toEqual([])
    // Nothing is kept anew.
    expect(appliedAt(rig)).toBe(applied)
  })

  it('a caller has all of it written', async () => {
    const rig = await settled({ mode: 'observe' })
    rig.there = { a: 'theirs', b: 'theirs' }
    expect(await rig.pass({ asked_for: [1] })).toMatchObject({ outcome: 'repaired', repaired: 2 })
  })

  it('a release is carried out, and an edit beside it is left and told', async () => {
    const rig = await settled({ mode: 'observe' })
    rig.there = { a: 'new', b: 'theirs' }
    await rig.release({ a: 'newer', b: 'new' })
    const report = await rig.pass()
    expect(report).toMatchObject({
      outcome: 'left_drifting',
      differences: 2,
      repaired: 1,
      items: [itemOf('a', true), itemOf('b', false)],
    })
    expect(rig.there).toEqual({ a: 'newer', b: 'theirs' })
  })

  it('a release that fails beside an edit is told as failed', async () => {
    const rig = await settled({ mode: 'observe' })
    rig.there = { a: 'new', b: 'theirs' }
    await rig.release({ a: 'newer', b: 'new' })
    rig.onApply = (keys) => keys.map(refused)
    expect(await rig.pass()).toMatchObject({
      outcome: 'failed',
      failure: SLOW,
      differences: 2,
      items: [itemOf('a', false), itemOf('b', false)],
    })
  })

  it('an edit is told beside a release that was kept from the world as a whole', async () => {
    const rig = await settled({ mode: 'observe' })
    rig.there = { a: 'new', b: 'theirs' }
    await rig.release({ a: 'newer', b: 'new' })
    const assertNewest = () => Promise.reject(new Failure('restored_from_backup', 'older'))
    Object.assign(rig.parts, { world: Object.assign(wholeWorld(store_rig.store), { assertNewest }) })
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', items: [itemOf('b', false)] })
  })

  it('a release of which nothing is owed is known as applied, and the world as it was left before', async () => {
    const rig = await settled({ mode: 'observe' })
    const before = appliedAt(rig)!
    rig.there = { a: 'theirs', b: 'new' }
    const desired = { ...WANTED, c: 'new' }
    await rig.release(desired)
    rig.there = { ...rig.there, c: 'new' }
    rig.parts.refused_items.noteRest(rig.target.key, 'p', { desired: WANTED, digest: 'p' })
    expect(await rig.pass()).toMatchObject({ outcome: 'left_drifting', differences: 1, repaired: 0 })
    expect(appliedAt(rig)).toMatchObject({ digest: JSON.stringify(desired), observed: before.observed })
    expect(rig.parts.refused_items.rest(rig.target.key)).toBeNull()
    expect(rig.writes).toEqual([])
  })
})

describe('what a person has said may stay', () => {
  const EDITED: Items = { a: 'theirs', b: 'new' }
  const ended: unknown[] = []
  const ignored = (is_ours: () => boolean = () => true) => ({
    of: (key: string): readonly IgnoredDifference[] =>
      is_ours()
        ? [
            {
              item: 'item a',
              key,
              part: 'a',
              component: 'fake',
              seen: seenOf(differencesOf(WANTED, EDITED)[0]!),
              reason: 'known',
              actor: 'alice',
              created_at: 0,
              until: Infinity,
            },
          ]
        : [],
    ended: (rows: readonly IgnoredDifference[], why: string) => void ended.push([rows.length, why]),
  })

  it('stays, and is told', async () => {
    const rig = await settled({ parts: { ignored: ignored() } })
    rig.there = EDITED
    const applied = appliedAt(rig)
    rig.clock.pass(1)
    expect(await rig.pass()).toMatchObject({ outcome: 'left_drifting', items: [itemOf('a', false)] })
    // Nothing is kept anew.
    expect(appliedAt(rig)).toBe(applied)
    expect(rig.writes).toEqual([])
  })

  it('stays beside what is repaired', async () => {
    const rig = await settled({ parts: { ignored: ignored() } })
    rig.there = { ...EDITED, b: 'theirs' }
    expect(await rig.pass()).toMatchObject({
      outcome: 'left_drifting',
      differences: 2,
      repaired: 1,
      items: [itemOf('b', true), itemOf('a', false)],
    })
    expect(rig.there).toEqual(EDITED)
  })

  const OF_NOBODY: PassRigOptions['target'] = {
    diff: (desired, state) =>
      differencesOf(desired as Items, state as Items).map((one) => {
        const { domain_ids: _, ...nobodys } = one
        return nobodys
      }),
  }
  it.each<[who: string, asked_for: readonly number[], is_written: boolean, PassRigOptions['target']?]>([
    ['whoever asks for its record', [1], true],
    ['whoever asks for another', [2], false],
    ['whoever asks for any, where it is no record’s', [2], true, OF_NOBODY],
  ])('is written for %s: %s', async (_who, asked_for, is_written, of = {}) => {
    const rig = await settled({ target: of, parts: { ignored: ignored() } })
    rig.there = EDITED
    await rig.pass({ asked_for })
    expect(rig.there).toEqual(is_written ? WANTED : EDITED)
  })

  it('is known as applied where it is all that is left of a release, of a key that was never written, too', async () => {
    const rig = passRig({ parts: { ignored: ignored() } })
    await rig.release(WANTED)
    rig.there = EDITED
    expect(await rig.pass()).toMatchObject({ outcome: 'left_drifting' })
    expect(appliedAt(rig)).toMatchObject({ digest: JSON.stringify(WANTED), observed: '' })
  })

  it('has ended where nothing differs any more', async () => {
    const rig = await settled()
    Object.assign(rig.parts, { ignored: ignored() })
    ended.length = 0
    await rig.pass()
    expect(ended).toEqual([[1, 'same']])
  })
})

describe('items that were refused', () => {
  /** Of which b was refused. */
  async function refusedB(options?: PassRigOptions): Promise<PassRig> {
    const rig = passRig(options)
    await rig.release(WANTED)
    rig.onApply = (keys) => keys.map((key) => (key === 'b' ? refused(key) : done(key)))
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', failure: SLOW, repaired: 1 })
    return Object.assign(rig, { writes: [] })
  }
  const restStands = ({ parts, target }: PassRig) =>
    parts.refused_items.restStands(target.key, JSON.stringify(WANTED))

  it('leave the rest as known to stand, where parts are written', async () => {
    expect(restStands(await refusedB())).toBe(true)
    expect(restStands(await refusedB({ target: { whole: true } }))).toBe(false)
  })

  it('are not known to stand where some are unfinished', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.onApply = (keys) =>
      keys.map((key) => (key === 'a' ? { ...refused(key), unfinished: true } : refused(key)))
    await rig.pass()
    expect(restStands(rig)).toBe(false)
  })

  it('wait, and are told with what a person has to move', async () => {
    const rig = await refusedB({ target: { obstacles: () => [refusalOf('c', { beside: true })] } })
    rig.onApply = (keys) => keys.map(done)
    rig.clock.pass(1_000)
    expect(await rig.pass()).toMatchObject({
      outcome: 'failed',
      failure: SLOW,
      differences: 2,
      repaired: 0,
      refusals: [refusalOf('b'), refusalOf('c', { beside: true })],
      items: [itemOf('b', false)],
    })
    await rig.pass()
    expect(rig.writes).toEqual([])
    rig.clock.pass(100_000)
    await rig.pass()
    expect(rig.writes).toMatchObject([{ keys: ['b'] }])
  })

  it('are forgotten once nothing of them differs, while others wait', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.onApply = (keys) => keys.map(refused)
    await rig.pass()
    rig.there = { a: 'new' }
    await rig.pass()
    rig.there = {}
    rig.onApply = (keys) => keys.map(done)
    await rig.pass()
    expect(rig.writes.at(-1)!.keys).toEqual(['a'])
  })

  it('wait while others are repaired', async () => {
    const rig = await refusedB()
    rig.there = { a: 'theirs' }
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', repaired: 1, refusals: [refusalOf('b')] })
    expect(rig.writes).toMatchObject([{ keys: ['a'] }])
  })

  it('are tried at once for whoever asks for them', async () => {
    const rig = await refusedB()
    rig.onApply = (keys) => keys.map(done)
    expect(await rig.pass({ asked_for: [2] })).toMatchObject({ outcome: 'repaired' })
    expect(rig.writes).toMatchObject([{ keys: ['b'] }])
  })
})

describe('where nothing is left to do', () => {
  it('what only a person can move is refused', async () => {
    const rig = await settled({ target: { obstacles: () => [refusalOf('c')] } })
    rig.clock.pass(3)
    expect(await rig.pass()).toMatchObject({
      outcome: 'refused',
      differences: 1,
      repaired: 0,
      failure: SLOW,
      refusals: [refusalOf('c')],
      observed_at: rig.clock.now(),
    })
  })

  const VACANT_TARGET = { isVacant: (desired: unknown) => Object.keys(desired as Items).length === 0 }
  it('and nothing is to stand there, whatever does stand is not ours', async () => {
    const rig = await settled({ target: VACANT_TARGET }, { a: 'new' })
    expect(rig.parts.memory.written(rig.target)).not.toBeNull()
    await rig.release({})
    rig.there = { z: 'theirs' }
    await rig.pass()
    expect(rig.parts.memory.written(rig.target)).toBeNull()
    const applied = appliedAt(rig)
    await rig.pass()
    expect(appliedAt(rig)).toBe(applied)
  })

  it('and nothing is to stand there any more, what was kept as ours is not', async () => {
    const rig = await settled({}, {})
    expect(rig.parts.memory.written(rig.target)).not.toBeNull()
    Object.assign(rig.target, VACANT_TARGET)
    await rig.pass()
    expect(rig.parts.memory.written(rig.target)).toBeNull()
  })
})
