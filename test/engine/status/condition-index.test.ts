/** The condition index: what it writes and when, also beside a look that hangs, and a world that is ahead of its release. */
import { describe, expect, it } from 'vitest'
import { ConditionIndex } from '../../../src/engine/status/condition-index.ts'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { Memory } from '../../../src/engine/memory.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import type { Report } from '../../../src/model/report.ts'
import type { Store } from '../../../src/ports/store.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { openRig } from '../rig.ts'
import { brief } from './evidence.ts'

const drifting = (key: string): Report => ({
  component: key,
  key,
  outcome: 'left_drifting',
  differences: 1,
  repaired: 0,
  failure: null,
  refusals: [],
  release: 1,
  observed_at: Date.now(),
  took_ms: 1,
  next_attempt_at: Date.now(),
})

it('a key whose look hangs holds up neither the conditions of others nor whoever asks for all of them', async () => {
  await using rig = await openRig({ started: false })
  await rig.release('app.example.com', 80)
  const { store } = rig
  const hanging = fakeWorld('edited')
  hanging.look = 'hangs'
  const targets = [
    fakeTarget(hanging, { key: 'hanging', name: 'hanging', artifact: 'fake', deadline_ms: 60_000 }),
    fakeTarget(fakeWorld('edited'), { key: 'well', name: 'well', artifact: 'fake' }),
  ]
  const shared = { store, clock: systemClock, log: silentLog, metrics: silentMetrics }
  const editions = new Editions(store)
  const memory = new Memory(store, systemClock, 'observe')
  const index = new ConditionIndex({
    ...shared,
    editions,
    memory,
    looks: new ObservationOrder(),
    refused_items: new RefusedItems(),
    seenAt: () => Date.now(),
    lookBy: () => undefined,
  })
  index.retarget(targets)
  index.note(drifting('hanging'))
  index.note(drifting('well'))
  await index.settled(500)
  expect(index.all().map(({ key, rows }) => `${key} ${rows[0]?.reason ?? 'nothing yet'}`)).toEqual([
    'hanging nothing yet',
    'well drifting',
  ])
  expect(await store.conditions()).toMatchObject([{ component: 'well', reason: 'drifting' }])
  await index.close()
})

const seen = (state: string | null) => ({ known: true, state }) as const

it('a world that shows what is saved and not released is drift, as its condition says', async () => {
  await using rig = await openRig({ mode: 'observe', started: false })
  await rig.release('app.example.com', 80)
  await rig.engine.converge('open')
  await rig.save('app.example.com', 81)
  const look = () => rig.engine.observeFirstKey('fake', AbortSignal.timeout(60_000))
  expect(await look()).toMatchObject({ drift: true })
  rig.world.content = 'app.example.com 81\n'
  expect(await look()).toMatchObject({ drift: true })
  const turn = rig.engine.beginObservation()
  expect(await rig.engine.compare('fake', seen(rig.world.content), turn)).toMatchObject({ drift: true })
  const [status] = await rig.engine.looksFor('all', AbortSignal.timeout(60_000))
  expect(status).toMatchObject({ drift: true })
  await rig.release('app.example.com', 81)
  expect(await look()).toMatchObject({ drift: false })
  expect(await rig.engine.compare('nobody', seen(null), turn)).toBeNull()
})

describe('the index', () => {
  const stored = async (store: Store) => brief(await store.conditions())

  it('writes at the first pass, and an idle installation nothing more', async () => {
    await using rig = await openRig({ target: { every_ms: 20 } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(await rig.store.conditions()).toMatchObject([
      { component: 'fake', status: 'true', reason: 'in_sync' },
    ])
    const writes = countWrites(rig.store)
    const [first] = await rig.engine.conditions()
    await expect
      .poll(async () => (await rig.engine.conditions())[0]!.seen_at! - first!.seen_at!)
      .toBeGreaterThan(100)
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(writes.count).toBe(0)
  })

  it('writes once for drift that stays, and looks only once to explain it', async () => {
    await using rig = await openRig({ mode: 'observe', target: { every_ms: 20 } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    rig.world.content = 'edited by hand'
    rig.world.hint()
    await expect.poll(async () => (await rig.store.conditions())[0]?.reason).toBe('drifting')
    await rig.engine.conditions()
    const writes = countWrites(rig.store)
    const [kept] = await stored(rig.store)
    const { looks } = rig.world
    let passes = 0
    rig.engine.onReport(() => passes++)
    await expect.poll(() => passes).toBeGreaterThan(5)
    expect(writes.count).toBe(0)
    // One look may belong to a pass that has begun and not yet reported, or have ended before we counted.
    expect(rig.world.looks - looks).toBeLessThanOrEqual(passes + 1)
    expect(await stored(rig.store)).toEqual([kept])
  })

  it('keeps what it knew over a restart, with the time of the transition', async () => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await first.engine.converge('open')
    await first.engine.conditions()
    const kept = await first.store.conditions()
    await using second = await first.restart({ started: false })
    expect((await second.engine.conditions())[0]?.rows).toEqual(kept)
    await second.engine.converge('open')
    expect((await second.engine.conditions())[0]?.rows).toEqual(kept)
  })

  it('never breaks a pass when the store will not take it, tells it all the same, and writes it later', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    const save = breakConditions(rig.store)
    const [report] = await rig.engine.converge('open')
    expect(report?.outcome).toBe('repaired')
    expect((await rig.engine.conditions())[0]?.rows).toMatchObject([{ status: 'true' }])
    expect(await rig.store.conditions()).toEqual([])
    save.works = true
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(await rig.store.conditions()).toMatchObject([{ status: 'true' }])
  })

  it('ends with the engine, also in the middle of a look that hangs', async () => {
    await using rig = await openRig({ mode: 'observe', started: false })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    rig.world.content = 'edited by hand'
    const hang = () => (rig.world.look = 'hangs')
    rig.engine.onReport(hang)
    rig.engine.start()
    await expect.poll(() => rig.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    await rig.engine.stop(20)
    expect(await rig.store.openSteps()).toEqual([])
  })
})

/** Counts transactions from now on. */
function countWrites(store: Store): { count: number } {
  const writes = { count: 0 }
  const write = store.write.bind(store)
  store.write = (work) => {
    writes.count++
    return write(work)
  }
  return writes
}

/** The store refuses to keep conditions until it `works`. */
function breakConditions(store: Store): { works: boolean } {
  const save = { works: false }
  const write = store.write.bind(store)
  store.write = (work) =>
    write((tx) =>
      work({
        ...tx,
        saveConditions: (rows) =>
          save.works ? tx.saveConditions(rows) : Promise.reject(new Error('the store is full')),
      }),
    )
  return save
}
