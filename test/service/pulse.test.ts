/** When the reconcile loop counts as stuck: by the clock that nobody sets. */
import { expect, it } from 'vitest'
import type { Clock } from '../../src/kernel/clock.ts'
import { Pulse } from '../../src/service/pulse.ts'

const MINUTE = 60_000

function loop() {
  const at = { now: 1_000_000_000_000, elapsed: 0 }
  const due = new Map<string, number | null>([
    ['routes', at.now + 1000],
    ['dns:example.com', at.now + MINUTE],
  ])
  const clock = { now: () => at.now, elapsed: () => at.elapsed } as Clock
  const pulse = new Pulse({ keys: () => [...due.keys()], dueAt: (key) => due.get(key) ?? null }, clock)
  const pass = (ms: number) => {
    at.now += ms
    at.elapsed += ms
  }
  return { at, due, pulse, pass }
}

it('turns while every key comes up again', () => {
  const { at, due, pulse, pass } = loop()
  for (let i = 0; i < 60; i++) {
    expect(pulse.stuck()).toBeNull()
    pass(MINUTE)
    for (const key of due.keys()) due.set(key, at.now + MINUTE)
  }
})

it.each([
  ['is worked on for ever', () => null, 180, /routes is being worked on for \d+ s/],
  ['is never taken up', (now: number) => now, 5, /routes is overdue for \d+ s/],
] as const)('a key that %s is named', (_, stands, minutes, words) => {
  const { at, due, pulse, pass } = loop()
  due.set('dns:example.com', at.now + 24 * 3_600_000)
  pulse.stuck()
  due.set('routes', stands(at.now))
  expect(pulse.stuck()).toBeNull()
  pass((minutes - 1) * MINUTE)
  expect(pulse.stuck()).toBeNull()
  pass(2 * MINUTE)
  expect(pulse.stuck()).toMatch(words)
  due.set('routes', at.now + 1000)
  expect(pulse.stuck()).toBeNull()
})

it('a clock that is set forward makes nothing stuck', () => {
  const { at, pulse } = loop()
  pulse.stuck()
  at.now += 24 * 3_600_000
  expect(pulse.stuck()).toBeNull()
  expect(pulse.stuck()).toBeNull()
})
