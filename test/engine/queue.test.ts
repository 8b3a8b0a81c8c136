/** The queue of keys: once each, best first, one worker per key, nobody starves. */
import { describe, expect, it } from 'vitest'
import { HELD_MOST_MS, KeyQueue, PRIORITY, STARVED_MS } from '../../src/engine/queue.ts'

describe('key queue', () => {
  it('keeps a key once, with the higher priority and the earlier time', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.resynced, 100, 0)
    queue.add('a', PRIORITY.asked, 50, 0)
    queue.add('a', PRIORITY.resynced, 200, 0)
    expect(queue.nextDue()).toBe(50)
    expect(queue.take(60)?.key).toBe('a')
    expect(queue.take(60)).toBeNull()
  })

  it('takes nothing before it is due', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.asked, 100, 0)
    expect(queue.take(99)).toBeNull()
    expect(queue.take(100)?.key).toBe('a')
  })

  it('serves a user before a hint before a retry before a resync, then by time, then by arrival', () => {
    const queue = new KeyQueue()
    queue.add('resync', PRIORITY.resynced, 0, 0)
    queue.add('retry', PRIORITY.retried, 0, 0)
    queue.add('late', PRIORITY.asked, 2, 0)
    queue.add('first', PRIORITY.asked, 1, 0)
    queue.add('second', PRIORITY.asked, 1, 0)
    queue.add('hint', PRIORITY.hinted, 0, 0)
    const order = Array.from({ length: 6 }, () => queue.take(10)?.key)
    expect(order).toEqual(['first', 'second', 'late', 'hint', 'retry', 'resync'])
  })

  it('does not give out a key that is being worked on; one dirtied meanwhile runs once more', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.asked, 0, 0)
    expect(queue.take(0)?.key).toBe('a')
    queue.add('a', PRIORITY.hinted, 0, 0)
    queue.add('a', PRIORITY.hinted, 0, 0)
    expect(queue.take(1)).toBeNull()
    queue.done('a')
    expect(queue.take(1)?.key).toBe('a')
    queue.done('a')
    expect(queue.take(1)).toBeNull()
  })

  it('gives out what is held only to whoever asks, until everybody has let it go', () => {
    const queue = new KeyQueue()
    queue.hold('a')
    queue.hold('a')
    queue.add('a', PRIORITY.hinted, 0, 0)
    expect([queue.take(1), queue.nextDue()]).toEqual([null, HELD_MOST_MS])
    queue.add('a', PRIORITY.asked, 0, 0)
    expect(queue.take(1)?.key).toBe('a')
    queue.done('a')
    queue.add('a', PRIORITY.hinted, 0, 0)
    queue.letGo('a')
    expect(queue.take(1)).toBeNull()
    queue.letGo('a')
    expect(queue.take(1)?.key).toBe('a')
  })

  it('gives out what is held once it has waited long enough, whoever goes on holding it', () => {
    const queue = new KeyQueue()
    queue.hold('a')
    queue.add('a', PRIORITY.resynced, 5, 0)
    expect(queue.take(4 + HELD_MOST_MS)).toBeNull()
    expect(queue.take(5 + HELD_MOST_MS)?.key).toBe('a')
  })

  it('lets a starved resync pass even a user', () => {
    const queue = new KeyQueue()
    queue.add('old', PRIORITY.resynced, 0, 0)
    queue.add('user', PRIORITY.asked, STARVED_MS + 1, STARVED_MS + 1)
    expect(queue.take(STARVED_MS + 1)?.key).toBe('old')
  })
})
