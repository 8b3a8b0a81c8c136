/** The store port over one open connection. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import { Failure } from '../kernel/failure.ts'
import type { Ballast } from '../ports/storage-check.ts'
import type { Store } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { StoreDialect } from './dialect.ts'
import type { DatabaseFiles } from './files/open-files.ts'
import { loadMemory } from './memory/load.ts'
import type { StoreMemory } from './memory/state.ts'
import { readerOn } from './reader.ts'
import { readersOn } from './record-sets.ts'
import { signerOn } from './signing.ts'
import type { Tables } from './tables.ts'
import { runWork } from './writer.ts'

/** Takes the connection over; `close` closes it. Nobody else may write to the file meanwhile. */
export function storeOn(
  connection: Connection,
  installation_id: string,
  { files, ballast }: { readonly files: DatabaseFiles; readonly ballast: Ballast },
): Store {
  const memory = new LoadedMemory(files)
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, memory) })
  const gate = new Gate(connection.name)
  const use = () => {
    gate.assertOutside()
    return db
  }
  const committed = async (): Promise<StoreMemory> => {
    gate.assertOpen()
    return memory.committedState(use)
  }
  return {
    installation_id,
    sign: signerOn(connection),
    ...readerOn({
      use,
      intent: async (edition) => (await committed()).editions[edition].committed(),
      latestRelease: async () => (await committed()).committedHead(),
      damagedRecords: async () => (await committed()).damagedRecords(),
      of: readersOn(use, committed),
    }),
    async write(work) {
      // Noted as it goes: the work may run twice, and the first time is rolled back.
      let closing = false
      const close = () => void (closing = true)
      const once = () =>
        gate.transact(async (within) =>
          db.transaction().execute(async (tx) => {
            const on = { db: tx, memory: await memory.begun(tx), close }
            return within(() => runWork(on, work))
          }),
        )
      try {
        return await once()
      } catch (error) {
        const is_full = error instanceof Failure && error.code === 'storage_full'
        if (!is_full || !closing || !ballast.spend()) throw error
        return once()
      }
    },
    async close() {
      await gate.close()
      files.saveLast()
      connection.close()
      files.close()
    },
  }
}

/**
 * The memory, read at first use, and anew after each commit of somebody else's. Every write takes it inside its own
 * transaction, so that no commit can pass it by.
 */
class LoadedMemory {
  #memory: StoreMemory | null = null
  /** What was told of others' commits before it was read. */
  #stamp: string | null = null
  #reading: Promise<StoreMemory> | null = null
  /** Raised by every transaction: what was read partly before it and partly after it is no state that ever was. */
  #era = 0
  readonly #files: DatabaseFiles

  constructor(files: DatabaseFiles) {
    this.#files = files
  }

  assertInPlace(): void {
    this.#files.assertInPlace()
  }

  /** From outside of transactions. */
  async committedState(use: () => Kysely<Tables>): Promise<StoreMemory> {
    const known = this.#known()
    if (known !== null) return known
    const db = use()
    this.#reading ??= this.#read(db).finally(() => (this.#reading = null))
    return this.#reading
  }

  /** From inside a transaction, before its first write. */
  async begun(tx: Kysely<Tables>): Promise<StoreMemory> {
    this.#era++
    const known = this.#known()
    if (known !== null) return known
    const stamp = this.#files.strangersStamp()
    return this.#keep(await loadMemory(tx), stamp)
  }

  committing(): void {
    this.#memory?.prepare()
  }

  committed(): void {
    this.#memory?.publish()
    this.#files.noteCommit()
  }

  writtenBack(): void {
    this.#files.noteCommit()
  }

  rolledBack(): void {
    this.#memory?.discard()
  }

  /** Null while it is to be read. Nobody else commits while a transaction of ours is open, so it is not lost under one. */
  #known(): StoreMemory | null {
    if (this.#memory === null) return null
    const stamp = this.#files.strangersStamp()
    if (stamp !== null && stamp !== this.#stamp) this.#memory = null
    return this.#memory
  }

  async #read(db: Kysely<Tables>): Promise<StoreMemory> {
    for (;;) {
      const era = this.#era
      const stamp = this.#files.strangersStamp()
      const memory = await loadMemory(db)
      if (era === this.#era) return this.#keep(memory, stamp)
      const known = this.#known()
      if (known !== null) return known
    }
  }

  #keep(memory: StoreMemory, stamp: string | null): StoreMemory {
    this.#memory = memory
    this.#stamp = stamp
    return memory
  }
}

// Who may use the one connection now: nobody after the close, and nobody from inside a transaction but the transaction.

type Within = <R>(work: () => R) => R

class Gate {
  readonly #name: string
  /** The transaction that the present call chain runs in. */
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>()
  readonly #underway = new Set<Promise<unknown>>()
  #closed = false

  constructor(name: string) {
    this.#name = name
  }

  assertOpen(): void {
    if (this.#closed) throw new Failure('store_unavailable', `${this.#name}: the store is closed.`)
  }

  /** The open transaction has the connection; work in it that waits for the connection would wait for ever. */
  assertOutside(): void {
    this.assertOpen()
    if (this.#inside.getStore()?.open === true)
      throw new Failure(
        'internal',
        'The store was used inside its own write; use the transaction that was handed in.',
      )
  }

  /** Runs one write; `begin` runs the caller's work `within`, so that it is known for inside. */
  async transact<T>(begin: (within: Within) => Promise<T>): Promise<T> {
    this.assertOutside()
    const transaction = { open: true }
    const writing = begin((work) => this.#inside.run(transaction, work))
    this.#underway.add(writing)
    try {
      return await writing
    } finally {
      transaction.open = false
      this.#underway.delete(writing)
    }
  }

  /** Refuses what comes from now on, and waits for the writes under way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#underway)
  }
}
