/** The database's content as the rules read it: rows that several of them need are read once for a look. */
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { Connection } from '../connection.ts'
import { recordOf, releasedRowOf } from '../rows.ts'
import type { DomainsTable, ReleasedTable } from '../tables.ts'
import type { Selectable } from 'kysely'

/** A row, and what it stands for; or why it stands for nothing. */
export interface Read<Row, Value> {
  readonly row: Row
  readonly value: Value | null
  readonly fault: string | null
}

export type WorkingRow = Read<Selectable<DomainsTable>, DomainRecord>
export type ReleasedRow = Read<ReleasedTable, IntentRow>

export class Content {
  readonly connection: Connection
  /** The data directory. */
  readonly directory: string
  readonly now: Instant
  #working: readonly WorkingRow[] | null = null
  #released: readonly ReleasedRow[] | null = null

  constructor(connection: Connection, directory: string, now: Instant) {
    this.connection = connection
    this.directory = directory
    this.now = now
  }

  all<Row>(sql: string, ...values: readonly (string | number)[]): Row[] {
    return this.connection.prepare<unknown[], Row>(sql).all(...values)
  }

  /** Row by row, for tables that grow. */
  each<Row>(sql: string): IterableIterator<Row> {
    return this.connection.prepare<[], Row>(sql).iterate()
  }

  /** The one value of the one row; null where there is none. */
  one(sql: string, ...values: readonly (string | number)[]): unknown {
    return (
      this.connection
        .prepare<unknown[], unknown>(sql)
        .pluck()
        .get(...values) ?? null
    )
  }

  /** As a number; 0 for none. */
  count(sql: string): number {
    return Number(this.one(sql) ?? 0)
  }

  working(): readonly WorkingRow[] {
    return (this.#working ??= this.all<Selectable<DomainsTable>>('SELECT * FROM domains ORDER BY id').map(
      (row) => read(row, recordOf),
    ))
  }

  released(): readonly ReleasedRow[] {
    return (this.#released ??= this.all<ReleasedTable>('SELECT * FROM released ORDER BY domain_id').map(
      (row) => read(row, releasedRowOf),
    ))
  }

  /** 0 before the first. */
  newestRelease(): number {
    return this.count('SELECT MAX(number) FROM releases')
  }
}

function read<Row, Value>(row: Row, decode: (row: Row) => Value): Read<Row, Value> {
  try {
    return { row, value: decode(row), fault: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { row, value: null, fault: 'a stored value cannot be read' }
  }
}

/** The value of a stored JSON text; undefined for what is none. */
export function jsonIn(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const isDigest = (text: unknown): boolean => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)
