/** From a sound file to one with the newest schema, an identity and durable commits. */
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { backUp } from './files/backups.ts'
import { assertDurable, type Connection, makeDurable } from './connection.ts'
import { identify, noteOpening } from './files/identity.ts'
import type { Found, Installation } from './files/installation.ts'
import { appliedMigrations, applyMigration, type Migration, pendingMigrations } from './migrations.ts'

export interface UpgradeOptions {
  readonly directory: string
  readonly found: Found
  readonly migrations: readonly Migration[]
  readonly log: Log
  readonly clock: Clock
}

/** Copies the database before it changes its schema. Throws `schema_too_new`. */
export function bringUpToDate(connection: Connection, options: UpgradeOptions): Installation {
  const { directory, found, migrations, log, clock } = options
  const applied = appliedMigrations(connection)
  const pending = pendingMigrations(migrations, applied, connection.name)
  const fresh = typeof found === 'string'
  if (pending.length > 0 && !fresh) {
    const backup = backUp(connection, directory, { schema: applied.at(-1)?.number ?? 0, at: clock.now() })
    log.info('database backed up', { path: backup })
  }
  makeDurable(connection)
  const installation = fresh ? create(connection, pending, clock) : found
  if (!fresh) for (const migration of pending) applyMigration(connection, migration, clock.now())
  noteOpening(connection, clock.now())
  assertDurable(connection)
  if (pending.length > 0) log.info('schema migrated', { from: applied.length, to: migrations.length })
  return installation
}

/** Tables and identity in one transaction: a database with tables but no identity is never ours. */
const create = (connection: Connection, pending: readonly Migration[], clock: Clock): Installation =>
  connection
    .transaction(() => {
      for (const migration of pending) applyMigration(connection, migration, clock.now())
      return identify(connection, clock.now())
    })
    .immediate()
