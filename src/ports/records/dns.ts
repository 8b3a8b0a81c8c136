/** What the store keeps for DNS: the sets that are ours, the zones that were found, reported addresses and their tokens. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'
import type { DnsZone, ManagedType, OwnedRrset, ReportedAddress } from '../../model/network/dns.ts'

export interface DnsReader {
  /** Ordered by zone, name and type. */
  ownedRrsets(): Promise<readonly OwnedRrset[]>
  /** As of the last complete listing of each account, ordered by name. */
  dnsZones(): Promise<readonly DnsZone[]>
  reportedAddresses(): Promise<readonly ReportedAddress[]>
  /** Ordered by host and type. */
  pendingAddresses(): Promise<readonly PendingAddress[]>
  /** Newest first. */
  addressHistory(host: string, limit: number): Promise<readonly AddressChange[]>
  ddnsTokens(): Promise<readonly DdnsToken[]>
  /** Live tokens of a digest, expired ones left out by the caller. */
  ddnsTokenByDigest(digest: string): Promise<DdnsToken | null>
  /** When the tokens were last rotated by the schedule; null for never. */
  lastRotation(): Promise<Instant | null>
}

export interface DnsWriter extends DnsReader {
  /** By account, zone, name and type. */
  saveOwnedRrsets(rrsets: readonly OwnedRrset[]): Promise<void>
  dropOwnedRrsets(rrsets: readonly Pick<OwnedRrset, 'account' | 'zone' | 'name' | 'type'>[]): Promise<void>
  /** Replaces what is known of the account. */
  saveDnsZones(account: string, zones: readonly DnsZone[], at: Instant): Promise<void>
  saveReportedAddress(address: ReportedAddress): Promise<void>
  /** What was reported before stays in the history; what waits goes with it. */
  dropReportedAddress(host: string): Promise<void>
  addAddressChange(change: AddressChange): Promise<void>
  /** By host and type. */
  savePendingAddress(pending: PendingAddress): Promise<void>
  dropPendingAddress(host: string, type: ManagedType): Promise<void>
  addDdnsToken(token: DdnsToken): Promise<void>
  /** A token that is not there any more is left alone. */
  endDdnsToken(id: string, expires_at: Instant): Promise<void>
  usedDdnsToken(id: string, at: Instant): Promise<void>
  /** Tokens that ended before then. */
  forgetDdnsTokens(before: Instant): Promise<void>
  saveRotation(at: Instant): Promise<void>
}

export interface AddressChange {
  readonly host: string
  readonly type: ManagedType
  readonly address: string
  readonly at: Instant
  /** Who reported it: `token:<id>`, `api-key` for the main one, or `key:<name>`. */
  readonly actor: string
}

/** A reported address that is taken when it is due. */
export interface PendingAddress {
  readonly host: string
  readonly type: ManagedType
  readonly address: string
  /** Since when it is the newest report. */
  readonly asked_at: Instant
  readonly due_at: Instant
  /** The name goes back and forth; false where only a minute has to pass. */
  readonly is_held: boolean
  /** As in `AddressChange`. */
  readonly actor: string
  /** Who is named in the audit trail, and the request that it came with. */
  readonly by: { readonly name: string; readonly request_id: string }
}

/** A credential of one gateway, bound to one host name. The secret itself is nowhere. */
export interface DdnsToken {
  readonly id: string
  readonly host: string
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string
  readonly label: string
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
  readonly last_used_at: Instant | null
}
