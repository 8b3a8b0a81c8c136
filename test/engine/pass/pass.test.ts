/** One pass over one key: what it looks at, what it writes, and what its report says of that. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PassProgress } from '../../../src/engine/progress.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Report } from '../../../src/model/report.ts'
import { differencesOf, ITEM_IDS, type Items } from '../item-target.ts'
import { openRig, type Rig } from '../rig.ts'
import { done, passRig as rigOn, type PassRig, type PassRigOptions } from './pass-rig.ts'

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

describe('a pass', () => {
  it('repairs what differs, and says which release, how long, and when the next one is due', async () => {
    const rig = passRig()
    const release = await rig.release(WANTED)
    rig.there = { a: 'new', b: 'old' }
    rig.clock.pass(5)
    rig.onApply = (keys) => {
      rig.clock.pass(1_500.375)
      return keys.map(done)
    }
    const report = await rig.pass()
    const now = rig.clock.now()
    expect(report).toEqual({
      component: 'fake',
      key: rig.target.key,
      outcome: 'repaired',
      differences: 1,
      repaired: 1,
      failure: null,
      refusals: [],
      items: [itemOf('b', true)],
      release,
      observed_at: now,
      took_ms: 1_500.375,
      next_attempt_at: now + rig.target.every_ms,
    } satisfies Report)
    expect(rig.there).toEqual(WANTED)
    expect(rig.writes).toMatchObject([{ keys: ['b'], context: { ends_at: 5 + rig.target.deadline_ms } }])
    const facts = { component: 'fake', target: rig.target.key, release, differences: 1, took_ms: 1_500 }
    expect(rig.logged).toEqual([['repaired', facts]])
    expect(rig.measured).toEqual([
      ['plumbline_plan_actions_total', { component: 'fake', verb: 'update' }],
      ['plumbline_reconcile_total', { component: 'fake', result: 'repaired' }],
      ['plumbline_reconcile_duration_seconds', 1.500375, { component: 'fake' }],
      ['plumbline_last_success_timestamp_seconds', now / 1_000, { component: 'fake' }],
    ])
  })

  it('over a world that is right writes nothing, keeps that as news once, and logs nothing', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.there = WANTED
    const clean = {
      outcome: 'clean',
      differences: 0,
      repaired: 0,
      failure: null,
      refusals: [],
      observed_at: rig.clock.now(),
    }
    const report = await rig.pass()
    expect(report).toMatchObject(clean)
    expect(report).not.toHaveProperty('items')
    const applied = appliedAt(rig)
    expect(applied).toMatchObject({ observed: JSON.stringify(WANTED), at: rig.clock.now() })
    rig.clock.pass(9)
    await rig.pass()
    expect(appliedAt(rig)).toBe(applied)
    expect([rig.writes, rig.logged]).toEqual([[], []])
  })

  it('before the first release has nothing to do', async () => {
    const rig = passRig()
    rig.there = { a: 'theirs' }
    expect(await rig.pass()).toMatchObject({ outcome: 'clean', observed_at: rig.clock.now() })
    expect([appliedAt(rig), rig.writes]).toEqual([null, []])
  })

  it('of an installation that has released nothing yet works towards none', async () => {
    const rig = passRig()
    const latestRelease = async () => null
    Object.assign(rig.parts, { store: Object.assign(Object.create(rig.parts.store), { latestRelease }) })
    Object.assign(rig.parts, { editions: { released: async () => null } })
    expect(await rig.pass()).toMatchObject({ outcome: 'clean', release: 0 })
  })

  it('tells whoever waits that it looks, what it writes, and how it ended', async () => {
    const told: unknown[] = []
    const rig = passRig()
    await rig.release(WANTED)
    const tell = (what: string) => (items?: unknown) => void told.push([what, items])
    const progress: PassProgress = {
      looks: tell('looks'),
      writes: tell('writes'),
      wrote: tell('wrote'),
      ended: tell('ended'),
    }
    rig.onApply = (keys, { wrote }) => {
      wrote!(['b', 'nobody’s'])
      return keys.map(done)
    }
    const report = await rig.pass({ progress })
    const differences = differencesOf(WANTED, {})
    expect(told).toEqual([
      ['looks', undefined],
      ['writes', differences],
      ['wrote', [differences[1]]],
      ['ended', report],
    ])
  })

  it.each([
    ['its own', null, false],
    ['one that somebody asks for', [1], true],
  ] as const)('of %s looks afresh: %s', async (_whose, asked_for, afresh) => {
    const asks: unknown[] = []
    const rig = passRig({
      target: {
        observe: async (_signal, ask) => {
          asks.push(ask)
          return { known: true, state: WANTED, digest: 'd', at: 0 }
        },
      },
    })
    await rig.pass({ asked_for })
    expect(asks).toEqual([{ afresh, is_pass: true }])
  })

  it('that could not look is unknown, with the words and the wait of whoever did not answer', async () => {
    const stamped: unknown[] = []
    const stampIn = (state: unknown) => (stamped.push(state), null)
    const rig = passRig({ target: { stampIn } })
    await rig.release(WANTED)
    rig.there = null
    expect(await rig.pass()).toMatchObject({
      outcome: 'unknown',
      differences: 0,
      failure: { code: 'component_unavailable', message: 'nobody answers', retry_after_ms: 7_000 },
      observed_at: rig.clock.now(),
    })
    expect([stamped, rig.writes]).toEqual([[], []])
    expect(rig.measured.map(([name]) => name)).not.toContain('plumbline_last_success_timestamp_seconds')
  })

  it('in which something throws has failed with it', async () => {
    const rig = passRig()
    const release = await rig.release(WANTED)
    rig.onLook = () => {
      throw new Failure('storage_full', 'no room')
    }
    const failure = { code: 'storage_full', message: 'no room' }
    expect(await rig.pass()).toMatchObject({ outcome: 'failed', differences: 0, failure, release })
  })

  it('notes how far the world is, whatever becomes of the rest', async () => {
    const stamp = { installation_id: store_rig.store.installation_id, number: 99, mark: 'another' }
    const rig = passRig({ mode: 'observe', target: { stampIn: () => stamp } })
    expect(await rig.pass()).toMatchObject({ outcome: 'clean' })
    expect(rig.parts.world.standing()).toMatchObject({ worlds: [{ stamp, ahead: true }] })
  })
})

describe('a release that comes', () => {
  it('while the last one is read is the one that is compared and named', async () => {
    const rig = passRig()
    await rig.release({ a: 'older' })
    rig.there = { a: 'newer' }
    const { editions } = rig.parts
    let number = 0
    const released = async () => {
      const found = await editions.released(rig.target)
      if (number === 0) number = await rig.release({ a: 'newer' })
      return found
    }
    Object.assign(rig.parts, { editions: { released } })
    expect(await rig.pass()).toMatchObject({ outcome: 'clean', release: number })
    expect(rig.looks).toBe(1)
  })

  it('during the look is written by the same pass', async () => {
    const rig = passRig()
    await rig.release({ a: 'older' })
    let number = 0
    rig.onLook = async (nth) => {
      if (nth === 1) number = await rig.release({ a: 'newer' })
    }
    const report = await rig.pass()
    expect(report).toMatchObject({ outcome: 'repaired', release: number })
    expect(report).not.toHaveProperty('overtaken')
    expect(rig.there).toEqual({ a: 'newer' })
    expect(rig.looks).toBe(3)
  })

  it('at every look is not waited out for ever', async () => {
    const rig = passRig()
    await rig.release({ a: '0' })
    rig.onLook = async (nth) => void (await rig.release({ a: String(nth) }))
    const report = await rig.pass()
    expect(report).toMatchObject({ outcome: 'refused', differences: 1, repaired: 0 })
    expect(report).not.toHaveProperty('overtaken')
    expect([rig.looks, rig.writes]).toEqual([10, []])
  })
})

describe('a suspension', () => {
  const suspended = {
    outcome: 'suspended',
    differences: 0,
    failure: { message: 'fake is suspended: holidays.' },
  }

  it('keeps everybody from looking, callers too', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.setMode('suspend')
    const observed_at = rig.clock.now()
    expect(await rig.pass({ asked_for: 'all' })).toMatchObject({ ...suspended, observed_at })
    expect([rig.looks, rig.writes]).toEqual([0, []])
  })

  it('that comes during the look is heeded before anything is written', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.onLook = () => rig.setMode('suspend')
    expect(await rig.pass({ asked_for: 'all' })).toMatchObject(suspended)
    expect([rig.looks, rig.writes]).toEqual([1, []])
  })

  it('that comes during a look which finds all right leaves that found', async () => {
    const rig = passRig()
    await rig.release(WANTED)
    rig.there = WANTED
    rig.onLook = () => rig.setMode('suspend')
    expect(await rig.pass()).toMatchObject({ outcome: 'clean' })
  })
})
