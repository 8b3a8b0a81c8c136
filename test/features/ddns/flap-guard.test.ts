/** The flap guard: what becomes of a reported address, from story to story. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  COOL_DOWN_MS,
  FLAP_WINDOW_MS,
  evaluate,
  NO_TRACK,
  settle,
  settlesAt,
  type Track,
  type FlapResult,
  waitingOf,
} from '../../../src/features/ddns/addresses/flap-guard.ts'

const START = 1_800_000_000_000
const S = 1000
const MIN = 60 * S

type Report = readonly [at_ms: number, asked: string]

/** The result of each report, and the present address after it. */
function told(reports: readonly Report[], track: Track = NO_TRACK): string[] {
  return reports.map(([at, asked]) => {
    const result = evaluate(track, asked, START + at)
    track = result.track
    return `${result.kind} ${track.address}${track.hold === null ? '' : ' flapping'}`
  })
}

const after = (reports: readonly Report[], track: Track = NO_TRACK): Track =>
  reports.reduce((now, [at, asked]) => evaluate(now, asked, START + at).track, track)

const settledAt = (address: string): Track => ({ ...NO_TRACK, address })

describe('one address after another', () => {
  test('the first report is a change, and the same again is none', () => {
    expect(
      told([
        [0, 'A'],
        [1, 'A'],
        [MIN, 'A'],
      ]),
    ).toEqual(['changed A', 'unchanged A', 'unchanged A'])
  })

  test('a second change waits until a minute after the first', () => {
    expect(
      told([
        [0, 'A'],
        [59_999, 'B'],
        [MIN, 'B'],
      ]),
    ).toEqual(['changed A', 'cooling A', 'changed B'])
  })

  test('what came too soon says when it is due, and is the present one then', () => {
    const result = evaluate(after([[0, 'A']]), 'B', START + 20 * S)
    expect(result).toMatchObject({ kind: 'cooling', due_at: START + MIN })
    expect(waitingOf(result.track)).toEqual({ address: 'B', due_at: START + MIN })
    expect(settle(result.track, START + MIN - 1)).toBeNull()
    expect(settle(result.track, START + MIN)).toMatchObject({ kind: 'changed', track: { address: 'B' } })
  })

  test('of several that came too soon the newest is taken, and none when the present one comes back', () => {
    const two = after([
      [0, 'A'],
      [10 * S, 'B'],
      [20 * S, 'C'],
    ])
    expect(settle(two, START + MIN)).toMatchObject({ kind: 'changed', track: { address: 'C' } })
    const back = after([[30 * S, 'A']], two)
    expect([waitingOf(back), settlesAt(back), settle(back, START + 2 * MIN)]).toEqual([null, null, null])
  })

  test('new addresses, one each minute, are changes and no flapping', () => {
    const reports = Array.from({ length: 20 }, (_, i): Report => [i * MIN, `A${i}`])
    expect(told(reports)).toEqual(reports.map(([, address]) => `changed ${address}`))
  })

  test('a clock that was set back does not make anybody wait', () => {
    expect(
      told([
        [60 * MIN, 'A'],
        [0, 'B'],
      ]),
    ).toEqual(['changed A', 'changed B'])
  })
})

