/** How the log tells of passes: changes of state at once, lasting trouble once an hour. */
import { describe, expect, it } from 'vitest'
import { passLog } from '../../../src/engine/pass/pass-log.ts'
import type { FailureCode } from '../../../src/kernel/failure.ts'
import type { Facts } from '../../../src/kernel/log.ts'
import type { Outcome, Report } from '../../../src/model/report.ts'

const MINUTE = 60_000

function ring() {
  const lines: [level: string, message: string, facts: Facts][] = []
  let now = 0
  const at =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      void lines.push([level, message, facts])
  const tell = passLog({
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    clock: { elapsed: () => now } as Parameters<typeof passLog>[0]['clock'],
  })
  const after = (
    ms: number,
    outcome: Outcome,
    message?: string,
    code: FailureCode = 'component_unavailable',
    { differences, items }: { differences: number; items: readonly string[] } = { differences: 1, items: [] },
  ) => {
    now += ms
    const failure = message === undefined ? null : { code, message, retry_after_ms: 0 }
    tell({
      component: 'dns',
      key: 'dns:example.com',
      outcome,
      failure,
      refusals: items.map((item) => ({ item, domain_ids: [], failure })),
      release: 1,
      differences,
    } as unknown as Report)
    return lines.splice(0).map(([level, message_, facts]) => ({ level, message: message_, facts }))
  }
  return { after }
}

describe('a pass that', () => {
  it('finds all well is no line', () => {
    const { after } = ring()
    expect([...after(0, 'clean'), ...after(1000, 'clean'), ...after(1000, 'repaired')]).toEqual([])
  })

  it('fails is told once, then hourly with how often and for how long', () => {
    const { after } = ring()
    expect(after(0, 'unknown', 'It is away.')).toMatchObject([
      {
        level: 'warn',
        message: 'pass did not succeed',
        facts: { outcome: 'unknown', reason: 'It is away.' },
      },
    ])
    for (let minute = 1; minute < 60; minute++) expect(after(MINUTE, 'unknown', 'It is away.')).toEqual([])
    expect(after(MINUTE, 'unknown', 'It is away.')).toMatchObject([
      { level: 'warn', facts: { passes: 61, lasted_ms: 60 * MINUTE } },
    ])
    expect(after(MINUTE, 'unknown', 'It is away.')).toEqual([])
  })

  it('ends the trouble says what it was, and the next trouble is news', () => {
    const { after } = ring()
    after(0, 'unknown', 'It is away.')
    expect(after(MINUTE, 'clean')).toMatchObject([
      { level: 'info', message: 'recovered', facts: { was: 'unknown', passes: 1, lasted_ms: MINUTE } },
    ])
    expect(after(1000, 'unknown', 'It is away.')).toMatchObject([{ level: 'warn' }])
  })

  it('fails for another reason is told at once, in other words once a minute', () => {
    const { after } = ring()
    after(0, 'failed', '1 of 3')
    expect(after(1000, 'failed', '2 of 3')).toEqual([])
    expect(after(MINUTE, 'failed', '3 of 3')).toMatchObject([{ facts: { reason: '3 of 3', passes: 3 } }])
    expect(after(1, 'failed', 'Refused.', 'provider_refused')).toMatchObject([
      { facts: { code: 'provider_refused', was: 'failed' } },
    ])
  })

  it('fails for more than before is told before the hour is over', () => {
    const { after } = ring()
    after(0, 'refused', 'Held by somebody else.', 'conflict', { differences: 1, items: ['a'] })
    expect(
      after(MINUTE, 'refused', 'Held by somebody else.', 'conflict', { differences: 1, items: ['b'] }),
    ).toMatchObject([{ facts: { items: ['b'] } }])
    expect(
      after(MINUTE, 'refused', 'Held by somebody else.', 'conflict', { differences: 300, items: ['b'] }),
    ).toMatchObject([{ facts: { differences: 300 } }])
    expect(
      after(MINUTE, 'refused', 'Held by somebody else.', 'conflict', { differences: 2, items: ['b'] }),
    ).toEqual([])
  })

  it('fails otherwise with the same code is told at once, and what it was', () => {
    const { after } = ring()
    after(MINUTE, 'failed', 'It is away.')
    expect(after(1000, 'unknown', 'It is away.')).toMatchObject([
      { level: 'warn', facts: { outcome: 'unknown', was: 'failed' } },
    ])
    expect(after(1000, 'clean')).toMatchObject([{ facts: { was: 'unknown', passes: 1, lasted_ms: 1000 } }])
  })

  it('is told with what is known of it, and no more', () => {
    const facts = { component: 'dns', target: 'dns:example.com', release: 1, differences: 1 }
    expect(ring().after(0, 'left_drifting')).toEqual([
      { level: 'warn', message: 'left alone', facts: { ...facts, outcome: 'left_drifting' } },
    ])
    const many = Array.from({ length: 21 }, (_, i) => `item ${i}`)
    const told = ring().after(0, 'failed', 'Full.', 'storage_full', { differences: 21, items: many })
    expect(told).toEqual([
      {
        level: 'warn',
        message: 'pass did not succeed',
        facts: {
          ...facts,
          differences: 21,
          outcome: 'failed',
          items: many.slice(0, 20),
          code: 'storage_full',
          reason: 'Full.',
        },
      },
    ])
  })

  it('only takes longer is under way each time, and ends no trouble', () => {
    const { after } = ring()
    after(0, 'failed', 'Full.')
    const facts = { component: 'dns', target: 'dns:example.com', release: 1, differences: 1 }
    for (const progress of ['1 of 2', '2 of 2'])
      expect(after(1000, 'left_unfinished', progress)).toEqual([
        { level: 'info', message: 'under way', facts: { ...facts, progress } },
      ])
    expect(after(1000, 'clean')).toMatchObject([{ message: 'recovered', facts: { was: 'failed' } }])
  })

  it('leaves drift alone is told when that begins and when it ends', () => {
    const { after } = ring()
    expect(after(0, 'left_drifting')).toMatchObject([{ level: 'warn', message: 'left alone' }])
    expect(after(1000, 'left_drifting')).toEqual([])
    expect(after(1000, 'clean')).toMatchObject([{ level: 'info', message: 'recovered' }])
  })
})
