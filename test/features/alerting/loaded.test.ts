/** When a server is asked to read its files again, and how often: what it runs already is never reloaded. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { LoadedParts } from '../../../src/features/alerting/loaded/watch.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { KEY, LOADED, signal, type WatchedServer, watchedServer } from './watched-server.ts'

describe('the watch over what a server runs', () => {
  let at: WatchedServer
  beforeEach(() => {
    at = watchedServer()
  })

  it('reloads once, and never what runs already', async () => {
    const watch = at.watchOf()
    expect(await watch.look(signal)).toEqual(LOADED)
    for (let release = 0; release < 10; release++) {
      watch.reported({ key: KEY, outcome: 'clean' })
      expect(await watch.look(signal)).toEqual(LOADED)
    }
    expect(at.reloads).toBe(1)
  })

  it('says why a reload was refused, and tries again less and less often, and at once when a file is written', async () => {
    const { clock } = at
    at.refusal = 'Prometheus takes no reload.'
    const watch = at.watchOf()
    const tried: number[] = []
    while (clock.elapsed() < 1_300_000) {
      const before = at.reloads
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: at.refusal })
      if (at.reloads > before) tried.push(clock.elapsed() / 1000)
      clock.pass(15_000)
    }
    expect(tried).toEqual([0, 30, 90, 210, 450, 930])
    at.refusal = null
    watch.reported({ key: KEY, outcome: 'repaired' })
    expect(await watch.look(signal)).toEqual(LOADED)
  })

  it('does not reload what reads something else again and again: each time begins all waits anew', async () => {
    at.takes = false
    const watch = at.watchOf()
    expect(await watch.look(signal)).toMatchObject({
      why: expect.stringContaining('reads another file') as string,
    })
    while (at.clock.elapsed() < 3_600_000) {
      expect(await watch.look(signal)).toMatchObject({ kind: 'not_loaded' })
      at.clock.pass(15_000)
    }
    expect(at.reloads).toBe(1)
    at.clock.pass(60_000)
    await watch.look(signal)
    expect(at.reloads).toBe(2)
  })

  it.each<[string, Partial<LoadedParts>, object]>([
    ['while the files are not written', { isWritten: () => Promise.resolve(false) }, { kind: 'not_written' }],
    ['in the mode observe', { mode: () => 'observe' }, { kind: 'not_loaded' }],
    ['where nothing is set', { reload: null }, { kind: 'not_loaded' }],
    [
      'while nothing may go outside',
      { assertNewest: () => Promise.reject(new Failure('restored_from_backup', 'The world is newer.')) },
      { kind: 'not_loaded', why: 'The world is newer.' },
    ],
    [
      'while it does not answer',
      { running: () => Promise.resolve({ known: false, reason: 'unreachable', detail: 'Nobody is there.' }) },
      { kind: 'unknown', detail: 'Nobody is there.' },
    ],
  ])('does not reload %s', async (_when, over, state) => {
    expect(await at.watchOf(over).look(signal)).toMatchObject(state)
    expect(at.reloads).toBe(0)
  })
})
