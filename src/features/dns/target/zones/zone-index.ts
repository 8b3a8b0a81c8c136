/**
 * Which zone a name belongs to: the zones that the accounts showed, those that a provider would make, and those where
 * the ledger holds sets. The daemon fills it; targets ask.
 */
import { getDomain } from 'tldts'
import type { DnsZone, OwnedRrset } from '../../../../model/network/dns.ts'

export interface KnownZone extends DnsZone {
  /** Not there yet: the provider makes it on first use. */
  readonly planned: boolean
}

/** The account that makes zones which nobody has, and the only ones that it may make; empty for any. */
export interface ZoneMaker {
  readonly account: string
  readonly only: readonly string[]
}

type LedgerZone = Pick<OwnedRrset, 'account' | 'zone' | 'domain_id'>

/** Where the ledger says that a zone is, and whose sets it holds. */
interface InLedger {
  readonly accounts: ReadonlySet<string>
  readonly domain_ids: ReadonlySet<number>
}

export class ZoneIndex {
  readonly #maker: ZoneMaker | null
  /** As they were shown, several accounts' of one name among them. */
  #shown: readonly DnsZone[] = []
  #zones: ReadonlyMap<string, DnsZone> = new Map()
  /** By zone. */
  #ledger: ReadonlyMap<string, InLedger> = new Map()
  #owned: readonly LedgerZone[] | null = null
  #raised = 0
  /** Accounts that do not answer, or were not asked yet: each may have a zone that nobody has shown. */
  silent: (zone?: string) => readonly string[] = () => []

  constructor(maker: ZoneMaker | null) {
    this.#maker = maker
  }

  /** Another one whenever an answer may have changed. */
  get version(): string {
    return `${this.#raised} ${this.silent().join(' ')}`
  }

  /**
   * Replaces what is known. A zone in two accounts is the one that may be written, then the one where sets of ours stand, then
   * the one named first: an account that is put before another leaves nothing of ours behind, unseen.
   */
  setZones(zones: readonly DnsZone[]): void {
    this.#shown = zones
    this.#choose()
  }

  #choose(): void {
    const found = new Map<string, DnsZone>()
    for (const zone of this.#shown) {
      const twin = found.get(zone.name)
      if (twin === undefined || this.#rankOf(zone) > this.#rankOf(twin)) found.set(zone.name, zone)
    }
    this.#zones = found
    this.#raised++
  }

  #rankOf({ name, account, writable }: DnsZone): number {
    const holds_ours = this.#ledger.get(name)?.accounts.has(account) === true
    return (writable ? 2 : 0) + (holds_ours ? 1 : 0)
  }

  /** A zone that was just made. */
  addZone(zone: DnsZone): void {
    this.setZones([...this.#shown, zone])
  }

  /** The whole ledger, whenever it was read. */
  setOwned(rows: readonly LedgerZone[]): void {
    if (rows === this.#owned) return
    this.#owned = rows
    const ledger = new Map<string, { accounts: Set<string>; domain_ids: Set<number> }>()
    for (const { account, zone, domain_id } of rows) {
      const entry = ledger.get(zone) ?? { accounts: new Set<string>(), domain_ids: new Set<number>() }
      entry.accounts.add(account)
      entry.domain_ids.add(domain_id)
      ledger.set(zone, entry)
    }
    if (sameLedger(ledger, this.#ledger)) return
    this.#ledger = ledger
    this.#choose()
  }

  /** The deepest zone that holds the name, or the one that would be made for it; null where there is none. */
  zoneFor(name: string): KnownZone | null {
    for (const at of suffixes(name)) {
      const zone = this.#zones.get(at)
      if (zone !== undefined) return { ...zone, planned: false }
    }
    return this.#plannedFor(name)
  }

  /** A zone by its own name. One that only the ledger knows is asked for all the same, so that nothing is forgotten. */
  zoneNamed(name: string): KnownZone | null {
    const zone = this.#zones.get(name)
    if (zone !== undefined) return { ...zone, planned: false }
    const [account] = this.#ledger.get(name)?.accounts ?? []
    if (account !== undefined)
      return { name, account, writable: true, detail: null, planned: account === this.#maker?.account }
    return this.#plannedFor(name)
  }

  /** Known zones below this one. */
  below(zone: string): readonly string[] {
    return [...this.#zones.keys()].filter((name) => name.endsWith(`.${zone}`))
  }

  ledgerZones(): readonly string[] {
    return [...this.#ledger.keys()]
  }

  ownsFor(zone: string, domain_id: number): boolean {
    return this.#ledger.get(zone)?.domain_ids.has(domain_id) ?? false
  }

  /**
   * What one registers, private suffixes such as `github.io` taken for registries; null for a suffix itself, and while an
   * account may have the zone that would be made.
   */
  #plannedFor(name: string): KnownZone | null {
    if (this.#maker === null) return null
    const { account, only } = this.#maker
    const bare = name.startsWith('*.') ? name.slice(2) : name
    const zone = only.length === 0 ? registered(bare) : deepest(bare, only)
    return zone === null || this.silent(zone).length > 0
      ? null
      : { name: zone, account, writable: true, detail: null, planned: true }
  }
}

const registered = (name: string): string | null => getDomain(name, { allowPrivateDomains: true })

const deepest = (name: string, zones: readonly string[]): string | null =>
  [...suffixes(name)].find((at) => zones.includes(at)) ?? null

/** The name, and all above it. */
function* suffixes(name: string): Generator<string> {
  for (let at = name; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') yield at
}

const sameLedger = (a: ReadonlyMap<string, InLedger>, b: typeof a): boolean =>
  a.size === b.size &&
  [...a].every(([zone, { accounts, domain_ids }]) => {
    const other = b.get(zone)
    return other !== undefined && areSame(other.accounts, accounts) && areSame(other.domain_ids, domain_ids)
  })

const areSame = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...b].every((one) => a.has(one))
