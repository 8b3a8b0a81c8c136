/** The queue of keys: once each, best first, one worker per key, nobody starves. */
import { describe, expect, it } from 'vitest'
import { MAX_HELD_MS, KeyQueue, PRIORITY, STARVED_MS } from '../../src/engine/queue.ts'

describe('key queue', () => {
  it('keeps a key once, with the higher priority and the earlier time', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.resynced, 100)
    queue.add('a', PRIORITY.asked, 50)
    queue.add('a', PRIORITY.resynced, 200)
    expect(queue.nextDue()).toBe(50)
    expect(queue.take(60)?.key).toBe('a')
    expect(queue.take(60)).toBeNull()
  })

  it('takes nothing before it is due', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.asked, 100)
    expect(queue.take(99)).toBeNull()
    expect(queue.take(100)?.key).toBe('a')
  })

  it('serves a user before a hint before a retry before a resync, then by time, then by arrival', () => {
    const queue = new KeyQueue()
    queue.add('resync', PRIORITY.resynced, 0)
    queue.add('retry', PRIORITY.retried, 0)
    queue.add('late', PRIORITY.asked, 2)
    queue.add('first', PRIORITY.asked, 1)
    queue.add('second', PRIORITY.asked, 1)
    queue.add('hint', PRIORITY.hinted, 0)
    const order = Array.from({ length: 6 }, () => queue.take(10)?.key)
    expect(order).toEqual(['first', 'second', 'late', 'hint', 'retry', 'resync'])
  })

  it('does not give out a key that is being worked on; one dirtied meanwhile runs once more', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.asked, 0)
    expect(queue.take(0)?.key).toBe('a')
    queue.add('a', PRIORITY.hinted, 0)
    queue.add('a', PRIORITY.hinted, 0)
    expect(queue.take(1)).toBeNull()
    queue.done('a')
    expect(queue.take(1)?.key).toBe('a')
    queue.done('a')
    expect(queue.take(1)).toBeNull()
  })

  it('is due at no time while it is worked on, also where it is to run once more', () => {
    const queue = new KeyQueue()
    queue.add('a', PRIORITY.resynced, 5)
    expect(queue.dueAt('a')).toBe(5)
    queue.take(5)
    queue.add('a', PRIORITY.hinted, 7)
    expect(queue.dueAt('a')).toBeNull()
    queue.done('a')
    expect(queue.dueAt('a')).toBe(7)
  })

  it('gives out what is held only to whoever asks, until everybody has let it go', () => {
    const queue = new KeyQueue()
    queue.hold('a')
    queue.hold('a')
    queue.add('a', PRIORITY.hinted, 0)
    expect([queue.take(1), queue.nextDue()]).toEqual([null, MAX_HELD_MS])
    queue.add('a', PRIORITY.asked, 0)
    expect(queue.take(1)?.key).toBe('a')
    queue.done('a')
    queue.add('a', PRIORITY.hinted, 0)
    queue.letGo('a')
    expect(queue.take(1)).toBeNull()
    queue.letGo('a')
    expect(queue.take(1)?.key).toBe('a')
  })

  it('gives out what is held once it has waited long enough, whoever goes on holding it', () => {
    const queue = new KeyQueue()
    queue.hold('a')
    queue.add('a', PRIORITY.resynced, 5)
    expect(queue.take(4 + MAX_HELD_MS)).toBeNull()
    expect(queue.take(5 + MAX_HELD_MS)?.key).toBe('a')
  })

  it('lets a starved resync pass even a user', () => {
    const queue = new KeyQueue()
    queue.add('old', PRIORITY.resynced, 0)
    queue.add('user', PRIORITY.asked, STARVED_MS + 1)
    expect(queue.take(STARVED_MS + 1)?.key).toBe('old')
  })
})

/** What waits: key, priority and when it is due. */
type Row = readonly [key: string, priority: keyof typeof PRIORITY, ready_at: number]

const queueOf = (...rows: readonly Row[]): KeyQueue => {
  const queue = new KeyQueue()
  for (const [key, priority, ready_at] of rows) queue.add(key, PRIORITY[priority], ready_at)
  return queue
}

/** Every key that is due, in the order in which they are taken. */
function takenAt(queue: KeyQueue, now: number): readonly string[] {
  const keys: string[] = []
  for (let taken = queue.take(now); taken !== null; taken = queue.take(now)) keys.push(taken.key)
  return keys
}

