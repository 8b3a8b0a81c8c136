/** What the condition index takes from passes, in which turn, and what becomes of it in the store. */
import { describe, expect, it } from 'vitest'
import type { Report } from '../../../src/model/report.ts'
import { anIntent } from '../../fixtures.ts'
import {
  WANTED,
  EDITED,
  EDIT_OF_A,
  aReport,
  DRIFTING,
  failure,
  aCondition,
  brief,
  indexOf,
  isEdited,
  editedIn,
  type Scene,
} from './index-rig.ts'

describe('the keys', () => {
  it('begin with what an earlier process knew, since now', async () => {
    const { index, began, target } = await indexOf({ stored: [aCondition()] })
    expect(index.all()).toEqual([
      {
        component: 'fake',
        key: 'fake',
        every_ms: target.every_ms,
        rows: [aCondition()],
        found: null,
        caller: null,
        seen_at: 5,
        passed_at: null,
        since: began,
      },
    ])
    expect(index.of('fake')).toEqual(index.all()[0])
    expect(index.of('nobody')).toBeNull()
  })

  it('that are there no more are forgotten, each with what was stored of it', async () => {
    const stored = [
      aCondition(),
      aCondition({ component: 'gone' }),
      aCondition({ component: 'gone', domain_id: 2 }),
    ]
    const { index, written } = await indexOf({ stored })
    await index.settled()
    expect(written).toEqual([['drop', 'gone', [0, 2]]])
    index.retarget([])
    await index.settled()
    expect(written.slice(1)).toEqual([['drop', 'fake', [0]]])
    expect(index.all()).toEqual([])
    index.retarget([])
    await index.settled()
    expect(written).toHaveLength(2)
  })

  it('of which nothing was stored are forgotten without a write', async () => {
    const { index, written } = await indexOf()
    index.retarget([])
    await index.settled()
    expect(written).toEqual([])
  })

  it('that are back before that keep what is known of them', async () => {
    const { index, written, logged, target } = await indexOf({ stored: [aCondition()] })
    index.retarget([])
    index.retarget([target])
    await index.settled()
    expect([written, logged, index.of('fake')!.rows]).toEqual([[], [], [aCondition()]])
  })

  it('that are back while it is written have what holds of them stored again', async () => {
    const { index, world, written, target, told } = await indexOf()
    await told()
    const dropped = Promise.withResolvers<void>()
    world.onWrite = () => dropped.promise
    index.retarget([])
    await expect.poll(() => world.transactions).toBe(2)
    index.retarget([target])
    dropped.resolve()
    expect(await told()).toEqual(['0 in_sync'])
    expect(written).toEqual([
      ['save', ['0 in_sync']],
      ['drop', 'fake', [0]],
      ['save', ['0 in_sync']],
    ])
  })

  it('that are forgotten begin anew when they are back', async () => {
    const { index, target, told } = await indexOf()
    await told()
    index.retarget([])
    await index.settled()
    index.retarget([target])
    expect(index.of('fake')).toMatchObject({ rows: [], found: null, passed_at: null })
  })

  it('are in the order of the targets, and those that stay keep what is known of them', async () => {
    const { index, target, aTarget, told, written } = await indexOf()
    await told()
    index.retarget([aTarget('other'), target])
    await index.settled()
    expect(written).toEqual([['save', ['0 in_sync']]])
    expect(index.all().map(({ key, rows }) => [key, brief(rows)])).toEqual([
      ['other', []],
      ['fake', ['0 in_sync']],
    ])
  })
})

