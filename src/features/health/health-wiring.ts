/** From everything that was built to the one verdict over it. */
import { storageWatch } from '../../store/files/storage-check.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { CheckInvariants } from '../../ports/invariants.ts'
import type { OpenFiles } from '../../ports/storage-check.ts'
import type { Deps } from './deps.ts'
import type { HealthCheck } from '../../core/check.ts'
import { databaseCheck, journalCheck } from './database-check.ts'
import { worldCheck } from './world-check.ts'
import type { HealthService } from './service.ts'
import { filesWatch } from './rounds/files-watch.ts'
import { FreshLooking } from './rounds/fresh-looks.ts'
import { InvariantWatch } from './rounds/invariant-watch.ts'
import { Readiness } from './readiness.ts'
import { HealthRounds } from './rounds/rounds.ts'
import { watchedParts } from './rounds/watched-component.ts'
import type { Module } from '../../feature/feature.ts'

export interface HealthModule extends Module {
  readonly service: HealthService
}

export interface HealthModuleParts {
  readonly settings: Settings
  readonly store_files: OpenFiles
  readonly clock: Clock
  readonly log: Log
  readonly invariants: CheckInvariants
  /** Built after this module. */
  readonly deps: () => Deps
  /** What the features bring; built after this module. */
  readonly brought: () => readonly HealthCheck[]
  readonly words: HealthService['words']
}

export function healthModule({
  settings,
  store_files,
  clock,
  log,
  invariants: check,
  deps,
  brought,
  words,
}: HealthModuleParts): HealthModule {
  const strangersStamp = () => store_files.strangersStamp()
  const invariants = new InvariantWatch({ clock, log, check, strangersStamp })
  const storage = storageWatch(settings.store.data_dir, store_files)
  const rounds = new HealthRounds({
    clock,
    log,
    checks: () => [
      databaseCheck(deps(), storage.check),
      journalCheck(deps()),
      worldCheck(deps()),
      ...brought(),
    ],
    invariants,
  })
  const fresh = new FreshLooking({
    clock,
    log,
    looks: (signal, max_ms) => deps().engine.looks(signal, max_ms),
  })
  const readiness = new Readiness(() => deps().engine.statuses(null), store_files)
  const files = filesWatch(store_files, { clock, log })
  // What has happened to them is on the page at once.
  store_files.onChange(() => void rounds.probe())
  return {
    service: {
      rounds,
      invariants,
      fresh,
      readiness,
      words,
      watched: (now) => watchedParts(rounds.watched(), now),
    },
    start() {
      readiness.start()
      rounds.start()
      files.start()
    },
    async stop() {
      await files.stop()
      await rounds.stop()
    },
    async close() {
      storage.close()
    },
  }
}