describe('who is next', () => {
  const LONG = STARVED_MS
  it.each<[what: string, now: number, rows: readonly Row[], order: readonly string[]]>([
    [
      'the earlier of two alike',
      9,
      [
        ['late', 'hinted', 2],
        ['soon', 'hinted', 1],
      ],
      ['soon', 'late'],
    ],
    [
      'who came first of two due at once',
      9,
      [
        ['first', 'hinted', 1],
        ['second', 'hinted', 1],
      ],
      ['first', 'second'],
    ],
    [
      'who came first, whatever the names',
      9,
      [
        ['z', 'asked', 1],
        ['a', 'asked', 1],
      ],
      ['z', 'a'],
    ],
    [
      'a priority before a due time',
      9,
      [
        ['old', 'resynced', 0],
        ['new', 'retried', 8],
      ],
      ['new', 'old'],
    ],
    [
      'nobody who is not due',
      9,
      [
        ['later', 'asked', 10],
        ['now', 'resynced', 9],
      ],
      ['now'],
    ],
    [
      'a priority before a due time, at any hour',
      1e12,
      [
        ['old', 'resynced', 1e12 - 9],
        ['new', 'retried', 1e12 - 1],
      ],
      ['new', 'old'],
    ],
    [
      'a starved key before a caller',
      LONG + 1,
      [
        ['caller', 'asked', LONG],
        ['old', 'resynced', 0],
      ],
      ['old', 'caller'],
    ],
    [
      'not yet at the limit',
      LONG,
      [
        ['caller', 'asked', LONG],
        ['old', 'resynced', 0],
      ],
      ['caller', 'old'],
    ],
    [
      'the longest of two starved',
      LONG + 9,
      [
        ['b', 'asked', 5],
        ['a', 'resynced', 1],
      ],
      ['a', 'b'],
    ],
  ])('is %s', (_what, now, rows, order) => {
    expect(takenAt(queueOf(...rows), now)).toEqual(order)
  })

  it('is told with how long it was due', () => {
    expect(queueOf(['a', 'asked', 30]).take(100)).toEqual({ key: 'a', waited_ms: 70 })
  })
})

describe('the next due time', () => {
  it.each<[what: string, rows: readonly Row[], due: number | null]>([
    ['none where nothing waits', [], null],
    [
      'of the earliest, wherever it stands',
      [
        ['a', 'asked', 7],
        ['b', 'asked', 3],
        ['c', 'asked', 5],
      ],
      3,
    ],
    [
      'of the earliest, standing first',
      [
        ['a', 'asked', 3],
        ['b', 'asked', 7],
      ],
      3,
    ],
  ])('is that %s', (_what, rows, due) => {
    expect(queueOf(...rows).nextDue()).toBe(due)
  })

  it('leaves out what is being worked on', () => {
    const queue = queueOf(['a', 'asked', 1], ['b', 'asked', 8])
    expect(queue.take(1)?.key).toBe('a')
    queue.add('a', PRIORITY.hinted, 2)
    expect([queue.nextDue(), queue.dueAt('a'), queue.dueAt('nobody')]).toEqual([8, null, null])
    queue.done('a')
    expect(queue.nextDue()).toBe(2)
  })

  it('is forgotten with a key that is dropped', () => {
    const queue = queueOf(['a', 'asked', 1])
    queue.drop('a')
    expect([queue.nextDue(), queue.dueAt('a'), queue.take(9)]).toEqual([null, null, null])
  })
})

describe('a wall clock that is set back', () => {
  it('takes what waits with it', () => {
    const queue = queueOf(['a', 'hinted', 1_000_050], ['b', 'hinted', 1_000_200])
    expect(queue.take(1_000_000)).toBeNull()
    // An hour earlier: fifty more still, not an hour and fifty.
    const back = 1_000_000 - 3_600_000
    expect(queue.take(back)).toBeNull()
    expect([queue.dueAt('a'), queue.nextDue()]).toEqual([back + 50, back + 50])
    expect(queue.take(back + 50)).toEqual({ key: 'a', waited_ms: 0 })
    expect(queue.dueAt('b')).toBe(back + 200)
  })

  it('and one that stands still or goes on leaves it alone', () => {
    const queue = queueOf(['a', 'hinted', 500])
    for (const now of [100, 100, 300]) expect(queue.take(now)).toBeNull()
    expect(queue.dueAt('a')).toBe(500)
  })
})

describe('the depth', () => {
  it.each<[what: string, rows: readonly Row[], depth: { due: number; oldest_ms: number }]>([
    ['nothing where nothing waits', [], { due: 0, oldest_ms: 0 }],
    ['nothing where nothing is due', [['a', 'asked', 101]], { due: 0, oldest_ms: 0 }],
    ['who is due this moment', [['a', 'asked', 100]], { due: 1, oldest_ms: 0 }],
    [
      'the oldest of several',
      [
        ['a', 'asked', 90],
        ['b', 'asked', 60],
        ['c', 'asked', 200],
      ],
      { due: 2, oldest_ms: 40 },
    ],
  ])('counts %s', (_what, rows, depth) => {
    expect(queueOf(...rows).depth(100)).toEqual(depth)
  })
})
