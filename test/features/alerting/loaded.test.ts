/** When a server is asked to read its files again, and how often: what it runs already is never reloaded. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type LoadedParts, LoadedWatch } from '../../../src/features/alerting/loaded/watch.ts'
import type { FileChanged } from '../../../src/kernel/changed-at.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { handClock, type HandClock } from '../../fakes/hand-clock.ts'

const MARK = 'plumbline-0123456789ab'
const { signal } = new AbortController()

describe('the watch over what a server runs', () => {
  let clock: HandClock
  let runs: string
  let reloads: number
  let refusal: string | null
  let takes: boolean
  let changed: FileChanged
  let loaded_at: number | null
  beforeEach(() => {
    clock = handClock()
    runs = 'another'
    reloads = 0
    refusal = null
    takes = true
    changed = { stamp: 'written', at: clock.now() }
    loaded_at = null
  })
  /** It reads our files. */
  const load = () => {
    runs = MARK
    if (loaded_at !== null) loaded_at = clock.now()
  }
  const watchOf = (over: Partial<LoadedParts> = {}) =>
    new LoadedWatch({
      name: 'Alertmanager',
      mark: MARK,
      clock: { ...clock, sleep: (ms) => Promise.resolve(clock.pass(ms)) },
      log: silentLog,
      running: () => Promise.resolve({ known: true, state: { marks: [runs], sick: [] } }),
      isWritten: () => Promise.resolve(true),
      changed: () => changed,
      loadedAt: () => Promise.resolve(loaded_at),
      reload: () => {
        reloads += 1
        if (refusal === null && takes) load()
        return Promise.resolve(refusal)
      },
      mode: () => 'repair',
      assertNewest: () => Promise.resolve(),
      ...over,
    })

  it('reloads once, and never what runs already', async () => {
    const watch = watchOf()
    expect(await watch.look(signal)).toEqual({ kind: 'loaded', sick: [] })
    for (let release = 0; release < 10; release++) {
      watch.written({ is_undone: false })
      expect(await watch.look(signal)).toMatchObject({ kind: 'loaded' })
    }
    expect(reloads).toBe(1)
  })

  it('says why a reload was refused, and tries again less and less often', async () => {
    refusal = 'Prometheus takes no reload.'
    const watch = watchOf()
    const at: number[] = []
    while (clock.elapsed() < 1_300_000) {
      const before = reloads
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: refusal })
      if (reloads > before) at.push(clock.elapsed() / 1000)
      clock.pass(15_000)
    }
    expect(at).toEqual([0, 30, 90, 210, 450, 930])
    refusal = null
    watch.written({ is_undone: false })
    expect(await watch.look(signal)).toMatchObject({ kind: 'loaded' })
  })

  it('does not reload what reads something else again and again: each time begins all waits anew', async () => {
    takes = false
    const watch = watchOf()
    expect(await watch.look(signal)).toMatchObject({
      why: expect.stringContaining('reads another file') as string,
    })
    while (clock.elapsed() < 3_600_000) {
      expect(await watch.look(signal)).toMatchObject({ kind: 'not_loaded' })
      clock.pass(15_000)
    }
    expect(reloads).toBe(1)
    clock.pass(60_000)
    await watch.look(signal)
    expect(reloads).toBe(2)
  })

  describe('that shows our mark all along', () => {
    const LOADED = { kind: 'loaded', sick: [] }
    const UNREAD = expect.stringContaining('has not read its files') as string
    beforeEach(() => {
      runs = MARK
      loaded_at = clock.now() - 60_000
      changed = { stamp: 'edited', at: loaded_at - 60_000 }
    })
    const isReloadedOnce = async (watch: LoadedWatch) => {
      for (let look = 0; look < 10; look++) {
        expect(await watch.look(signal)).toEqual(LOADED)
        clock.pass(15_000)
      }
      expect(reloads).toBe(1)
    }

    it.each([
      ['says when it read its files', 0],
      ['does not say when it read its files', null],
      ['has a clock that is behind', -3_600_000],
    ])('is reloaded once for an edit that was undone, where it %s', async (_title, behind_ms) => {
      loaded_at = behind_ms === null ? null : loaded_at! + behind_ms
      const reload = () => {
        reloads += 1
        loaded_at = behind_ms === null ? null : clock.now() + behind_ms
        return Promise.resolve(null)
      }
      const watch = watchOf({ reload })
      watch.written({ is_undone: true })
      changed = { stamp: 'undone', at: clock.now() }
      await isReloadedOnce(watch)
    })

    it('is unproven until a reload is taken', async () => {
      refusal = 'Prometheus takes no reload.'
      const watch = watchOf()
      watch.written({ is_undone: true })
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: refusal })
      clock.pass(15_000)
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: refusal })
      refusal = null
      clock.pass(15_000)
      reloads = 0
      await isReloadedOnce(watch)
    })

    it('is reloaded where an edit was undone while it was asked to', async () => {
      let watch: LoadedWatch
      const reload = () => {
        reloads += 1
        if (reloads === 1) watch.written({ is_undone: true })
        load()
        return Promise.resolve(null)
      }
      watch = watchOf({ reload })
      watch.written({ is_undone: true })
      for (let look = 0; look < 5; look++) await watch.look(signal)
      expect(reloads).toBe(2)
    })

    it('is reloaded once by a process that was killed between the write and the reload', async () => {
      changed = { stamp: 'undone', at: loaded_at! + 1 }
      await isReloadedOnce(watchOf())
      reloads = 1
      await isReloadedOnce(watchOf())
    })

    it('is not reloaded where it read its files after the last change, or does not say when', async () => {
      expect(await watchOf().look(signal)).toEqual(LOADED)
      loaded_at = null
      changed = { stamp: 'undone', at: clock.now() }
      expect(await watchOf().look(signal)).toEqual(LOADED)
      expect(reloads).toBe(0)
    })

    it('is not reloaded for a file of a time that has not come: the clock was set back', async () => {
      changed = { stamp: 'ahead', at: clock.now() + 3_600_000 }
      expect(await watchOf().look(signal)).toEqual(LOADED)
      expect(await watchOf({ reload: null }).look(signal)).toEqual(LOADED)
      expect(reloads).toBe(0)
    })

    it('is not loaded while nobody reloads it, and is once somebody has', async () => {
      changed = { stamp: 'undone', at: clock.now() }
      const watch = watchOf({ reload: null })
      watch.written({ is_undone: true })
      expect(await watch.look(signal)).toMatchObject({ kind: 'not_loaded', why: UNREAD })
      clock.pass(15_000)
      load()
      expect(await watch.look(signal)).toEqual(LOADED)
    })

    it('is tried again after an hour where it takes the reload and reads nothing', async () => {
      takes = false
      changed = { stamp: 'undone', at: clock.now() }
      const watch = watchOf()
      while (clock.elapsed() < 3_600_000) {
        expect(await watch.look(signal)).toMatchObject({
          why: expect.stringContaining('has read no file since') as string,
        })
        clock.pass(15_000)
      }
      expect(reloads).toBe(1)
      load()
      expect(await watch.look(signal)).toEqual(LOADED)
    })

    it('is reloaded once by a command that starts it anew', async () => {
      let is_down = false
      const reload = () => {
        reloads += 1
        is_down = true
        return Promise.resolve(null)
      }
      const running: LoadedParts['running'] = () =>
        Promise.resolve(
          is_down
            ? { known: false, reason: 'unreachable', detail: 'Nobody is there.' }
            : { known: true, state: { marks: [runs], sick: [] } },
        )
      const watch = watchOf({ reload, running })
      watch.written({ is_undone: true })
      expect(await watch.look(signal)).toMatchObject({ kind: 'unknown' })
      is_down = false
      await isReloadedOnce(watch)
    })

    it('is left alone while its files are edited: their keeper says so', async () => {
      changed = { stamp: 'edited again', at: clock.now() }
      const watch = watchOf({ isWritten: () => Promise.resolve(false) })
      watch.written({ is_undone: true })
      expect(await watch.look(signal)).toEqual(LOADED)
      expect(reloads).toBe(0)
    })
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
    expect(await watchOf(over).look(signal)).toMatchObject(state)
    expect(reloads).toBe(0)
  })
})
