/** A DNS set as it is shown to people: what is wanted, what stands there, and whose it is. */
import type { ManagedType } from '../../../model/network/dns.ts'

export const RECORD_STATES = [
  'absent',
  'lost',
  'owned',
  'applying',
  'removing',
  'unmarked',
  'adopted',
  'releasing',
  'orphan',
  'foreign',
  'other_installation',
  'blocked',
  'conflict',
  'unaddressed',
] as const
export type RecordState = (typeof RECORD_STATES)[number]

export interface DnsRecordView {
  readonly zone: string
  readonly account: string
  readonly name: string
  /** The type of what stands there where that is an alias in our place. */
  readonly type: string
  /** The set that it is, or would be, of ours. */
  readonly managed_type: ManagedType
  readonly state: RecordState
  readonly domain_id: number | null
  readonly domain: string | null
  /** Null where nothing is wanted, or where nobody knows an address. */
  readonly desired: readonly string[] | null
  /** Null where nothing is there. */
  readonly observed: readonly string[] | null
  /** Of what is there, else of what is wanted; seconds, null for automatic. */
  readonly ttl: number | null
  readonly proxied: boolean | null
  readonly comment: string | null
  /** What is in the way, or about to be done; null where all is well. */
  readonly detail: string | null
}
