/** Whoever listens hears whose lamps read otherwise; while nobody does, nothing is compared. */
import { expect, it } from 'vitest'
import { changed, lampHints, type PartState } from '../../../src/features/lamps/hints.ts'
import { silentLog } from '../../../src/kernel/log.ts'

function stand() {
  const heard: (readonly [string, unknown])[] = []
  const ticks: (() => void)[] = []
  const state = {
    listens: true,
    rows: new Map([[1, 'o']]) as ReadonlyMap<number, string>,
    parts: [{ name: 'routes', state: 'ok' }] as readonly PartState[],
    dns: 'o',
    made: 0,
  }
  const hints = lampHints({
    events: {
      get has_listeners() {
        return state.listens
      },
      hint: (kind, _message, facts) => void heard.push([kind, facts]),
    },
    clock: {
      now: () => 0,
      elapsed: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          ticks.push(resolve)
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    },
    log: silentLog,
    lamps: () => {
      state.made++
      const texts = [...state.rows].map(
        ([id, row]) => [id, { row, dns: state.dns, certificate: 'o' }] as const,
      )
      return Promise.resolve(new Map(texts))
    },
    health: () => state.parts,
  })
  const round = async () => {
    await expect.poll(() => ticks.length).toBeGreaterThan(0)
    ticks.shift()!()
    await expect.poll(() => ticks.length).toBeGreaterThan(0)
  }
  return { hints, heard, state, round }
}

it('names what moved, once, and nobody where it is too many', async () => {
  const { hints, heard, state, round } = stand()
  hints.start!('')
  await round()
  expect(heard).toEqual([])
  state.rows = new Map([
    [1, 'd'],
    [2, 'o'],
  ])
  state.parts = [{ name: 'routes', state: 'drift' }]
  await round()
  await round()
  expect(heard).toEqual([
    ['lamps', { ids: [1, 2] }],
    ['dns', { ids: [2] }],
    ['certificate', { ids: [2] }],
    ['health', { name: 'routes', from: 'ok', to: 'drift' }],
  ])
  heard.length = 0
  state.dns = 'm'
  state.rows = new Map([
    [1, 'm'],
    [2, 'm'],
  ])
  await round()
  expect(heard).toEqual([
    ['lamps', { ids: [1, 2] }],
    ['dns', { ids: [1, 2] }],
  ])
  state.rows = new Map(Array.from({ length: 600 }, (_, i) => [i, 'u']))
  await round()
  expect(heard).toContainEqual(['lamps', { ids: null }])
  await hints.stop!()
})

it('compares nothing while nobody listens, and begins anew for whoever comes', async () => {
  const { hints, heard, state, round } = stand()
  state.listens = false
  hints.start!('')
  await round()
  await round()
  expect(state.made).toBe(0)
  state.listens = true
  state.rows = new Map([[1, 'x']])
  await round()
  expect([state.made, heard]).toEqual([1, []])
  await hints.stop!()
})

it('tells what came and what went, too', () => {
  const before = new Map([
    [1, 'o'],
    [2, 'o'],
  ])
  expect(
    changed(
      before,
      new Map([
        [2, 'o'],
        [3, 'o'],
      ]),
    ),
  ).toEqual([3, 1])
})
