/** What is remembered and what is told: by table, and as promises that hold for every history, failure and crash. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestFor, GATHERED_MS, heard, remember } from '../../../src/features/notifications/decide.ts'
import type { Observation } from '../../../src/features/notifications/observation.ts'
import { isWorse, type Severity } from '../../../src/model/alert.ts'
import type { Noticed, Telling } from '../../../src/features/notifications/records.ts'
import { MINUTE_MS, noticed, observation, T0, alert, UNSURE } from './samples.ts'

const DAY_MS = 24 * 60 * MINUTE_MS
const told = (severity: Severity = 'notice', at = T0 + 11 * MINUTE_MS): Telling => ({
  channel: 'mail',
  severity,
  at,
})
const at = (minutes: number) => T0 + minutes * MINUTE_MS

describe('what is remembered', () => {
  it.each<[string, readonly Noticed[], Observation, number, readonly Partial<Noticed>[]]>([
    ['what has not lasted is not', [], observation(alert()), 9, []],
    ['what has lasted is', [], observation(alert()), 10, [{ noticed_at: at(10), gone_at: null, returns: 0 }]],
    ['what goes on stays as it is', [noticed()], observation(alert()), 30, [noticed()]],
    ['its end is noted when it is seen', [noticed()], observation(), 30, [{ gone_at: at(30) }]],
    ['not to know is no end', [noticed()], UNSURE, 30, [{ gone_at: null }]],
    ['its end stays noted', [noticed({ gone_at: at(20) })], observation(), 30, [{ gone_at: at(20) }]],
    [
      'not to know ends no end either',
      [noticed({ gone_at: at(20), told: [told()] })],
      UNSURE,
      21,
      [{ gone_at: at(20), returns: 0 }],
    ],
    [
      'what comes back before its end was told goes on',
      [noticed({ gone_at: at(20), told: [told()] })],
      observation(alert({ since: at(21) })),
      21,
      [{ gone_at: null, returns: 1, told: [told()], noticed_at: at(10) }],
    ],
    [
      'what comes back after that has to last again',
      [noticed({ gone_at: at(20) })],
      observation(alert({ since: at(25) })),
      30,
      [{ gone_at: at(20), returns: 0 }],
    ],
    [
      'and is noticed anew then',
      [noticed({ gone_at: at(20) })],
      observation(alert({ since: at(25) })),
      35,
      [{ gone_at: null, returns: 1, noticed_at: at(35) }],
    ],
    ['an old end is forgotten', [noticed({ gone_at: at(20) })], observation(), 20 + 121, []],
    [
      'but not while somebody believes it open',
      [noticed({ gone_at: at(20), told: [told()] })],
      observation(),
      999,
      [{}],
    ],
    [
      'what gets worse is kept as it is now',
      [noticed()],
      observation(alert({ kind: 'failing', severity: 'warning' })),
      30,
      [{ alert: expect.objectContaining({ kind: 'failing', severity: 'warning' }) as Noticed['alert'] }],
    ],
    [
      'that it cannot be looked at says less than what was known',
      [noticed()],
      observation(alert({ kind: 'unknown_lasting' })),
      30,
      [{ alert: expect.objectContaining({ kind: 'drift_lasting' }) as Noticed['alert'] }],
    ],
    ['a clock that was set back lets nothing wait', [], observation(alert({ since: at(500) })), 1, [{}]],
  ])('%s', (_name, before, seen, minutes, after) => {
    const rows = remember(before, seen, { now: at(minutes), on_their_way: new Set() })
    expect(rows).toMatchObject(after)
    expect(rows).toHaveLength(after.length)
  })

  it('a row that has not changed is the same object, so nothing is written', () => {
    const before = [noticed()]
    const moment = { now: at(30), on_their_way: new Set<string>() }
    expect(remember(before, observation(alert()), moment)[0]).toBe(before[0])
  })

  it('what a message on its way speaks of is not forgotten, since its end is to be told after it', () => {
    const before = [noticed({ gone_at: at(20) })]
    const moment = { now: at(999), on_their_way: new Set(['condition/routes/0']) }
    expect(remember(before, observation(), moment)).toEqual(before)
  })
})

const LASTS = observation(alert())

describe('what a channel is told', () => {
  const digest = (row: Noticed, seen: Observation, minutes: number, repeat_ms: number | null = DAY_MS) =>
    digestFor([row], seen, { channel: 'mail', now: at(minutes), repeat_ms })
  const news = { news: [{ id: 'condition/routes/0' }], still: [], over: [], open: 1 }

  it.each<[string, Noticed, Observation, number, object | null]>([
    ['what comes within a minute is waited for', noticed(), LASTS, 10.5, null],
    ['then it is told', noticed(), LASTS, 11, news],
    ['once', noticed({ told: [told()] }), LASTS, 60, null],
    ['whatever others were told', noticed({ told: [{ ...told(), channel: 'webhook' }] }), LASTS, 11, news],
    [
      'what got worse is told at once',
      noticed({ told: [told()], alert: { ...noticed().alert, severity: 'warning' } }),
      LASTS,
      12,
      news,
    ],
    ['what got better is not', noticed({ told: [told('critical')] }), LASTS, 12, null],
    ['what is over is not news', noticed({ gone_at: at(10.5) }), observation(), 12, null],
    ['what cannot be seen now is not news', noticed(), UNSURE, 12, null],
    [
      'after a day it is told again',
      noticed({ told: [told()] }),
      LASTS,
      11 + 24 * 60,
      { news: [], still: [{ id: 'condition/routes/0' }], over: [], open: 1 },
    ],
    [
      'its end is told after a quiet minute',
      noticed({ told: [told()], gone_at: at(20) }),
      observation(),
      21,
      { news: [], over: [{ ended_at: at(20) }], open: 0 },
    ],
    ['not before', noticed({ told: [told()], gone_at: at(20) }), observation(), 20.9, null],
    ['not while it is not known', noticed({ told: [told()], gone_at: at(20) }), UNSURE, 99, null],
    ['not to whom nothing was told', noticed({ gone_at: at(20) }), observation(), 99, null],
    [
      'what came back thrice must be quiet for eight',
      noticed({ told: [told()], gone_at: at(20), returns: 3 }),
      observation(),
      27.9,
      null,
    ],
    [
      'and no longer',
      noticed({ told: [told()], gone_at: at(20), returns: 3 }),
      observation(),
      28,
      { over: [{}] },
    ],
    [
      'an hour at most',
      noticed({ told: [told()], gone_at: at(20), returns: 99 }),
      observation(),
      80,
      { over: [{}] },
    ],
  ])('%s', (_name, row, seen, minutes, expected) => {
    const found = digest(row, seen, minutes)
    if (expected === null) expect(found).toBeNull()
    else expect(found).toMatchObject(expected)
  })

  it('"off" repeats nothing', () => {
    expect(digest(noticed({ told: [told()] }), LASTS, 99_999, null)).toBeNull()
  })
})

/** One minute to many in the life of three things that are looked at and two channels. */
interface Step {
  readonly minutes: number
  readonly states: readonly ('fine' | 'drift' | 'failing' | 'unknown')[]
  readonly reached: readonly boolean[]
  /** The daemon dies after the send and before the record. */
  readonly dies: boolean
}

