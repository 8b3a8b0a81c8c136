/** The write of a pass: whatever a target answers, what counts is what stands there afterwards. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { PassParts } from '../../../src/engine/pass/pass-parts.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { type Step, write } from '../../../src/engine/pass/write.ts'
import type { AnyTarget, Observation, Repair } from '../../../src/engine/target.ts'
import {
  differencesOf,
  ITEM_IDS,
  type Items,
  itemTarget,
  LOOKED_AT,
  refusalOf,
  seenAs,
  SLOW,
} from '../item-target.ts'

const WANTED: Items = { a: 'new', b: 'new', c: 'new' }
const OLD: Items = { a: 'old', b: 'old', c: 'old' }
const HALF = { code: 'component_unavailable', message: 'half done', retry_after_ms: 5_000 } as const
const done = (key: string): Repair => ({ key, ok: true })
const refused = (key: string): Repair => ({ key, ok: false, failure: SLOW })
const unfinished = (key: string): Repair => ({ key, ok: false, failure: HALF, unfinished: true })
/** A line of the report. */
const itemOf = (key: string, is_repaired: boolean, over: object = {}) => ({
  domain_ids: [ITEM_IDS[key]!],
  item: `item ${key}`,
  repaired: is_repaired,
  ...over,
})

interface Scene {
  readonly repairs: readonly Repair[]
  /** What stands there afterwards; null: nobody could look. */
  readonly after: Items | null
  readonly work?: Partial<Step>
  readonly target?: Partial<AnyTarget>
}

