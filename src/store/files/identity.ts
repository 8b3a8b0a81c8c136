/** The installation's identity as the database keeps it. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../kernel/clock.ts'
import type { Connection } from '../connection.ts'
import type { DirectoryContent, Installation } from './installation.ts'
import { keepSigningSecret } from '../signing.ts'

/** What a sound database file holds. */
export function foundIn(connection: Connection): DirectoryContent {
  const names = connection
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .pluck()
    .all()
  if (names.length === 0) return 'no tables'
  if (!names.includes('meta') || !names.includes('migrations')) return 'a foreign database'
  const value = connection.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck()
  const id = value.get('installation_id')
  const created_at = Number(value.get('created_at'))
  return id === undefined || !Number.isSafeInteger(created_at) ? 'a foreign database' : { id, created_at }
}

/** Gives a new database its identity. */
export function identify(connection: Connection, at: Instant): Installation {
  const installation = { id: randomUUID(), created_at: at }
  const insert = connection.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
  insert.run('installation_id', installation.id)
  insert.run('created_at', String(at))
  keepSigningSecret(connection)
  return installation
}

/** One small durable write at every start, so that a disk that takes none is known before anything relies on it. */
export function noteOpening(connection: Connection, at: Instant): void {
  connection
    .prepare(
      `INSERT INTO meta (key, value) VALUES ('opened_at', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
    .run(String(at))
}
