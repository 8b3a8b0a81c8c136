/** Data directories for tests, removed after each, and stores on them that are closed before that. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import Database from 'better-sqlite3'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Store } from '../../src/ports/store.ts'

/** Starts at 2026-07-22T10:15:00Z and moves a second with every look. */
export function steppingClock(): Clock {
  let now = Date.UTC(2026, 6, 22, 10, 15)
  return {
    now: () => (now += 1000),
    elapsed: () => now,
    sleep: () => Promise.reject(new Error('nothing here waits')),
  }
}

export interface Scratch {
  /** A new, empty directory. */
  directory(): string
  open(directory: string, options?: Partial<StoreOptions>): Promise<Store>
  /** A connection beside the store's, to look at the file or to spoil it. */
  raw(directory: string): Database.Database
}

export function eachScratch(): Scratch {
  const clock = steppingClock()
  let directories: string[] = []
  let stores: Store[] = []
  let connections: Database.Database[] = []
  afterEach(async () => {
    for (const connection of connections) connection.close()
    for (const store of stores) await store.close()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
    directories = []
    stores = []
    connections = []
  })
  return {
    directory() {
      const directory = mkdtempSync(join(tmpdir(), 'plumbline-store-'))
      directories.push(directory)
      return directory
    },
    async open(directory, options = {}) {
      const store = await openStore({ directory, log: silentLog, clock, ...options })
      stores.push(store)
      return store
    },
    raw(directory) {
      const connection = new Database(join(directory, 'plumbline.db'))
      connections.push(connection)
      return connection
    },
  }
}
