/** What is to be done about one set: the changes at the provider and the ledger rows around them. Plain data. */
import type { OwnedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'

/** A row of the ledger before its time is known. */
export type LedgerRow = Omit<OwnedRrset, 'sent_at'>

/**
 * The order of work: what only marks, what is new, what changes, what changes its type, what leaves, and last what is
 * only forgotten. A name is so never without an address for longer than one request.
 */
export const RANKS = ['mark', 'create', 'update', 'pair', 'release', 'delete', 'forget'] as const
export type Rank = (typeof RANKS)[number]

export interface PlannedChange {
  readonly rank: Rank
  readonly verb: 'create' | 'update' | 'delete'
  readonly before: string | null
  readonly after: string | null
  readonly domain_ids: readonly number[]
  readonly payload: DnsPayload
}

/** What is carried out under one key. */
export interface Item {
  readonly key: string
  readonly payload: DnsPayload
}

export interface DnsPayload {
  readonly rank: Rank
  /** Which row of the ledger it is about. */
  readonly row: Pick<OwnedRrset, 'account' | 'zone' | 'name' | 'type'>
  /** Must have succeeded before `changes` are asked for. */
  readonly prepare: readonly RrsetChange[]
  /** Together in one request where the provider can; empty where only the ledger is behind. */
  readonly changes: readonly RrsetChange[]
  readonly ledger: {
    readonly before: OwnedRrset | null
    /** Kept before anything is sent; null leaves what is there. */
    readonly during: LedgerRow | null
    /** Kept after all of it succeeded; null drops the row. */
    readonly after: LedgerRow | null
  }
  /** The zone does not exist yet. */
  readonly makes_zone: boolean
  /** The name that its record has now, which is to stand first. */
  readonly successor: string | null
  /** Its name goes on with addresses of another family. */
  readonly keeps_name?: true
}

/** Only our own note of a set goes: nothing is asked of the provider. */
export const isNote = ({ rank, changes }: Pick<DnsPayload, 'rank' | 'changes'>): boolean =>
  rank === 'forget' && changes.length === 0
