/** What the condition index takes from callers, beside the passes, of a door that somebody keeps opening, and at its end. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { REVERTS_WITHIN_MS, siegeOf } from '../../../src/engine/pass/fight.ts'
import type { CallerObservation } from '../../../src/engine/status/caller-observation.ts'
import type { Report } from '../../../src/model/report.ts'
import {
  EDITED,
  EDIT_OF_A,
  aReport,
  DRIFTING,
  failure,
  brief,
  indexOf,
  editedIn,
  type Scene,
} from './index-rig.ts'

describe('a caller', () => {
  const FAKE = { name: 'fake', key: 'fake' }

  it('is when a key was seen where nobody else has seen it', async () => {
    const { index, world, found } = await indexOf()
    world.seen_at = null
    expect(index.of('fake')!.seen_at).toBeNull()
    await index.see(FAKE, found())
    expect(index.of('fake')!.seen_at).toBe(70)
    world.seen_at = 90
    expect(index.of('fake')!.seen_at).toBe(90)
  })

  it('that finds a difference tells it, and writes nothing: the next pass does', async () => {
    const { index, written, gauges, found, told, passLooks } = await indexOf()
    await told()
    const caller = found()
    expect(await index.see(FAKE, caller)).toBe(true)
    expect(index.of('fake')).toMatchObject({ caller, seen_at: 70, found: { differences: [EDIT_OF_A] } })
    expect(brief(index.of('fake')!.rows)).toEqual(['0 in_sync', '1 drifting'])
    expect(editedIn(gauges)).toMatchObject(['plumbline_drift', 1, {}])
    expect(written).toHaveLength(1)
    expect(await index.see(FAKE, found())).toBe(false)
    // The same again by a pass that looked later is news.
    await passLooks()
    expect(await told()).toEqual(['0 in_sync', '1 in_sync'])
    expect(index.of('fake')).toMatchObject({ caller: null, seen_at: 5, found: { differences: [] } })
  })

  it('before the first pass knows no more than it saw', async () => {
    const { index, found } = await indexOf()
    expect(await index.see(FAKE, found({ deviates: false, differences: [] }))).toBe(false)
    expect(brief(index.of('fake')!.rows)).toEqual(['0 in_sync'])
  })

  it('that could not look makes it unknown', async () => {
    const { index, gauges, found, told } = await indexOf()
    await told()
    const unread = { deviates: null, unknown_because: 'nobody answers', differences: [] }
    expect(await index.see(FAKE, found(unread))).toBe(true)
    expect(index.of('fake')).toMatchObject({ found: null, rows: [{ reason: 'unreadable' }] })
    expect(editedIn(gauges)).toMatchObject(['plumbline_drift', null, {}])
  })

  it('that finds all right tells so of every record', async () => {
    const { index, world, found, told } = await indexOf()
    world.there = EDITED
    await told(DRIFTING)
    expect(await index.see(FAKE, found({ deviates: false, differences: [] }))).toBe(true)
    expect(brief(index.of('fake')!.rows)).toEqual(['0 in_sync', '1 in_sync'])
  })

  it('of a key that nobody works on says nothing', async () => {
    const { index, found } = await indexOf()
    expect(await index.see({ name: 'x', key: 'x' }, found())).toBe(false)
  })

  it.each<[what: string, found: Partial<CallerObservation>, is_looked_into: boolean]>([
    ['a difference is looked into all the same', {}, true],
    ['nothing else is', { deviates: null, unknown_because: 'x' }, false],
  ])('that began before the last pass is not taken: %s', async (_what, over, is_looked_into) => {
    const { index, found, told, passLooks } = await indexOf()
    const early = found(over)
    await passLooks()
    await told()
    expect(await index.see(FAKE, early)).toBe(is_looked_into)
    expect(index.of('fake')).toMatchObject({ caller: null, rows: [{ reason: 'in_sync' }] })
  })

  it('that began before a pass whose report waits for its turn is not taken, either', async () => {
    const { index, found, passLooks } = await indexOf()
    const early = found()
    await passLooks()
    index.note(aReport())
    await index.see(FAKE, early)
    await index.settled()
    expect(index.of('fake')).toMatchObject({ caller: null, rows: [{ reason: 'in_sync' }] })
  })

  it('that began before another caller is not taken', async () => {
    const { index, found } = await indexOf()
    const [early, late] = [found({ deviates: false, differences: [] }), found()]
    await index.see(FAKE, late)
    await index.see(FAKE, early)
    expect(index.of('fake')!.caller).toBe(late)
  })

  it('that looked after a pass goes before its report, which is looked into again', async () => {
    const { index, world, found, told, passLooks } = await indexOf()
    await passLooks()
    const late = found()
    await index.see(FAKE, late)
    expect(await told()).toEqual(['0 in_sync', '1 drifting'])
    expect(index.of('fake')).toMatchObject({ caller: late, found: { differences: [EDIT_OF_A] } })
    // A pass that looks later goes before the caller, though it says what the last one said.
    await passLooks()
    world.looks.length = 0
    expect(await told()).toEqual(['0 in_sync', '1 in_sync'])
  })

  it('goes before no look that was made to explain a report', async () => {
    const { index, world, found, told } = await indexOf()
    await index.see(FAKE, found({ deviates: false, differences: [] }))
    world.there = EDITED
    expect(await told(DRIFTING)).toEqual(['0 in_sync', '1 drifting'])
    expect(index.of('fake')!.caller).toBeNull()
    const early = found({ turn: 1 })
    await index.see(FAKE, early)
    expect(index.of('fake')!.caller).toBeNull()
  })

  it('that looked while all was suspended tells whose the difference is, once that is over', async () => {
    const { index, found, told, passLooks } = await indexOf()
    await passLooks()
    await told({ outcome: 'suspended', failure: failure() })
    await passLooks()
    await index.see(FAKE, found())
    expect(brief(index.of('fake')!.rows)).toEqual(['0 suspended'])
    expect(await told()).toEqual(['0 in_sync', '1 drifting'])
  })

  it('from before a suspension says nothing any more, and one that looks meanwhile does', async () => {
    const { index, found, told } = await indexOf()
    const suspended = { outcome: 'suspended', failure: failure() } as const
    await index.see(FAKE, found())
    await told(suspended)
    expect(index.of('fake')!.caller).toBeNull()
    const caller = found()
    await index.see(FAKE, caller)
    await told({ ...suspended, failure: failure('internal', 'another') })
    expect(index.of('fake')!.caller).toBe(caller)
  })
})

describe('somebody who keeps opening what is closed again', () => {
  const OPENS = { opens: () => false }

  it('is told of a key that is right, which is looked at when it is over', async () => {
    const { began, looked_by, told } = await indexOf({ sieges: 3, target: OPENS })
    expect(await told({ outcome: 'repaired' })).toEqual(['0 contested'])
    expect(looked_by).toEqual([['fake', began - 50 + REVERTS_WITHIN_MS / 2]])
  })

  it('is still told where a caller finds it right, and not where it finds it open', async () => {
    const { index, found, told } = await indexOf({ sieges: 3, target: OPENS })
    await told()
    await index.see({ name: 'fake', key: 'fake' }, found({ deviates: false, differences: [] }))
    expect(brief(index.of('fake')!.rows)).toEqual(['0 contested'])
    await index.see({ name: 'fake', key: 'fake' }, found({ differences: [] }))
    expect(brief(index.of('fake')!.rows)).toEqual(['0 drifting'])
  })

  it.each<[what: string, scene: Scene, report: Partial<Report>, trails: readonly string[]]>([
    ['too few times', { sieges: 2, target: OPENS }, {}, [siegeOf('fake')]],
    ['where nothing lets anybody in', { sieges: 3 }, {}, []],
    [
      'at a key that is not right',
      { sieges: 3, target: OPENS },
      { outcome: 'failed', failure: failure() },
      [],
    ],
  ])('%s is not', async (_what, scene, report, trails) => {
    const { world, looked_by, told } = await indexOf(scene)
    expect(await told(report)).not.toContain('0 contested')
    expect([looked_by, world.trails]).toEqual([[], trails])
  })
})

describe('the end', () => {
  it('gives up a look under way without a word, and takes nothing more', async () => {
    const { index, world, written, logged, found } = await indexOf()
    world.there = EDITED
    const began = Promise.withResolvers<void>()
    world.onLook = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        began.resolve()
      })
    index.note(aReport(DRIFTING))
    await began.promise
    await index.settled(1)
    await index.close()
    expect([written, logged]).toEqual([[], []])
    world.onLook = async () => undefined
    index.note(aReport())
    await index.settled()
    expect(await index.see({ name: 'fake', key: 'fake' }, found())).toBe(false)
    expect([written, index.of('fake')!.rows]).toEqual([[], []])
  })
})

describe('whoever waits until the reports are taken', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** One report was taken, and the look that explains the next one hangs. */
  async function hanging() {
    const { index, world } = await indexOf()
    const [began, look] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.there = EDITED
    world.onLook = () => (began.resolve(), look.promise)
    index.note(aReport())
    index.note(aReport(DRIFTING))
    await began.promise
    return { index, world, look }
  }

  it('waits for the last one of a key, where others of it were taken', async () => {
    const { index, look } = await hanging()
    const settled = index.settled()
    look.resolve()
    await settled
    expect(brief(index.of('fake')!.rows)).toEqual(['0 in_sync', '1 drifting'])
  })

  it.each<[what: string, max_ms: number | undefined, is_over: readonly boolean[]]>([
    ['as long as it takes', undefined, [false, false]],
    ['as long as is said', 1_000, [false, true]],
  ])('waits %s', async (_what, max_ms, expected) => {
    const { index, look } = await hanging()
    let is_over = false
    const settled = index.settled(max_ms).then(() => (is_over = true))
    const found: boolean[] = []
    for (const ms of [999, 1]) {
      await vi.advanceTimersByTimeAsync(ms)
      found.push(is_over)
    }
    expect(found).toEqual(expected)
    look.resolve()
    await settled
  })

  it('waits for nothing where nothing is under way any more', async () => {
    const { index, told } = await indexOf()
    await told()
    await told()
    const settled = index.settled(1_000)
    expect(vi.getTimerCount()).toBe(0)
    await settled
    await index.close()
  })
})
