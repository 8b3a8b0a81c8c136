/** What a run leaves to the next: mails that are due, whatever the clock does and however often the hub comes and goes. */
import { describe, expect, it } from 'vitest'
import {
  type Memory,
  memoryFromResult,
  newMemory,
  ofOtherHub,
  parseMemory,
  unmailed,
  withFound,
  withMailed,
} from '../../../src/features/external-check/run/memory.ts'
import { evaluateProbes } from '../../../src/features/external-check/run/evaluate.ts'
import { outageMail } from '../../../src/features/external-check/run/message.ts'
import type { ExternalProbes } from '../../../src/model/network/external-check.ts'
import { T0 } from '../notifications/samples.ts'

const FAILED = { passed: false, answers: false, detail: 'does not answer', is_final: false }
const probes: ExternalProbes = {
  dns: FAILED,
  ping: FAILED,
  https: FAILED,
  prometheus: FAILED,
  grafana: FAILED,
}
const MINUTE = 60_000

/** Runs one after another: whether the hub answers, and whether a mail would be taken. Answers the mails that went out. */
function life(steps: readonly (readonly [up: boolean, mail: boolean, at?: number])[]): readonly string[] {
  let memory: Memory = newMemory('hub')
  const sent: string[] = []
  for (const [i, [is_up, is_taken, at = i * 5 * MINUTE]] of steps.entries()) {
    // Each step is a process of its own.
    memory = parseMemory(JSON.stringify(withFound(memory, is_up, T0 + at)))!
    const outages = unmailed(memory)
    if (outages.length === 0 || !is_taken) continue
    sent.push(
      outageMail(outages, { hub: 'hub', watcher: 'out', probes, reachable_at: memory.reachable_at }).kind,
    )
    memory = withMailed(memory)
  }
  return sent
}

it('an outage goes on where the hub has another name', () => {
  const before = { ...withMailed(withFound(newMemory('old'), false, T0)), addresses: { old: ['192.0.2.1'] } }
  const after = ofOtherHub(before, 'new')
  expect(after).toEqual({ ...newMemory('new'), outages: [{ since: T0, until: null, loss_mailed: true }] })
  expect(unmailed(withFound(after, true, T0 + MINUTE))).toEqual([
    { since: T0, until: T0 + MINUTE, loss_mailed: true },
  ])
})

describe('mails', () => {
  it.each([
    ['a hub that is up', [[true, true]], []],
    ['down at the first sight', [[false, true]], ['loss']],
    [
      'down and up',
      [
        [true, true],
        [false, true],
        [false, true],
        [true, true],
        [true, true],
      ],
      ['loss', 'recovery'],
    ],
    [
      'a mail that is taken late',
      [
        [false, false],
        [false, true],
        [true, true],
      ],
      ['loss', 'recovery'],
    ],
    [
      'a mail that is taken after the return',
      [
        [false, false],
        [true, false],
        [true, true],
      ],
      ['both'],
    ],
    [
      'lost again before the return was mailed',
      [
        [false, true],
        [true, false],
        [false, true],
        [true, true],
      ],
      ['loss', 'both', 'recovery'],
    ],
    [
      'twice unmailed',
      [
        [false, false],
        [true, false],
        [false, false],
        [true, true],
      ],
      ['both'],
    ],
    [
      'a clock that is set back a year',
      [
        [false, true, 0],
        [true, true, -365 * 24 * 60 * MINUTE],
      ],
      ['loss', 'recovery'],
    ],
  ] as const)('%s', (_title, steps, mails) => {
    expect(life(steps)).toEqual(mails)
  })

  it('times never run backwards in a mail, and a thousand outages stay small', () => {
    const back = withFound(withFound(newMemory('hub'), false, T0), true, T0 - MINUTE)
    expect(back.outages).toEqual([{ since: T0, until: T0, loss_mailed: false }])
    let memory = newMemory('hub')
    for (let i = 0; i < 1000; i++) memory = withFound(memory, i % 2 === 1, T0 + i)
    expect(memory.outages.length).toBeLessThanOrEqual(50)
    expect(parseMemory(JSON.stringify(memory))).toEqual(memory)
  })

  it('the same mail has the same id, another one another', () => {
    const seen = { hub: 'hub', watcher: 'out', probes, reachable_at: null }
    const loss = { since: T0, until: null, loss_mailed: false }
    const id = (outage: object) => outageMail([{ ...loss, ...outage }], seen).id
    expect(id({})).toBe(id({}))
    expect(new Set([id({}), id({ since: T0 + 1 }), id({ until: T0 + 1 })]).size).toBe(3)
  })
})

describe('a memory that is lost', () => {
  const UP = { ...FAILED, passed: true, answers: true }
  const told = (all: ExternalProbes) => JSON.stringify(evaluateProbes(all, T0))

  it('knows of the outage that was told, so the hub that is back is mailed', () => {
    const memory = memoryFromResult('hub', told(probes), T0 + MINUTE)
    expect(memory.outages).toEqual([{ since: T0, until: null, loss_mailed: false }])
    expect(unmailed(withFound(memory, true, T0 + 2 * MINUTE))).toMatchObject([{ until: T0 + 2 * MINUTE }])
  })

  it.each([
    ['up', told({ ...probes, https: UP })],
    ['none', null],
    ['cut', '{"checks":'],
    ['other', '[]'],
  ])('is a new one where the last result is %s', (_what, text) => {
    expect(memoryFromResult('hub', text, T0)).toEqual(newMemory('hub'))
  })
})
