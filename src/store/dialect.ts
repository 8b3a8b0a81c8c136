/** The query builder's SQLite dialect, with transactions that take the write lock at their begin and say how they ended. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { othersTurn } from '../kernel/async/others-turn.ts'
import { type Connection, guarded } from './connection.ts'
import { withoutWritingBack, writeBack } from './write-back.ts'

export interface TransactionEnds {
  /** Called before each begin and each commit; what it throws refuses the transaction. */
  assertInPlace(): void
  /** Called before each commit, while others may still have a turn: time for what `committed` need not do then. */
  committing(): void
  /** Called while the connection is still ours, so that no other transaction can see a state in between. */
  committed(): void
  /** Called when the log of a large commit may stand in the main file. */
  writtenBack(): void
  rolledBack(): void
}

/** So long may the queries of one transaction follow one another before whoever waits for the loop has a turn. */
const MAX_HELD_MS = 4
/** A transaction with so many of these is a large one. */
const MANY_TURNS = 5

/** A begin that waits for its first write to take the lock can fail there, half-way; an immediate one cannot. */
class ImmediateDriver extends SqliteDriver {
  readonly #ends: TransactionEnds
  readonly #connection: Connection
  readonly #transacting: { now: boolean }
  /** Each query is answered at once, so that nothing else would come between them. */
  #held_since_ms = 0
  /** Turns that others had in this transaction. */
  #turns = 0
  #polite: DatabaseConnection | null = null

  constructor(
    config: SqliteDialectConfig,
    connection: Connection,
    transacting: { now: boolean },
    ends: TransactionEnds,
  ) {
    super(config)
    this.#connection = connection
    this.#transacting = transacting
    this.#ends = ends
  }

  /** The one connection; in a transaction it lets others have a turn between two queries. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    return (this.#polite ??= this.#politely(await super.acquireConnection()))
  }

  #politely(connection: DatabaseConnection): DatabaseConnection {
    return {
      executeQuery: async <Row>(query: CompiledQuery) => {
        const result = await connection.executeQuery<Row>(query)
        if (this.#transacting.now) await this.#letOthers()
        return result
      },
      streamQuery: <Row>(query: CompiledQuery, size: number) => connection.streamQuery<Row>(query, size),
    }
  }

  async #letOthers(): Promise<void> {
    if (performance.now() - this.#held_since_ms < MAX_HELD_MS) return
    await othersTurn()
    this.#turns++
    this.#held_since_ms = performance.now()
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#ends.assertInPlace()
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'))
    this.#transacting.now = true
    this.#turns = 0
    this.#held_since_ms = performance.now()
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#letOthers()
    this.#ends.committing()
    await this.#letOthers()
    this.#ends.assertInPlace()
    const is_large = this.#turns >= MANY_TURNS
    // Nobody comes between the commit and the word of it, however long the disk takes.
    this.#held_since_ms = Infinity
    const commit = () => connection.executeQuery(CompiledQuery.raw('COMMIT'))
    await (is_large ? withoutWritingBack(this.#connection, commit) : commit())
    this.#transacting.now = false
    this.#ends.committed()
    if (is_large) await this.#writeBack()
  }

  /** Whoever waited for much has much to do with it, and so have we. */
  async #writeBack(): Promise<void> {
    await othersTurn()
    writeBack(this.#connection)
    this.#ends.writtenBack()
    await othersTurn()
  }

  /** SQLite has rolled back by itself after a full disk; a second rollback would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#transacting.now = false
    this.#ends.rolledBack()
    if (this.#connection.inTransaction) await connection.executeQuery(CompiledQuery.raw('ROLLBACK'))
  }
}

export class StoreDialect extends SqliteDialect {
  readonly #driver: Driver

  constructor(connection: Connection, ends: TransactionEnds) {
    const transacting = { now: false }
    const config = { database: guarded(connection, () => transacting.now) }
    super(config)
    this.#driver = new ImmediateDriver(config, connection, transacting, ends)
  }

  override createDriver(): Driver {
    return this.#driver
  }
}