describe('back and forth', () => {
  // A has stood for long; each report after the first goes back to what was there before.
  const flapping: Report[] = [
    [0, 'B'],
    [MIN, 'A'],
    [2 * MIN, 'B'],
    [3 * MIN, 'A'],
  ]

  test('the third return within ten minutes is flapping, and the address from before holds', () => {
    expect(told(flapping, settledAt('A'))).toEqual([
      'changed B',
      'changed A',
      'changed B',
      'changed A flapping',
    ])
  })

  test('the address from before is put back even when the last report asks for another one', () => {
    const reports: Report[] = [
      [0, 'B'],
      [MIN, 'C'],
      [2 * MIN, 'B'],
      [3 * MIN, 'C'],
      [4 * MIN, 'B'],
    ]
    expect(told(reports, settledAt('A')).slice(-2)).toEqual(['changed C', 'held A flapping'])
    expect(evaluate(after(reports.slice(0, -1), settledAt('A')), 'B', START + 4 * MIN)).toMatchObject({
      kind: 'held',
      due_at: START + 4 * MIN + FLAP_WINDOW_MS,
    })
  })

  test('where nothing was known before, the first address holds', () => {
    const reports: Report[] = [[0, 'A'], ...flapping.map(([at, to]): Report => [at + MIN, to])]
    expect(told(reports).at(-1)).toBe('changed A flapping')
  })

  test('slow turns, four in twenty minutes, are no flapping', () => {
    const slow = flapping.map(([at, to]): Report => [at * 5, to])
    expect(told(slow, settledAt('A')).at(-1)).toBe('changed A')
  })

  test('two gateways that never agree change nothing any more', () => {
    const held = after(flapping, settledAt('A'))
    const reports = Array.from({ length: 300 }, (_, i): Report => [(4 + i) * MIN, i % 2 === 0 ? 'B' : 'A'])
    expect(new Set(told(reports, held))).toEqual(new Set(['held A flapping', 'unchanged A flapping']))
  })

  test('another address that is asked for alone is taken after ten minutes', () => {
    const held = after(flapping, settledAt('A'))
    const asks = [4, 6, 10, 13].map((minute): Report => [minute * MIN, 'B'])
    expect(new Set(told(asks, held))).toEqual(new Set(['held A flapping']))
    expect(told([...asks, [14 * MIN, 'B'], [15 * MIN, 'B']], held).slice(-2)).toEqual([
      'changed B',
      'unchanged B',
    ])
  })

  test('the newest one is taken when its ten minutes are over, though nobody reports again', () => {
    const held = after([[4 * MIN, 'B']], after(flapping, settledAt('A')))
    expect(waitingOf(held)).toEqual({ address: 'B', due_at: START + 14 * MIN })
    expect(settle(held, START + 14 * MIN - 1)).toBeNull()
    expect(settle(held, START + 14 * MIN)).toMatchObject({
      kind: 'changed',
      track: { address: 'B', hold: null },
    })
  })

  test('a hold that holds the newest one ends by itself, too', () => {
    const held = after(flapping, settledAt('A'))
    expect([waitingOf(held), settlesAt(held)]).toEqual([null, START + 13 * MIN])
    expect(settle(held, START + 13 * MIN)).toMatchObject({
      kind: 'unchanged',
      track: { address: 'A', hold: null },
    })
  })

  test('the held address that is asked for alone ends it after ten minutes', () => {
    const held = after(flapping, settledAt('A'))
    expect(
      told(
        [
          [12 * MIN, 'A'],
          [13 * MIN, 'A'],
          [14 * MIN, 'B'],
        ],
        held,
      ),
    ).toEqual(['unchanged A flapping', 'unchanged A', 'changed B'])
  })
})

describe('any reports', () => {
  const story = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 * MIN }), fc.constantFrom('A', 'B', 'C')), {
    maxLength: 60,
  })

  /** Each step of a story: the report's time, the result, and what stood before. */
  function steps(story: readonly (readonly [number, string])[]) {
    let now = START
    let track = NO_TRACK
    return story.map(([pause, asked]) => {
      now += pause
      const before = track
      const result: FlapResult = evaluate(before, asked, now)
      track = result.track
      return { now, asked, before, result }
    })
  }

  test('there is at most one change in any minute', () => {
    fc.assert(
      fc.property(story, (reports) => {
        const moved = steps(reports).filter(({ before, result }) => before.address !== result.track.address)
        for (const [i, { now }] of moved.entries())
          if (i > 0) expect(now - moved[i - 1]!.now).toBeGreaterThanOrEqual(COOL_DOWN_MS)
      }),
    )
  })

  test('what is answered as taken is the present address, and what is kept is due later', () => {
    fc.assert(
      fc.property(story, (reports) => {
        for (const { now, asked, result } of steps(reports)) {
          const taken = result.kind === 'changed' || result.kind === 'unchanged'
          expect(result.track.address === asked).toBe(taken)
          const waiting = waitingOf(result.track)
          expect(waiting?.address ?? result.track.address).toBe(asked)
          if ('due_at' in result) {
            expect(result.due_at).toBeGreaterThan(now)
            expect(waiting).toEqual({ address: asked, due_at: result.due_at })
          }
        }
      }),
    )
  })

  test('whatever was reported last is the present one after the longest wait, reported once and never again', () => {
    fc.assert(
      fc.property(story, (reports) => {
        const last = steps(reports).at(-1)
        if (last === undefined) return
        let { track } = last.result
        for (let second = 1; second <= 12 * 60; second++)
          track = settle(track, last.now + second * S)?.track ?? track
        expect(track).toMatchObject({ address: last.asked, hold: null })
        expect(settlesAt(track)).toBeNull()
      }),
    )
  })

  test('whoever goes on asking for one address has it after the longest wait', () => {
    fc.assert(
      fc.property(story, fc.constantFrom('A', 'B', 'C'), (reports, asked) => {
        const last = steps(reports).at(-1)
        let track = last?.result.track ?? NO_TRACK
        for (let minute = 1; minute <= 12; minute++)
          track = evaluate(track, asked, (last?.now ?? START) + minute * MIN).track
        expect(track.address).toBe(asked)
      }),
    )
  })
})
