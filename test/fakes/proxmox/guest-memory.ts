/** What guests told, in memory: for a cluster without a store. */
import type { GuestMemory, RememberedGuest } from '../../../src/features/discovery/model/guest-memory-port.ts'

export function guestsInMemory(): GuestMemory {
  const kept = new Map<string, RememberedGuest>()
  return {
    all: () => Promise.resolve([...kept.values()]),
    keep: (rows, removed) => {
      for (const row of rows) kept.set(row.guest, row)
      for (const guest of removed) kept.delete(guest)
      return Promise.resolve()
    },
  }
}
