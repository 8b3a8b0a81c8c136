/** The numbered schema changes: which there are, which a database has, and carrying out the rest. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Instant } from '../kernel/clock.ts'
import { sha256 } from '../kernel/digest.ts'
import { Failure } from '../kernel/failure.ts'
import type { Connection } from './connection.ts'
import { digestAllRecords } from './intent/record-digest.ts'
import { keepSigningSecret } from './signing.ts'

export interface Migration {
  readonly number: number
  /** The file's name: `0001-foundation.sql`. */
  readonly name: string
  readonly sql: string
  /** What SQL cannot do of it: runs after the SQL, in the same transaction. */
  readonly fill?: (connection: Connection) => void
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly sha256: string
}

const FOLDER = new URL('../../schema/', import.meta.url)
/** By the file's name, without its number. */
const FILLS: Readonly<Record<string, Migration['fill']>> = {
  'record-digests': digestAllRecords,
  'holder-signatures': keepSigningSecret,
}
const NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

/** The migrations that came with the program, in order. */
export const ownMigrations = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => {
      const [, number, subject = ''] = NAME.exec(name)!
      const sql = readFileSync(new URL(name, FOLDER), 'utf8')
      const fill = FILLS[subject]
      return { number: Number(number), name, sql, ...(fill && { fill }) }
    })

/** In order. Empty for a database without tables. */
export function appliedMigrations(connection: Connection): Applied[] {
  const table = connection
    .prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`)
    .get()
  if (table === undefined) return []
  return connection.prepare<[], Applied>('SELECT number, name, sha256 FROM migrations ORDER BY number').all()
}

/**
 * What is left to apply, in order. Throws `schema_too_new` when the database has a migration that we do not have, or
 * had another text of one: its tables are not those that our queries expect.
 */
export function pendingMigrations(
  own: readonly Migration[],
  applied: readonly Applied[],
  path: string,
): readonly Migration[] {
  for (const [i, { number, name, sha256: digest }] of applied.entries()) {
    if (!own.some((migration) => migration.number === number))
      throw new Failure(
        'schema_too_new',
        `${path} has schema ${applied.at(-1)!.number} (${name}), and this program knows schemas up to ` +
          `${own.at(-1)?.number ?? 0}. Run the program that made it or a newer one, or restore a backup from before it.`,
      )
    if (own[i]!.number !== number || sha256([own[i]!.sql]) !== digest)
      throw new Failure(
        'schema_too_new',
        `${path} was made with another text of ${name} than the one that came with this program. ` +
          'Run the program that made it, or install this one again unchanged.',
      )
  }
  return own.slice(applied.length)
}

/**
 * Applies one migration and its row in one transaction. Foreign keys are checked at its end instead of at each
 * statement, because a table that is rebuilt is dropped for a moment (https://sqlite.org/lang_altertable.html#otheralter).
 */
export function applyMigration(connection: Connection, migration: Migration, at: Instant): void {
  const { number, name, sql, fill } = migration
  connection.pragma('foreign_keys = OFF')
  try {
    connection
      .transaction(() => {
        connection.exec(sql)
        fill?.(connection)
        connection
          .prepare('INSERT INTO migrations (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)')
          .run(number, name, sha256([sql]), at)
        const broken = connection.pragma('foreign_key_check') as unknown[]
        if (broken.length > 0)
          throw new Failure(
            'internal',
            `Migration ${name} leaves ${broken.length} broken references; it was undone.`,
          )
      })
      .immediate()
  } finally {
    connection.pragma('foreign_keys = ON')
  }
}
