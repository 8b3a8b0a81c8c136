/** When a copy of the database is made, and what is told of one that was not. */
import { expect, it } from 'vitest'
import { DatabaseCopying } from '../../../src/features/system/copies.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { DatabaseCopy } from '../../../src/ports/backups.ts'
import type { CalendarWork } from '../../../src/ports/schedule.ts'

const HOUR_MS = 3_600_000
const T0 = Date.parse('2026-01-01T00:00:00Z')

function rig({ kept = 7, since = T0 }: { kept?: number; since?: number | null } = {}) {
  let now = T0
  let newest: DatabaseCopy | null = null
  let work: CalendarWork | null = null
  const state = { made: 0, fails: false, started: 0 }
  const copying = new DatabaseCopying({
    copies: {
      newest: () => newest,
      since: () => since,
      make: () => {
        if (state.fails) return Promise.reject(new Error('Its disk is full.'))
        state.made += 1
        newest = { path: '/copy.db', at: now, bytes: 7 }
        return Promise.resolve()
      },
    },
    kept,
    schedule: (given) => {
      work = given
      return { start: () => void (state.started += 1), stop: () => Promise.resolve() }
    },
    clock: { ...systemClock, now: () => now },
    log: silentLog,
  })
  const tick = async (hours: number) => {
    now = T0 + hours * HOUR_MS
    await work!.work().catch((error: unknown) => work!.failed(error))
  }
  return { copying, state, tick }
}

it('comes a day after the installation was made, and then once a day', async () => {
  const { copying, state, tick } = rig()
  const made: number[] = []
  for (const hours of [0, 23, 23.99, 25, 47, 48, 72]) {
    await tick(hours)
    made.push(state.made)
  }
  expect(made).toEqual([0, 0, 1, 1, 1, 2, 3])
  expect(copying.lastTrial()).toEqual({ at: T0 + 72 * HOUR_MS, ok: true })
})

it('comes at once where nobody knows since when there is a database, and after a clock that was set back', async () => {
  const { state, tick } = rig({ since: null })
  await tick(0)
  expect(state.made).toBe(1)
  await tick(-48)
  expect(state.made).toBe(2)
})

it('that fails is told since the first time, tried each hour, and over with the next', async () => {
  const { copying, state, tick } = rig()
  expect(copying.lastTrial()).toBeNull()
  state.fails = true
  await tick(24)
  await tick(25)
  expect(copying.lastTrial()).toEqual({ at: T0 + 25 * HOUR_MS, ok: false })
  expect(copying.findings()).toMatchObject([
    {
      id: 'backup',
      kind: 'failing',
      since: T0 + 24 * HOUR_MS,
      message: 'The database was not copied. Its disk is full. There is no copy of a day.',
    },
  ])
  state.fails = false
  await tick(26)
  expect([copying.findings(), copying.lastTrial()?.ok]).toEqual([[], true])
})

it('is not begun where none is to be kept', () => {
  for (const [kept, started] of [
    [0, 0],
    [1, 1],
  ] as const) {
    const { copying, state } = rig({ kept })
    copying.start()
    expect(state.started).toBe(started)
  }
})
