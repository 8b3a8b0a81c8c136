/** From everything that was built to the one verdict over it. */
import { sqliteInvariants } from './adapters/sqlite/invariants.ts'
import { storageWatch } from './adapters/sqlite/storage-check.ts'
import type { Foundation } from './house.ts'
import type { Deps } from './operations/deps.ts'
import type { HealthCheck } from './operations/health/check.ts'
import { healthChecks } from './operations/health/checks.ts'
import type { HealthDesk } from './operations/health/desk.ts'
import { FreshLooking } from './operations/health/fresh-looks.ts'
import { InvariantWatch } from './operations/health/invariant-watch.ts'
import { Readiness } from './operations/health/readiness.ts'
import { HealthRounds } from './operations/health/rounds.ts'
import type { Room } from './room.ts'

export interface HealthRoom extends Room {
  readonly desk: HealthDesk
}

export interface HealthRoomParts extends Pick<Foundation, 'settings' | 'clock' | 'log'> {
  /** Built after this room. */
  readonly deps: () => Deps
  /** What rooms bring themselves. */
  readonly of_rooms: readonly HealthCheck[]
}

export function healthRoom({ settings, clock, log, deps, of_rooms }: HealthRoomParts): HealthRoom {
  const invariants = new InvariantWatch({
    clock,
    log,
    check: sqliteInvariants({ directory: settings.store.data_dir, clock }),
  })
  const storage = storageWatch(settings.store.data_dir, clock)
  const rounds = new HealthRounds({
    clock,
    log,
    checks: () => healthChecks(deps(), storage.check, of_rooms),
    invariants,
  })
  const fresh = new FreshLooking({
    clock,
    log,
    looks: (signal, most_ms) => deps().engine.looks(signal, most_ms),
  })
  const readiness = new Readiness(() => deps().engine.keptKeys(null))
  return {
    desk: { rounds, invariants, fresh, readiness },
    start() {
      readiness.start()
      rounds.start()
    },
    stop: () => rounds.stop(),
    async close() {
      storage.close()
    },
  }
}
