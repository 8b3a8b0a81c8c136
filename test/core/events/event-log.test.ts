/** The trail of events over a real store: order, bounds, restarts, and a place in it that moves only forward. */
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Report } from '../../../src/model/report.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import { Subscription } from '../../../src/core/events/subscription.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch, steppingClock } from '../../store/scratch.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const scratch = eachScratch()

const logOver = (store: Store) => new EventLog({ store, clock: steppingClock(), log: silentLog })

const never = new AbortController().signal

/** Writes events in one transaction, as somebody else's work does. */
async function add(store: Store, log: EventLog, count: number): Promise<void> {
  await store.write(async (tx) => {
    for (let i = 0; i < count; i++) await tx.addEvent({ at: i, kind: 'release', message: `${i}`, facts: {} })
  })
  log.added()
}

async function idsNow(subscription: Subscription): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const told = await subscription.next(0, never)
    if (told.kind !== 'events') return ids
    ids.push(...told.events.map(({ id }) => id))
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('the trail', () => {
  itInDepth('keeps the newest 5,000 and forgets the oldest', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    await add(store, log, 5100)
    log.note('started', 'again')
    await log.end(5000)
    const kept = await store.eventsAfter(0, 10_000)
    expect([kept.length, kept[0]!.id, kept.at(-1)]).toMatchObject([5000, 102, { id: 5101, kind: 'started' }])
  })

  it('keeps the order in which events were noted, however fast they come', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    for (let i = 0; i < 300; i++) log.note('mode', `${i}`)
    await log.end(5000)
    const kept = await store.eventsAfter(0, 1000)
    expect(kept.map(({ message }) => message)).toEqual(range(0, 299).map(String))
  })

  it('goes on when the store could not write one: what it tells of happened all the same', async () => {
    const store = await scratch.open(scratch.directory())
    let full = true
    const write: Store['write'] = (work) => (full ? Promise.reject(new Error('full')) : store.write(work))
    const log = logOver({ ...store, eventsAfter: store.eventsAfter.bind(store), write })
    log.note('failed', 'lost')
    await log.end(5000)
    full = false
    log.note('recovered', 'kept')
    await log.end(5000)
    expect((await store.eventsAfter(0, 10)).map(({ message }) => message)).toEqual(['kept'])
  })

  it('tells the recovery of a key that was failing when the process ended', async () => {
    const store = await scratch.open(scratch.directory())
    await store.write((tx) =>
      tx.saveAttempt({ key: 'routes', failures: 3, failed_at: 0, next_attempt_at: 0, message: 'full' }),
    )
    const log = logOver(store)
    await log.prepare()
    const clean = { component: 'routes', key: 'routes', outcome: 'clean', failure: null } as Report
    log.report(clean)
    log.report(clean)
    await log.end(5000)
    expect((await store.eventsAfter(0, 10)).map(({ kind }) => kind)).toEqual(['recovered'])
  })
})

describe('a place in the trail', () => {
  it('without a number begins with the next event', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    await add(store, log, 2500)
    const subscription = await Subscription.begin(log, null)
    expect(subscription.seen).toBe(2500)
    expect(await idsNow(subscription)).toEqual([])
    await add(store, log, 3)
    expect(await idsNow(subscription)).toEqual([2501, 2502, 2503])
  })

  it('gets every event once, though they are added while it reads', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    const subscription = await Subscription.begin(log, null)
    const writing = (async () => {
      for (let i = 0; i < 100; i++) await add(store, log, 3)
    })()
    const ids: number[] = []
    while (ids.length < 300) {
      const told = await subscription.next(20_000, never)
      if (told.kind === 'events') ids.push(...told.events.map(({ id }) => id))
    }
    await writing
    expect(ids).toEqual(range(1, 300))
  })

  it('is told which numbers are no longer kept', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    await add(store, log, 10)
    await store.write((tx) => tx.trimEvents(4))
    const subscription = await Subscription.begin(log, 2)
    expect(await subscription.next(0, never)).toMatchObject({ missed: { after: 2, next: 7 } })
    const fresh = await Subscription.begin(log, 0)
    expect(await fresh.next(0, never)).toMatchObject({ missed: null, events: [{ id: 7 }, {}, {}, {}] })
  })

  it('with a number that was never given begins at the oldest', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    await add(store, log, 3)
    expect(await idsNow(await Subscription.begin(log, 3))).toEqual([])
    expect(await idsNow(await Subscription.begin(log, 99))).toEqual([1, 2, 3])
  })

  it('reads what is left once the trail has ended, and then ends', async () => {
    const store = await scratch.open(scratch.directory())
    const log = logOver(store)
    const subscription = await Subscription.begin(log, 0)
    log.note('stopping', 'good bye')
    await log.end(5000)
    expect(await subscription.next(20_000, never)).toMatchObject({ events: [{ kind: 'stopping' }] })
    expect(await subscription.next(20_000, never)).toEqual({ kind: 'end' })
  })

  it('whose listener leaves while it waits ends at once', async () => {
    const log = logOver(await scratch.open(scratch.directory()))
    const subscription = await Subscription.begin(log, 0)
    const leaving = new AbortController()
    const waiting = subscription.next(60_000, leaving.signal)
    leaving.abort()
    expect(await waiting).toEqual({ kind: 'end' })
  })
})
