/** The moment before a write, on a real store: a guard refuses, or the journal has the step before anything is touched. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginStep, type StepFacts } from '../../../src/engine/pass/begin-step.ts'
import { MAX_REVERTS, REVERTS_WITHIN_MS, siegeOf } from '../../../src/engine/pass/fight.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { differencesOf, itemTarget } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'

const NOW = 50 * REVERTS_WITHIN_MS
const clock = { ...systemClock, now: () => NOW }
const DIFFERENCES = differencesOf({ a: 'new', b: 'new' }, { a: 'old' })

describe('a step', () => {
  let rig: Rig
  let released: { readonly number: number; readonly digest: string }
  beforeAll(async () => {
    rig = await openRig({ started: false })
    const head = (await rig.release('a.example.com', 1))!
    released = { number: head.number, digest: head.digests['fake']! }
  })
  afterAll(() => rig[Symbol.asyncDispose]())

  let keys = 0
  /** Of a key that nothing was done at yet. */
  const freshTarget = (over: Partial<AnyTarget> = {}) =>
    itemTarget({ key: `fake:${++keys}`, artifact: 'fake', ...over })
  const begun = (target: AnyTarget, over: Partial<StepFacts> = {}) =>
    beginStep(rig.store, clock, {
      target,
      differences: DIFFERENCES,
      computed_for: released.digest,
      observed: 'theirs',
      written_before: true,
      opens: false,
      asked: false,
      ...over,
    })
  const stepsOf = async ({ key }: AnyTarget) =>
    (await rig.store.openSteps()).filter((step) => step.key === key)
  const revertsOf = async (key: string) =>
    (await rig.store.revertsSince(key, 0)).map(({ observed, at }) => [observed, at])
  /** Somebody put their state back at these times, which let in more. */
  const fought = ({ key }: AnyTarget, times: readonly number[]) =>
    rig.store.write(async (tx) => {
      for (const at of times)
        for (const trail of [key, siegeOf(key)]) await tx.addRevert({ key: trail, observed: 'theirs', at })
    })
  const FIGHT = Array.from({ length: MAX_REVERTS }, (_, i) => NOW - 3 + i)

  it('is in the journal with what it is to do, from what to what, before it is done', async () => {
    const target = freshTarget()
    const id = await begun(target)
    expect(await stepsOf(target)).toEqual([
      {
        id,
        key: target.key,
        component: 'fake',
        release: released.number,
        differences: ['update item a', 'create item b'],
        place: null,
        before: 'theirs',
        after: released.digest,
        at: NOW,
      },
    ])
  })

  it('names its place where that is written as one, whatever is done beside it', async () => {
    const target = freshTarget({ place: 'item b' })
    await begun(target)
    expect(await stepsOf(target)).toMatchObject([{ place: 'item b' }])
  })

  it('for an older release is refused, and nothing is noted', async () => {
    const target = freshTarget()
    await fought(target, FIGHT)
    const before = await revertsOf(target.key)
    expect(await begun(target, { computed_for: 'older', asked: true })).toMatchObject({
      rule: 'stale_release',
    })
    expect([await stepsOf(target), await revertsOf(target.key)]).toEqual([[], before])
  })

  it('in a fight is refused, and what is left there is noted once', async () => {
    const target = freshTarget()
    await fought(target, FIGHT)
    const before = await revertsOf(target.key)
    for (let tries = 0; tries < 2; tries++) expect(await begun(target)).toMatchObject({ rule: 'contested' })
    expect(await revertsOf(target.key)).toEqual([...before, ['left theirs', NOW]])
    expect(await revertsOf(siegeOf(target.key))).toEqual(before)
    expect(await stepsOf(target)).toEqual([])
  })

  it('over another state than the one that is fought over is none of the fight’s', async () => {
    const target = freshTarget()
    await fought(target, FIGHT)
    expect(await begun(target, { observed: 'another' })).toEqual(expect.any(Number))
    expect(await revertsOf(target.key)).toHaveLength(MAX_REVERTS)
  })

  const WINDOW = NOW - REVERTS_WITHIN_MS
  it.each<[what: string, times: readonly number[], over: Partial<StepFacts>, is_kept: boolean]>([
    ['within the window goes on', [NOW - 1], {}, true],
    ['at the end of the window goes on', [WINDOW - 9, WINDOW], {}, true],
    ['that is over ends', [WINDOW - 9, WINDOW - 1], {}, false],
    ['is ended by a caller’s word', FIGHT, { asked: true }, false],
    ['from before the clock was set back ends', [NOW - 1, NOW + REVERTS_WITHIN_MS], {}, false],
    ['in which giving way leaves a door open goes on', FIGHT, { opens: true }, true],
  ])('whose count %s', async (_what, times, over, is_kept) => {
    const target = freshTarget()
    await fought(target, times)
    expect(await begun(target, over)).toEqual(expect.any(Number))
    const kept = is_kept ? times.map((at) => ['theirs', at]) : []
    expect([await revertsOf(target.key), await revertsOf(siegeOf(target.key))]).toEqual([kept, kept])
  })
})
