/** The store contract: events, in order and never twice under one number. */
import { expect, test } from 'vitest'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, type OpenStore } from './opened.ts'

const EVENT = {
  at: 1000,
  kind: 'repaired',
  message: 'routes repaired',
  facts: { revision: 3, domains: ['app.example.com'], detail: null },
}

export function eventsContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)
  const add = (at: number) => write((tx) => tx.addEvent({ ...EVENT, at }))
  const timesAfter = async (id: number, limit = 100) =>
    (await opened.store.eventsAfter(id, limit)).map((event) => event.at)

  test('events keep the order in which they came, whatever their clock says, over a restart', async () => {
    expect(await opened.store.eventsAfter(0, 10)).toEqual([])
    const ids = [await add(3000), await add(1000), await add(2000)]
    const events = [3000, 1000, 2000].map((at, i) => ({ ...EVENT, at, id: ids[i] }))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(await opened.store.eventsAfter(0, 10)).toEqual(events)
    expect(await (await opened.reopen()).eventsAfter(0, 10)).toEqual(events)
  })

  test('a listener goes on after the last event it saw, a bounded number at a time', async () => {
    const ids: number[] = []
    for (let at = 1; at <= 5; at++) ids.push(await add(at))
    expect(await timesAfter(0, 2)).toEqual([1, 2])
    expect(await timesAfter(ids[1]!, 2)).toEqual([3, 4])
    expect(await timesAfter(ids[3]!, 2)).toEqual([5])
    expect(await timesAfter(ids[4]!, 2)).toEqual([])
    expect(await timesAfter(ids[4]! + 1000, 2)).toEqual([])
  })

  test('events at the same time from many callers are all there, each with its own number', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, at) => add(at)))
    expect(new Set(ids).size).toBe(100)
    const events = await opened.store.eventsAfter(0, 1000)
    expect(events.map((event) => [event.id, event.at])).toEqual(
      ids.map((id, at) => [id, at]).sort(([a], [b]) => a! - b!),
    )
  })

  test('trimming keeps the newest, and more than there are is all of them', async () => {
    for (let at = 1; at <= 5; at++) await add(at)
    await write((tx) => tx.trimEvents(9))
    await write((tx) => tx.trimEvents(5))
    expect(await timesAfter(0)).toEqual([1, 2, 3, 4, 5])
    await write((tx) => tx.trimEvents(2))
    expect(await timesAfter(0)).toEqual([4, 5])
    await add(6)
    await write((tx) => tx.trimEvents(2))
    expect(await timesAfter(0)).toEqual([5, 6])
  })

  test('a number is never given twice, even when all events are gone, so that no listener misses the next', async () => {
    const seen = [await add(1), await add(2)]
    await write((tx) => tx.trimEvents(0))
    expect(await timesAfter(0)).toEqual([])
    await opened.reopen()
    expect(await add(3)).toBeGreaterThan(seen[1]!)
    expect(await timesAfter(seen[1]!)).toEqual([3])
  })

  test('an event whose work was rolled back never happened', async () => {
    const attempt = write(async (tx) => {
      const id = await tx.addEvent(EVENT)
      expect(await tx.eventsAfter(0, 10)).toEqual([{ ...EVENT, id }])
      throw new Error('mine')
    })
    await expect(attempt).rejects.toThrow('mine')
    expect(await opened.store.eventsAfter(0, 10)).toEqual([])
  })
}