describe('the write of a pass', () => {
  let refused_items: RefusedItems
  let asked: unknown[]
  let times_owed: number
  beforeEach(() => {
    refused_items = new RefusedItems()
    asked = []
    times_owed = 0
  })

  const targetOf = (scene: Scene): AnyTarget =>
    itemTarget({ apply: async () => scene.repairs, ...scene.target })

  function written(scene: Scene) {
    const after: Observation<unknown> =
      scene.after === null
        ? {
            known: false,
            reason: 'unreachable',
            detail: 'nobody answers',
            at: LOOKED_AT,
            retry_after_ms: 7_000,
          }
        : seenAs(scene.after)
    const parts = {
      looks: {
        observe: async (_target: AnyTarget, _signal: AbortSignal, ask: unknown) => {
          asked.push(ask)
          return after
        },
      },
      clock: { now: () => LOOKED_AT },
      random: () => 0,
      refused_items,
    } as unknown as PassParts
    const work = {
      released: { desired: WANTED, digest: 'd' },
      observation: seenAs(OLD),
      differences: differencesOf(WANTED, OLD),
      waiting: new Map(),
      left_alone: new Set(),
      owed: async () => {
        times_owed++
        return new Set(['b'])
      },
      asked_for: null,
      ...scene.work,
    } as unknown as Step
    return write(targetOf(scene), parts, work)
  }

  const ALL = ['a', 'b', 'c'].map(done)

  it('that went through has no failed pass', async () => {
    const found = await written({ repairs: ALL, after: WANTED })
    expect(found).toMatchObject({ accepted: true, failed_pass: null, after: { state: WANTED } })
    expect([...found.done]).toEqual(['a', 'b', 'c'])
    expect(times_owed).toBe(0)
  })

  it.each([
    ['the reconciler itself', null, false],
    ['a caller, afresh', [1], true],
  ] as const)('looks again for %s', async (_who, asked_for, afresh) => {
    await written({ repairs: ALL, after: WANTED, work: { asked_for } })
    expect(asked).toEqual([{ afresh }])
  })

  it('is done where nobody could look, and has failed until somebody can', async () => {
    const found = await written({ repairs: ALL, after: null })
    expect([...found.done]).toEqual(['a', 'b', 'c'])
    expect(found.accepted).toBe(true)
    expect(found.failed_pass).toMatchObject({
      outcome: 'failed',
      differences: 3,
      repaired: 0,
      failure: { code: 'component_unavailable', message: 'nobody answers', retry_after_ms: 7_000 },
      refusals: [],
      items: [itemOf('a', false), itemOf('b', false), itemOf('c', false)],
    })
  })

  it('says what was refused, and carries out the rest', async () => {
    const found = await written({
      repairs: [done('a'), refused('b'), done('c')],
      after: { ...WANTED, b: 'old' },
    })
    expect(found.accepted).toBe(false)
    expect([...found.done]).toEqual(['a', 'c'])
    expect(found.failed_pass).toEqual({
      outcome: 'failed',
      differences: 3,
      repaired: 2,
      failure: SLOW,
      refusals: [refusalOf('b')],
      items: [itemOf('a', true), itemOf('b', false), itemOf('c', true)],
      observed_at: LOOKED_AT,
    })
    const [tries] = refused_items.tries('fake', differencesOf(WANTED, OLD))
    expect(tries).toMatchObject({ refusal: refusalOf('b'), until: LOOKED_AT + 90_000 })
    expect([refused_items.isOwed('fake', 'b'), times_owed]).toEqual([true, 1])
  })

  it('of what belongs to the key as a whole is refused to no record', async () => {
    const [of_a] = differencesOf({ a: 'new' }, OLD)
    const { domain_ids: _no_ones, ...difference } = of_a!
    const work = { differences: [difference] }
    const found = await written({ repairs: [refused('a')], after: { ...WANTED, a: 'old' }, work })
    expect(found.failed_pass?.refusals).toEqual([refusalOf('a', { domain_ids: [] })])
  })

  it('that somebody else met with a difference of their own has no refusals of its own', async () => {
    const found = await written({
      repairs: [done('a'), refused('b'), done('c')],
      after: { ...WANTED, b: 'old', c: 'theirs' },
    })
    expect([...found.done]).toEqual(['a'])
    expect(found.failed_pass).toMatchObject({ repaired: 1, failure: SLOW, refusals: [] })
  })

  it('of which something was refused while nobody could look says so, and nothing more', async () => {
    const found = await written({ repairs: [done('a'), refused('b'), refused('c')], after: null })
    expect(found.failed_pass).toMatchObject({ repaired: 0, failure: SLOW, refusals: [] })
    expect([...found.done]).toEqual(['a'])
  })

  it('tells what only a person can move beside what was refused', async () => {
    const found = await written({
      repairs: [done('a'), refused('b'), done('c')],
      after: { ...WANTED, b: 'old' },
      target: { obstacles: () => [refusalOf('c', { beside: true })] },
    })
    expect(found.failed_pass?.refusals).toEqual([refusalOf('b'), refusalOf('c', { beside: true })])
  })

  it('names what went wrong before what only was not reached', async () => {
    const found = await written({
      repairs: [unfinished('a'), refused('b'), done('c')],
      after: { ...OLD, c: 'new' },
    })
    expect(found.failed_pass).toMatchObject({
      failure: SLOW,
      refusals: [refusalOf('a', { failure: HALF, unfinished: true }), refusalOf('b')],
      items: [itemOf('a', false, { waits: HALF }), itemOf('b', false), itemOf('c', true)],
    })
    // What was not reached is tried again at once.
    expect(refused_items.tries('fake', differencesOf(WANTED, OLD))).toMatchObject([
      { refusal: refusalOf('b') },
    ])
  })

  it('that only takes longer was left unfinished, and nothing of it waits', async () => {
    const found = await written({
      repairs: [done('a'), unfinished('b'), unfinished('c')],
      after: { ...OLD, a: 'new' },
    })
    expect(found.accepted).toBe(false)
    expect(found.failed_pass).toMatchObject({
      outcome: 'left_unfinished',
      differences: 3,
      repaired: 1,
      failure: HALF,
      refusals: [],
      items: [itemOf('a', true), itemOf('b', false, { waits: HALF }), itemOf('c', false, { waits: HALF })],
    })
    expect(refused_items.tries('fake', differencesOf(WANTED, OLD))).toEqual([])
  })

  it.each([
    ['keeps out whom the release keeps out', false, {}],
    ['lets in more: its next try is soon', true, { pressing: true }],
  ])('that a stranger was faster than, whose state %s', async (_words, is_open, pressing) => {
    const found = await written({
      repairs: ALL,
      after: { ...WANTED, b: 'theirs' },
      target: { opens: () => is_open },
    })
    expect([...found.done]).toEqual(['a', 'c'])
    expect(found.accepted).toBe(true)
    expect(found.failed_pass).toEqual({
      outcome: 'failed',
      differences: 3,
      repaired: 2,
      failure: {
        code: 'conflict',
        message: 'The world changed again while it was being repaired.',
        retry_after_ms: 0,
      },
      refusals: [],
      items: [itemOf('a', true), itemOf('b', false), itemOf('c', true)],
      observed_at: LOOKED_AT,
      ...pressing,
    })
  })

  it('does not count as different what is left alone', async () => {
    const found = await written({
      repairs: ALL,
      after: { ...WANTED, c: 'theirs' },
      work: { left_alone: new Set(['c']) },
    })
    expect(found.failed_pass).toBeNull()
  })

  it('goes on telling what waits for its own time, which it did not try', async () => {
    const found = await written({
      repairs: [done('a'), done('b')],
      after: { ...WANTED, c: 'old' },
      work: {
        differences: differencesOf(WANTED, { ...OLD, c: 'new' }),
        waiting: new Map([['c', refusalOf('c')]]),
      },
    })
    expect(found.accepted).toBe(true)
    expect(found.failed_pass).toEqual({
      outcome: 'failed',
      differences: 2,
      repaired: 2,
      failure: SLOW,
      refusals: [refusalOf('c')],
      items: [itemOf('a', true), itemOf('b', true), itemOf('c', false)],
      observed_at: LOOKED_AT,
    })
  })

  it('takes no notice of an answer about what it did not ask for', async () => {
    const found = await written({ repairs: [...ALL, refused('d')], after: WANTED })
    expect(found).toMatchObject({ accepted: true, failed_pass: null })
  })
})
