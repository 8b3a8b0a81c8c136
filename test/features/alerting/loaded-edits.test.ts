/** A server that shows our mark may run an edit that left the mark alone: when it is reloaded for that, and when it need not be. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { LoadedParts, LoadedWatch } from '../../../src/features/alerting/loaded/watch.ts'
import type { Report } from '../../../src/model/report.ts'
import { KEY, LOADED, MARK, signal, UNDONE, type WatchedServer, watchedServer } from './watched-server.ts'

const UNREAD = expect.stringContaining('not known to have read its files') as string
const MINUTE = 60_000

describe('a server that shows our mark all along', () => {
  let at: WatchedServer
  beforeEach(() => {
    at = watchedServer()
    at.runs = MARK
    at.loaded_at = at.clock.now() - MINUTE
    at.changed = { stamp: 'written', at: at.loaded_at - MINUTE }
  })
  const looks = async (watch: LoadedWatch, times: number, state: object = LOADED) => {
    for (let look = 0; look < times; look++) {
      expect(await watch.look(signal)).toEqual(state)
      at.clock.pass(15_000)
    }
  }
  const isReloadedOnce = async (watch: LoadedWatch) => {
    await looks(watch, 10)
    expect(at.reloads).toBe(1)
  }
  /** Somebody edits the files, and the server reads that. */
  const edit = () => {
    at.touch()
    at.load()
    at.clock.pass(1_000)
  }
  const undo = (watch: LoadedWatch) => {
    at.touch()
    watch.reported({ key: KEY, outcome: 'repaired', undone: UNDONE })
  }

  it('is loaded where it reads new files between two questions of one look', async () => {
    at.runs = 'another'
    at.touch()
    let asked = 0
    const watch = at.watchOf({
      reload: null,
      loadedAt: () => Promise.resolve(asked++ === 0 ? at.loaded_at : at.loaded_at! + MINUTE * 2),
    })
    await looks(watch, 1, { kind: 'not_loaded', why: expect.stringContaining('another rendering') as string })
    at.runs = MARK
    await looks(watch, 3)
  })

  describe('and runs an edit that was undone', () => {
    it.each([
      ['says when it read its files', 0],
      ['does not say when it read its files', null],
      ['has a clock that is behind', -3_600_000],
      ['has a clock that is ahead', 3_600_000],
    ])('is reloaded once, where it %s', async (_title, ahead_ms) => {
      at.ahead_ms = ahead_ms ?? 0
      at.loaded_at = ahead_ms === null ? null : at.loaded_at! + ahead_ms
      const watch = at.watchOf()
      edit()
      undo(watch)
      await isReloadedOnce(watch)
      await looks(at.watchOf(), 1)
    })

    it('is unproven until a reload is taken', async () => {
      at.refusal = 'Prometheus takes no reload.'
      const watch = at.watchOf()
      edit()
      undo(watch)
      await looks(watch, 2, { kind: 'not_loaded', why: at.refusal })
      at.refusal = null
      at.reloads = 0
      await isReloadedOnce(watch)
    })

    it.each([
      ['at once', 1_000],
      ['after a while', 5 * MINUTE],
    ])('is loaded where it takes no reload, and somebody starts it anew %s', async (_when, after_ms) => {
      at.refusal = 'Prometheus takes no reload.'
      const watch = at.watchOf()
      await looks(watch, 2)
      edit()
      undo(watch)
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: at.refusal })
      const tried = at.reloads
      at.clock.pass(after_ms)
      at.load()
      await looks(watch, 5)
      expect(at.reloads).toBe(tried)
    })

    it.each<[string, Partial<LoadedParts>]>([
      ['its reload is none', { reload: null }],
      ['the mode is observe', { mode: () => 'observe' }],
    ])('is not loaded where %s, and is once somebody reloads it', async (_title, over) => {
      const watch = at.watchOf(over)
      await looks(watch, 2)
      edit()
      undo(watch)
      for (let look = 0; look < 3; look++) {
        expect(await watch.look(signal)).toMatchObject({ kind: 'not_loaded', why: UNREAD })
        at.clock.pass(15_000)
      }
      // A clock that is behind changes nothing of it: it was seen to read them.
      at.ahead_ms = -50_000
      at.load()
      await looks(watch, 3)
      expect(at.reloads).toBe(0)
    })

    it('is reloaded once, where it read the edit when that was just being undone, and shows it later', async () => {
      const watch = at.watchOf()
      await looks(watch, 2)
      at.touch()
      undo(watch)
      expect(await watch.look(signal)).toEqual(LOADED)
      at.clock.pass(500)
      at.load()
      await isReloadedOnce(watch)
    })

    it('is reloaded once, where it is looked at before the repair is reported', async () => {
      const watch = at.watchOf()
      await looks(watch, 2)
      edit()
      at.touch()
      expect(await watch.look(signal)).toEqual(LOADED)
      watch.reported({ key: KEY, outcome: 'repaired', undone: UNDONE })
      await isReloadedOnce(watch)
    })

    it('is reloaded again where an edit was undone while it was asked to', async () => {
      let watch: LoadedWatch
      const reload = () => {
        at.reloads += 1
        at.load()
        if (at.reloads === 1) undo(watch)
        return Promise.resolve(null)
      }
      watch = at.watchOf({ reload })
      edit()
      undo(watch)
      await looks(watch, 5)
      expect(at.reloads).toBe(2)
    })

    it('is reloaded again where the reload itself read an edit', async () => {
      const assertNewest = () => {
        if (at.reloads === 0) at.touch()
        return Promise.resolve()
      }
      const watch = at.watchOf({ assertNewest })
      edit()
      undo(watch)
      await watch.look(signal)
      expect(at.reloads).toBe(1)
      undo(watch)
      await looks(watch, 5)
      expect(at.reloads).toBe(2)
    })

    it('is reloaded once by a process that was killed between the write and the reload', async () => {
      edit()
      at.touch()
      await isReloadedOnce(at.watchOf())
      await isReloadedOnce(at.watchOf())
    })

    it('is tried again after an hour where it takes the reload and reads nothing', async () => {
      at.takes = false
      edit()
      at.touch()
      const watch = at.watchOf()
      const began = at.clock.elapsed()
      while (at.clock.elapsed() - began < 60 * MINUTE) {
        expect(await watch.look(signal)).toMatchObject({
          why: expect.stringContaining('has read no file since') as string,
        })
        at.clock.pass(15_000)
      }
      expect(at.reloads).toBe(1)
      at.load()
      await isReloadedOnce(watch)
    })

    it.each([
      ['that is behind', -3_600_000],
      ['that is right', 0],
    ])('is reloaded once by a command that starts it anew, by a clock %s', async (_title, ahead_ms) => {
      let is_down = false
      const reload = () => {
        at.reloads += 1
        is_down = true
        return Promise.resolve(null)
      }
      const running: LoadedParts['running'] = () =>
        Promise.resolve(
          is_down
            ? { known: false, reason: 'unreachable', detail: 'Nobody is there.' }
            : { known: true, state: { marks: [at.runs], sick: [] } },
        )
      const watch = at.watchOf({ reload, running })
      at.ahead_ms = ahead_ms
      edit()
      undo(watch)
      expect(await watch.look(signal)).toMatchObject({ kind: 'unknown' })
      at.load()
      is_down = false
      await isReloadedOnce(watch)
    })
  })

  describe('and has read nothing else', () => {
    it.each<[string, Partial<LoadedParts>]>([
      ['it is reloaded', {}],
      ['its reload is none', { reload: null }],
      ['the mode is observe', { mode: () => 'observe' }],
    ])(
      'stays loaded after an edit that was undone and a change of access, where %s',
      async (_title, over) => {
        const watch = at.watchOf(over)
        await looks(watch, 2)
        at.touch()
        undo(watch)
        await looks(watch, 3)
        at.touch()
        await looks(watch, 3)
        // Somebody reloads it: it reads what is ours.
        at.load()
        await looks(watch, 2)
        at.touch()
        await looks(watch, 3)
        expect(at.reloads).toBe(0)
      },
    )

    it('stays loaded where it shows for once no time', async () => {
      const watch = at.watchOf()
      await looks(watch, 2)
      const read_at = at.loaded_at
      undo(watch)
      at.clock.pass(MINUTE)
      await looks(watch, 1)
      at.loaded_at = null
      at.touch()
      await looks(watch, 1)
      at.loaded_at = read_at
      await looks(watch, 1)
      expect(at.reloads).toBe(0)
    })

    it('is not reloaded where it read its files after the last change, or does not say when', async () => {
      await looks(at.watchOf(), 1)
      at.loaded_at = null
      at.touch()
      await looks(at.watchOf(), 1)
      expect(at.reloads).toBe(0)
    })

    it('is not reloaded for a file of a time that has not come: the clock was set back', async () => {
      at.changed = { stamp: 'ahead', at: at.clock.now() + 3_600_000 }
      await looks(at.watchOf(), 1)
      await looks(at.watchOf({ reload: null }), 1)
      expect(at.reloads).toBe(0)
    })

    it('is left alone while its files are edited: their keeper says so', async () => {
      const watch = at.watchOf()
      await looks(watch, 2)
      at.is_written = false
      edit()
      watch.reported({ key: KEY, outcome: 'failed', undone: UNDONE })
      await looks(watch, 2)
      expect(at.reloads).toBe(0)
      at.is_written = true
      at.touch()
      await isReloadedOnce(watch)
    })
  })

  // By a clock that is ahead nothing but the report tells that it may run an edit.
  it.each<[number, string, readonly Pick<Report, 'key' | 'outcome' | 'undone'>[]]>([
    [1, 'a pass that undid it', [{ key: KEY, outcome: 'repaired', undone: UNDONE }]],
    [1, 'a pass that undid it and failed', [{ key: KEY, outcome: 'failed', undone: UNDONE }]],
    [1, 'a pass that somebody asked for, after a clean one', [{ key: KEY, outcome: 'clean' }, repaired(KEY)]],
    [1, 'a pass that somebody asked for, after the first write', [repaired(KEY), repaired(KEY)]],
    [0, 'the first write: the mark tells', [repaired(KEY)]],
    [
      0,
      'a pass that failed',
      [
        { key: KEY, outcome: 'clean' },
        { key: KEY, outcome: 'failed' },
      ],
    ],
    [
      0,
      'a pass that left it',
      [
        { key: KEY, outcome: 'clean' },
        { key: KEY, outcome: 'left_drifting' },
      ],
    ],
    [0, 'a file of another server', [{ key: 'alerting:rules', outcome: 'repaired', undone: UNDONE }]],
  ])('owes %i reloads after %s', async (reloads, _title, reports) => {
    at.ahead_ms = 3_600_000
    const watch = at.watchOf()
    edit()
    at.touch()
    for (const report of reports) watch.reported(report)
    await looks(watch, 3)
    expect(at.reloads).toBe(reloads)
  })
})

function repaired(key: string): Pick<Report, 'key' | 'outcome'> {
  return { key, outcome: 'repaired' }
}