const step = fc.record<Step>({
  minutes: fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 60, max: 3000 })),
  states: fc.array(fc.constantFrom('fine', 'fine', 'drift', 'failing', 'unknown'), {
    minLength: 3,
    maxLength: 3,
  }),
  reached: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
  dies: fc.boolean(),
})
const SETTLED: Step = { minutes: 61, states: ['fine', 'fine', 'fine'], reached: [true, true], dies: false }

interface Owed {
  readonly id: number
  readonly news: readonly { readonly id: string; readonly severity: Severity }[]
  readonly still: readonly string[]
  readonly ends: readonly string[]
}

/** A channel with what its reader believes. */
class Reader {
  readonly open = new Map<string, Severity>()
  readonly #seen = new Set<number>()
  owed: Owed | null = null
  created_at = -Infinity

  receive({ id, news, still, ends }: Owed): void {
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    for (const { id: what, severity } of news) {
      const before = this.open.get(what)
      expect(before === undefined || isWorse(severity, before), `${what} is told twice`).toBe(true)
      this.open.set(what, severity)
    }
    for (const what of still)
      expect(this.open.has(what), `${what} still lasts, and was never told`).toBe(true)
    for (const what of ends) {
      expect(this.open.has(what), `the end of ${what}, of which nobody was told`).toBe(true)
      this.open.delete(what)
    }
  }
}

const idOf = (i: number) => `condition/key${i}/0`

