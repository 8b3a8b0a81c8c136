/** The part of the store that DNS needs, in memory: whole transactions or none, and the order that the contract promises. */
import type { OwnedRrset, ReportedAddress } from '../../../../src/model/network/dns.ts'
import type { DnsLedger } from '../../../../src/features/dns/target/parts.ts'

type Key = Pick<OwnedRrset, 'account' | 'zone' | 'name' | 'type'>

const keyOf = ({ account, zone, name, type }: Key): string => [zone, name, type, account].join(' ')

export class MemoryLedger implements DnsLedger {
  rows: ReadonlyMap<string, OwnedRrset> = new Map()
  reported: readonly ReportedAddress[] = []
  writes = 0
  /** Asked before a transaction: true is a power cut. */
  dies: () => boolean = () => false

  #read: { readonly rows: MemoryLedger['rows']; readonly answer: readonly OwnedRrset[] } | null = null

  /** The same object until something changes, as a store answers. */
  async ownedRrsets(): Promise<readonly OwnedRrset[]> {
    const { rows } = this
    if (this.#read?.rows !== rows) {
      const answer = [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      this.#read = { rows, answer }
    }
    return this.#read.answer
  }

  async reportedAddresses(): Promise<readonly ReportedAddress[]> {
    return this.reported
  }

  async write<T>(work: Parameters<DnsLedger['write']>[0]): Promise<T> {
    if (this.dies()) throw new PowerCut()
    const rows = new Map(this.rows)
    const done = await work({
      async ownedRrsets() {
        return [...rows.values()]
      },
      async saveOwnedRrsets(given) {
        for (const row of given) rows.set(keyOf(row), row)
      },
      async dropOwnedRrsets(keys) {
        for (const key of keys) rows.delete(keyOf(key))
      },
    })
    this.rows = rows
    this.writes++
    return done as T
  }

  /** As somebody else's transaction would. */
  put(...rows: readonly OwnedRrset[]): void {
    this.rows = new Map([...this.rows, ...rows.map((row) => [keyOf(row), row] as const)])
  }
}

export class PowerCut extends Error {}