describe('a pass', () => {
  it('that left nothing is told without a look, and written', async () => {
    const { index, world, written, gauges, told } = await indexOf()
    expect(await told()).toEqual(['0 in_sync'])
    expect(index.of('fake')).toMatchObject({ passed_at: 7, found: { differences: [] }, caller: null })
    expect(world.looks).toEqual([])
    expect(written).toEqual([['save', ['0 in_sync']]])
    expect(editedIn(gauges)).toEqual(['plumbline_drift', 0, { component: 'fake', cause: 'edited' }])
  })

  it('that left a difference is explained by one look, as the timer makes it', async () => {
    const { index, world, written, gauges, told } = await indexOf()
    world.there = EDITED
    expect(await told(DRIFTING)).toEqual(['0 in_sync', '1 drifting'])
    expect(world.looks).toEqual([['fake', { afresh: false }]])
    expect(index.of('fake')!.found!.differences).toEqual([EDIT_OF_A])
    expect(editedIn(gauges)).toEqual(['plumbline_drift', 1, { component: 'fake', cause: 'edited' }])
    world.there = WANTED
    expect(await told()).toEqual(['0 in_sync', '1 in_sync'])
    expect(written).toEqual([
      ['save', ['0 in_sync', '1 drifting']],
      ['save', ['1 in_sync']],
    ])
  })

  it.each<[what: string, report: Partial<Report>, scene: Scene, looks: number]>([
    ['that repaired all', { outcome: 'repaired', differences: 2, repaired: 2 }, {}, 0],
    ['that repaired a part', { outcome: 'failed', differences: 2, repaired: 1, failure: failure() }, {}, 1],
    ['that failed before it knew anything', { outcome: 'failed', failure: failure() }, {}, 0],
    ['that could not look', { outcome: 'unknown', differences: 1, failure: failure() }, {}, 0],
    ['that was suspended', { outcome: 'suspended', differences: 1, failure: failure() }, {}, 0],
    ['that is right while edits wait', {}, { rows_moved: true }, 1],
    ['that failed while edits wait', { outcome: 'failed', failure: failure() }, { rows_moved: true }, 0],
  ])('%s has %3$s looks after it', async (_what, report, scene, count) => {
    const { world, told } = await indexOf(scene)
    await told(report)
    expect(world.looks).toHaveLength(count)
  })

  it('that says the same of a world that shows no change is not looked into again', async () => {
    const { world, written, told } = await indexOf()
    world.there = EDITED
    await told(DRIFTING)
    await told(DRIFTING)
    expect([world.looks.length, written.length, world.transactions]).toEqual([1, 1, 1])
  })

  it('is looked into each time where there never is any telling', async () => {
    const { world, told } = await indexOf()
    Object.assign(world, { there: EDITED, glance: null })
    await told(DRIFTING)
    await told(DRIFTING)
    expect([world.looks.length, world.transactions]).toEqual([2, 1])
  })

  it('after which a record shares what holds for all has its own row dropped', async () => {
    const { index, world, written, told } = await indexOf()
    world.there = EDITED
    await told(DRIFTING)
    expect(await told({ outcome: 'unknown', failure: failure() })).toEqual(['0 unreadable'])
    await told(DRIFTING)
    // Within the same millisecond: its transition is no news beside the shared one.
    index.note(aReport())
    await index.settled()
    expect(written).toEqual([
      ['save', ['0 in_sync', '1 drifting']],
      ['save', ['0 unreadable']],
      ['drop', 'fake', [1]],
      ['save', ['0 in_sync', '1 drifting']],
      ['drop', 'fake', [1]],
    ])
  })

  it.each<
    [what: string, change: (world: Awaited<ReturnType<typeof indexOf>>['world']) => void, over: object]
  >([
    ['the world has changed', (world) => (world.glance = 'other'), {}],
    ['there is no telling', (world) => (world.glance = null), {}],
    ['another edition was saved', (world) => (world.working = anIntent()), {}],
    ['another release is out', () => undefined, { release: 2 }],
    ['it failed otherwise', () => undefined, { failure: failure('internal', 'another') }],
    ['it ended otherwise', () => undefined, { outcome: 'failed' }],
  ])('is looked into again where %s', async (_what, change, over) => {
    const { world, told } = await indexOf()
    world.there = EDITED
    await told({ ...DRIFTING, failure: failure() })
    change(world)
    await told({ ...DRIFTING, failure: failure(), ...over })
    expect(world.looks).toHaveLength(2)
  })

  it('of a key that nobody works on says nothing', async () => {
    const { index, world, written, logged } = await indexOf()
    index.note(aReport({ key: 'nobody', ...DRIFTING }))
    await index.settled()
    expect([world.looks, written, logged]).toEqual([[], [], []])
  })

  it('that was ended by a shutdown says nothing of the key', async () => {
    const { index, told } = await indexOf()
    await told()
    const ended = { outcome: 'failed', failure: failure('shutting_down'), observed_at: 99 } as const
    expect(await told(ended)).toEqual(['0 in_sync'])
    expect(index.of('fake')!.passed_at).toBe(7)
  })

  it('is in the turn of its key, however long the one before is looked into', async () => {
    const { index, world, told } = await indexOf()
    const look = Promise.withResolvers<void>()
    world.there = EDITED
    world.onLook = () => look.promise
    index.note(aReport(DRIFTING))
    const ends = told({ release: 2 })
    look.resolve()
    expect(await ends).toEqual(['0 in_sync'])
  })

  it('that the store would not take is told, logged, and written with the next, though that says the same', async () => {
    const { world, written, logged, told } = await indexOf()
    world.store_works = false
    expect(await told()).toEqual(['0 in_sync'])
    expect(logged).toEqual([['conditions not kept', { target: 'fake', error: new Error('full') }]])
    world.store_works = true
    await told()
    expect(written).toEqual([['save', ['0 in_sync']]])
    await told()
    expect(written).toHaveLength(1)
  })

  it('that a guard refused in a fight says so, until it is right', async () => {
    const { index, world, told, found, passLooks } = await indexOf({ guarded: true })
    world.there = EDITED
    const refused = { outcome: 'refused', differences: 1, failure: failure() } as const
    expect(await told(refused)).toEqual(['0 in_sync', '1 contested'])
    // A caller sees no guard, and what it was refused by still holds.
    await index.see({ name: 'fake', key: 'fake' }, found())
    expect(brief(index.of('fake')!.rows)).toEqual(['0 in_sync', '1 contested'])
    world.there = WANTED
    await passLooks()
    expect(await told()).toEqual(['0 in_sync', '1 in_sync'])
  })

  it.each([
    ['goes on being refused by that where nobody looked after it', [], '1 contested'],
    ['is refused by nothing of that once it was right', [aReport()], '1 refused'],
  ])('that a guard refused %s', async (_what, between, reason) => {
    const { index, world, told, found, passLooks } = await indexOf({ guarded: true })
    world.there = EDITED
    const refused = { outcome: 'refused', differences: 1, failure: failure() } as const
    await told(refused)
    for (const report of between) {
      await passLooks()
      await told(report)
    }
    await index.see({ name: 'fake', key: 'fake' }, found())
    expect(await told({ ...refused, differences: 0 })).toEqual(['0 in_sync', reason])
  })
})

describe('the figures of a component', () => {
  it('are the sums of its keys, and none while one of them is not known', async () => {
    const { index, world, target, aTarget, gauges, told } = await indexOf()
    index.retarget([target, aTarget('other'), aTarget('third', { name: 'another' })])
    world.there = EDITED
    const labels = { component: 'fake', cause: 'edited' }
    await told(DRIFTING)
    expect(editedIn(gauges)).toEqual(['plumbline_drift', null, labels])
    index.note(aReport({ key: 'other', ...DRIFTING }))
    await index.settled()
    expect(editedIn(gauges)).toEqual(['plumbline_drift', 2, labels])
    index.retarget([aTarget('other')])
    const figureOf = (component: string) =>
      gauges.findLast(([, , of]) => (of as typeof labels).component === component && isEdited(of))
    expect(figureOf('fake')).toEqual(['plumbline_drift', 1, labels])
    expect(figureOf('another')).toEqual(['plumbline_drift', 0, { ...labels, component: 'another' }])
  })
})
