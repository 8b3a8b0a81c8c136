/** What is counted when a stranger's state is overwritten, on a real store, and who is told of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_REPORTED } from '../../../src/engine/editions/undone.ts'
import { fightOver, REVERTS_WITHIN_MS, siegeOf } from '../../../src/engine/pass/fight.ts'
import type { PassParts } from '../../../src/engine/pass/pass-parts.ts'
import { auditRevert, countRevert, mayBeStopped } from '../../../src/engine/pass/reverts.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { itemTarget } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'

const NOW = 50 * REVERTS_WITHIN_MS
const SEEN = { asked: false, by_stranger: true, opens: false, observed: 'theirs', at: NOW }
const UNDONE = {
  count: 2,
  items: [{ item: 'item a', detail: 'by hand' }],
  domains: [],
  kept_as: ['/kept/1'],
}

let rig: Rig
beforeAll(async () => {
  rig = await openRig({ started: false })
  await rig.release('a.example.com', 1)
})
afterAll(() => rig[Symbol.asyncDispose]())

let keys = 0
const freshTarget = () => itemTarget({ key: `fake:${++keys}` })
const trail = (key: string) => rig.store.revertsSince(key, 0)
/** So many times, a moment apart, the last of them now. */
const counted = (target: AnyTarget, times: number, over: Partial<typeof SEEN> = {}) =>
  rig.store.write(async (tx) => {
    for (let i = times - 1; i >= 0; i--) await countRevert(tx, target, { ...SEEN, at: NOW - i, ...over })
  })

describe('the count', () => {
  it('is of the state that stood there', async () => {
    const target = freshTarget()
    await counted(target, 2)
    expect(await trail(target.key)).toEqual([
      { key: target.key, observed: 'theirs', at: NOW - 1 },
      { key: target.key, observed: 'theirs', at: NOW },
    ])
    expect(await trail(siegeOf(target.key))).toEqual([])
  })

  it('is kept a second time of what let in more', async () => {
    const target = freshTarget()
    await counted(target, 1, { opens: true })
    for (const key of [target.key, siegeOf(target.key)])
      expect(await trail(key)).toEqual([{ key, observed: 'theirs', at: NOW }])
  })

  it.each([
    ['of what was ours', { by_stranger: false }],
    ['of what a caller asked to have overwritten', { asked: true }],
    ['of what was ours and asked for', { by_stranger: false, asked: true }],
  ])('is not %s', async (_what, over) => {
    const target = freshTarget()
    await counted(target, 1, { opens: true, ...over })
    expect([...(await trail(target.key)), ...(await trail(siegeOf(target.key)))]).toEqual([])
  })

  it('does not grow for ever, and what is kept of it is the newest and still a fight', async () => {
    const target = freshTarget()
    await counted(target, 100)
    expect(await trail(target.key)).toHaveLength(100)
    await counted(target, 1, { at: NOW + 1 })
    const kept = await trail(target.key)
    expect(kept.map(({ at }) => at - NOW)).toEqual([...Array.from({ length: 50 }, (_, i) => i - 49), 1])
    expect(fightOver(kept, 'theirs', NOW + 2)).not.toBeNull()
  })
})

describe('what the world lets in matters', () => {
  it.each<[what: string, before: number, facts: { asked: boolean; by_stranger: boolean }, matters: boolean]>([
    ['where somebody else changed it', 0, { asked: false, by_stranger: true }, true],
    ['where somebody did so before', 1, { asked: false, by_stranger: false }, true],
    ['not to what we left there ourselves', 0, { asked: false, by_stranger: false }, false],
    ['not to a pass that was asked for', 1, { asked: true, by_stranger: true }, false],
  ])('%s', async (_what, before, facts, matters) => {
    const target = freshTarget()
    await counted(target, before)
    expect(await mayBeStopped(target, { store: rig.store } as PassParts, facts)).toBe(matters)
  })
})

describe('the audit trail', () => {
  interface Scene extends Partial<Parameters<typeof auditRevert>[2]> {
    /** How often something was undone there before, this time too; and when it was. */
    readonly times?: number
    readonly counted_as?: Partial<typeof SEEN>
  }
  const entries = () => rig.store.auditTrail({ limit: 200 })
  async function told({ times = 1, counted_as, ...over }: Scene) {
    const target = freshTarget()
    await counted(target, times, counted_as)
    const present = (await entries()).length
    const facts = { undone: UNDONE, asked: false, opens: false, at: NOW, ...over }
    await rig.store.write((tx) => auditRevert(tx, target, facts))
    const after = await entries()
    return after.slice(0, after.length - present)
  }

  it('tells what was undone, and by which release', async () => {
    const release = (await rig.store.latestRelease())!.number
    const { items, kept_as } = UNDONE
    expect(await told({})).toMatchObject([
      {
        at: NOW,
        actor: 'reconciler',
        action: 'undo_edit',
        detail: { component: 'fake', release, count: 2, items, kept_as },
      },
    ])
  })

  it('says where a caller wanted it', async () => {
    expect(await told({ asked: true })).toMatchObject([{ detail: { asked: true } }])
  })

  const HOUR_AGO = NOW - REVERTS_WITHIN_MS
  it.each<[what: string, scene: Scene, entries: number]>([
    ['tells nothing where nothing was undone', { undone: null }, 0],
    ['tells the last of many within the hour', { times: MAX_REPORTED }, 1],
    ['tells no more of them', { times: MAX_REPORTED + 1 }, 0],
    ['tells of one an hour after many', { times: MAX_REPORTED + 1, counted_as: { at: HOUR_AGO - 1 } }, 1],
    [
      'tells of what lets in more, whatever was undone before it',
      { opens: true, times: MAX_REPORTED + 1 },
      1,
    ],
    [
      'tells no more of those, either, than of others',
      { opens: true, times: MAX_REPORTED + 1, counted_as: { opens: true } },
      0,
    ],
  ])('%s', async (_what, scene, count) => {
    expect(await told(scene)).toHaveLength(count)
  })
})
