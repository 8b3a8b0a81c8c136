/** A server that reads our files when it is asked to, and a watch over it: what a test moves stands in `at`. */
import { type LoadedParts, LoadedWatch } from '../../../src/features/alerting/loaded/watch.ts'
import type { FileChanged } from '../../../src/kernel/changed-at.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Undone } from '../../../src/model/report.ts'
import { handClock, type HandClock } from '../../fakes/hand-clock.ts'

export const MARK = 'plumbline-0123456789ab'
export const KEY = 'alerting:router'
export const LOADED = { kind: 'loaded', sick: [] }
export const { signal } = new AbortController()
export const UNDONE: Undone = { count: 1, items: [], domains: [], kept_as: [] }

export interface WatchedServer {
  readonly clock: HandClock
  runs: string
  reloads: number
  /** What it answers a reload with; null where it takes it. */
  refusal: string | null
  /** Whether it reads anything when it takes one. */
  takes: boolean
  changed: FileChanged
  /** Whether the files are ours. */
  is_written: boolean
  loaded_at: number | null
  /** By how much its clock is ahead. */
  ahead_ms: number
  /** It reads its files, which takes a moment. */
  load(): void
  /** Whoever changes the files. */
  touch(): void
  watchOf(over?: Partial<LoadedParts>): LoadedWatch
}

export function watchedServer(): WatchedServer {
  const clock = handClock()
  let touched = 0
  const at: WatchedServer = {
    clock,
    runs: 'another',
    reloads: 0,
    refusal: null,
    takes: true,
    changed: { stamp: 'written', at: clock.now() },
    is_written: true,
    loaded_at: null,
    ahead_ms: 0,
    load() {
      clock.pass(1)
      at.runs = MARK
      if (at.loaded_at !== null) at.loaded_at = clock.now() + at.ahead_ms
    },
    touch() {
      touched += 1
      at.changed = { stamp: `touched ${touched}`, at: clock.now() }
    },
    watchOf: (over = {}) =>
      new LoadedWatch({
        name: 'Alertmanager',
        mark: MARK,
        keys: [KEY],
        clock: { ...clock, sleep: (ms) => Promise.resolve(clock.pass(ms)) },
        log: silentLog,
        running: () => Promise.resolve({ known: true, state: { marks: [at.runs], sick: [] } }),
        isWritten: () => Promise.resolve(at.is_written),
        changed: () => at.changed,
        loadedAt: () => Promise.resolve(at.loaded_at),
        reload: () => {
          at.reloads += 1
          if (at.refusal === null && at.takes) at.load()
          return Promise.resolve(at.refusal)
        },
        mode: () => 'repair',
        assertNewest: () => Promise.resolve(),
        ...over,
      }),
  }
  return at
}
