/** The store port over one open connection. */
import { Kysely } from 'kysely'
import type { Store } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import { StoreDialect } from './dialect.ts'
import { ownedRrsets } from './dns-records.ts'
import { Gate } from './gate.ts'
import { loadMemory } from './load-memory.ts'
import { readerOn } from './reader.ts'
import { reportedAddresses } from './reported-addresses.ts'
import type { StoreMemory } from './store-memory.ts'
import type { Tables } from './tables.ts'
import { runWork } from './writer.ts'

/** Takes the connection over; `close` closes it. Nobody else may write to the file meanwhile. */
export function storeOn(connection: Connection, installation_id: string): Store {
  const memory = new LoadedMemory()
  const db = new Kysely<Tables>({ dialect: new StoreDialect(connection, memory) })
  const gate = new Gate(connection.name)
  const use = () => {
    gate.assertOutside()
    return db
  }
  const committed = async () => {
    gate.assertOpen()
    return memory.loaded ?? memory.load(use())
  }
  return {
    installation_id,
    ...readerOn({
      use,
      intent: async (edition) => (await committed()).editions[edition].committed(),
      latestRelease: async () => (await committed()).committedHead(),
      ownedRrsets: async () => (await committed()).owned_rrsets.read(() => ownedRrsets(use())),
      reportedAddresses: async () =>
        (await committed()).reported_addresses.read(() => reportedAddresses(use())),
    }),
    write: (work) =>
      gate.transact(async (within) => {
        const known = memory.loaded ?? (await memory.load(db))
        return db.transaction().execute((tx) => within(() => runWork(tx, known, work)))
      }),
    async close() {
      await gate.close()
      connection.close()
    },
  }
}

/** The memory, read at first use. Every write loads it before it begins, so no commit can pass it by. */
class LoadedMemory {
  loaded: StoreMemory | null = null
  #loading: Promise<StoreMemory> | null = null

  async load(db: Kysely<Tables>): Promise<StoreMemory> {
    this.#loading ??= loadMemory(db)
    try {
      this.loaded = await this.#loading
      return this.loaded
    } finally {
      this.#loading = null
    }
  }

  committed(): void {
    this.loaded?.publish()
  }

  rolledBack(): void {
    this.loaded?.discard()
  }
}