class World {
  rows: readonly Noticed[] = []
  now = T0
  readonly readers = [new Reader(), new Reader()]
  #states: readonly string[] = ['fine', 'fine', 'fine']
  readonly #since = [T0, T0, T0]
  #id = 0

  live({ minutes, states, reached, dies }: Step): void {
    this.now += minutes * MINUTE_MS
    for (const [i, state] of states.entries())
      if ((state === 'fine') !== (this.#states[i] === 'fine')) this.#since[i] = this.now
    this.#states = states
    const seen = this.#observation()
    // As it is after a restart.
    const on_their_way = new Set(this.readers.flatMap(({ owed }) => owed?.news.map(({ id }) => id) ?? []))
    const rows = remember(this.rows, seen, { now: this.now, on_their_way })
    this.rows = JSON.parse(JSON.stringify(rows)) as Noticed[]
    for (const [i, reader] of this.readers.entries())
      this.#tell(reader, seen, { channel: `${i}`, reached: reached[i]!, dies })
  }

  #tell(
    reader: Reader,
    seen: Observation,
    { channel, reached, dies }: { channel: string; reached: boolean; dies: boolean },
  ) {
    if (reader.owed === null && this.now - reader.created_at >= GATHERED_MS) {
      const digest = digestFor(this.rows, seen, { channel, now: this.now, repeat_ms: DAY_MS })
      if (digest !== null) {
        for (const { id } of digest.news) this.#expectIn(id, ['drift', 'failing'])
        for (const {
          alert: { id },
        } of digest.over)
          this.#expectIn(id, ['fine'])
        reader.created_at = this.now
        reader.owed = {
          id: this.#id++,
          news: digest.news.map(({ id, severity }) => ({ id, severity })),
          still: digest.still.map(({ id }) => id),
          ends: digest.over.map((ended) => ended.alert.id),
        }
      }
    }
    if (reader.owed === null || !reached) return
    reader.receive(reader.owed)
    if (dies) return
    const lasting = this.rows
      .filter((row) => reader.owed!.still.includes(row.alert.id))
      .map((row) => row.alert)
    const changed = heard(
      this.rows,
      { channel, tells: [...reader.owed.news, ...lasting], ends: reader.owed.ends },
      this.now,
    )
    const by_id = new Map(changed.map((row) => [row.alert.id, row]))
    this.rows = this.rows.map((row) => by_id.get(row.alert.id) ?? row)
    reader.owed = null
  }

  #expectIn(id: string, states: readonly string[]): void {
    const i = [0, 1, 2].find((one) => idOf(one) === id)!
    expect(states, `${id} is ${this.#states[i]}`).toContain(this.#states[i])
    if (!states.includes('fine')) expect(this.now - this.#since[i]!).toBeGreaterThanOrEqual(10 * MINUTE_MS)
  }

  #observation(): Observation {
    const all = this.#states.map((state, i) => ({ state, i }))
    return {
      alerts: all
        .filter(({ state }) => state === 'drift' || state === 'failing')
        .map(({ state, i }) => {
          const failing = state === 'failing'
          return alert({
            id: idOf(i),
            since: this.#since[i]!,
            kind: failing ? 'failing' : 'drift_lasting',
            severity: failing ? 'warning' : 'notice',
          })
        }),
      indeterminate: all.filter(({ state }) => state === 'unknown').map(({ i }) => `condition/key${i}/`),
    }
  }
}

describe('for every history', () => {
  it('nothing is told twice or before its time, and each channel that was told gets exactly one end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World()
        for (const one of steps) world.live(one)
        for (let i = 0; i < 8; i++) world.live(SETTLED)
        expect(world.readers.map(({ open }) => [...open])).toEqual([[], []])
        expect(world.rows, 'and nothing is kept for ever').toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('something that flaps for a day is told a handful of times', () => {
    const world = new World()
    let messages = 0
    for (let minute = 0; minute < 24 * 60; minute += 2) {
      const state = minute % 40 < 20 ? 'drift' : 'fine'
      const before = world.readers[0]!.created_at
      world.live({ minutes: 2, states: [state, 'fine', 'fine'], reached: [true, true], dies: false })
      if (world.readers[0]!.created_at !== before) messages++
    }
    expect(messages).toBeLessThanOrEqual(12)
    expect(messages).toBeGreaterThanOrEqual(2)
  })
})
