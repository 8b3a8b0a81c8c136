/** The record sets that are checked: what we keep at a provider, as it stands there. */
import type { ManagedType } from '../../../model/network/dns.ts'

export interface ManagedSet {
  readonly zone: string
  readonly name: string
  readonly type: ManagedType
  /** Distinct and sorted. */
  readonly values: readonly string[]
  /** Behind the provider's own proxy: its addresses show, so only that there are some can be compared. */
  readonly proxied: boolean | null
  readonly domain_id: number
}

/** True when values seen are what the set should show. */
export const agrees = (set: ManagedSet, values: readonly string[]): boolean =>
  set.proxied === true ? values.length > 0 : values.join() === [...set.values].sort().join()

/** True when a check of one says something about the other. */
export const sameWish = (a: ManagedSet, b: ManagedSet): boolean =>
  a.proxied === b.proxied && a.values.join() === b.values.join()
