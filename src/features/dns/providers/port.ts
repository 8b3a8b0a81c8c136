/**
 * One account at one DNS provider. The verb is "replace this RRset, several of them in one request where possible".
 *
 * Contract, held by `test/contract/dns-provider/`:
 * - Names, types and values are in the normal form of `model/network/dns.ts` on both sides; the adapter speaks its provider's form
 *   at the wire only. What `list` shows after a successful `change` equals what was asked for, but for what `traits` say
 *   (a TTL outside its limits, a comment cut to its length).
 * - `zones` and `list` are complete or they throw: a missing page, a count that does not match, another zone's records, or
 *   a body that is not what the API promises is a Failure (`component_unavailable`), never a shorter answer.
 * - `change` touches exactly the sets it names. Where the provider knows single records, it touches those that `seen` listed.
 * - A refused credential is `provider_credentials`; a refusal of the content is `provider_refused`; a limit is `provider_busy`
 *   with `retry_after_ms`; what may work later is `component_unavailable`. Messages name the provider, the zone and, where
 *   one is known, the cure. No message, log line or error ever holds a credential.
 * - A server that answers a change by saying that it failed itself (status 5xx, SERVFAIL) may have failed at one set alone:
 *   `component_unavailable`, marked by the facts `SERVER_FAILED`. The same changes may be sent again, fewer at a time: what
 *   they did is done, and does no harm a second time. Whether anything of it was applied stays unknown.
 * - Every wait ends by the signal. After an aborted or broken `change` the outcome is unknown: list again before writing.
 */
import type { DnsZone, ListedRrset } from '../../../model/network/dns.ts'
import type { Failure, FailureCode } from '../../../kernel/failure.ts'

export interface DnsProvider {
  /** The account's name in the settings; `default` where there is one. */
  readonly account: string
  /** `powerdns`, `cloudflare` … */
  readonly kind: string
  readonly traits: DnsTraits
  zones(signal: AbortSignal): Promise<readonly DnsZone[]>
  /**
   * A stamp that is unchanged only if no record of the zone was changed; null when there is no telling. One request of
   * a size that does not grow with the zone.
   */
  stamp(zone: string, signal: AbortSignal): Promise<string | null>
  /** Every set of the zone but those of the apex's SOA. */
  list(zone: string, signal: AbortSignal): Promise<readonly ListedRrset[]>
  /**
   * What stands at one name of these types, aliases included, by a question about this name alone: never made up by a
   * wildcard, and not by way of a whole listing. Left out for zone files, where the listing is the file itself.
   */
  at?(zone: string, wanted: NamedTypes, signal: AbortSignal): Promise<readonly ListedRrset[]>
  /**
   * The sets of these types in the whole zone, aliases included, and maybe others, by another way than `list`: what one
   * way hides the other shows. Comments, ids and TTLs may be missing. Left out where there is no other way.
   */
  listAgain?(zone: string, types: readonly string[], signal: AbortSignal): Promise<readonly ListedRrset[]>
  /**
   * At most `traits.batch_most` sets, in one request where the provider can. Outcomes in the order of the changes. Throws
   * when none of them was applied, or when it cannot be told.
   */
  change(
    zone: string,
    changes: readonly RrsetChange[],
    signal: AbortSignal,
  ): Promise<readonly ChangeOutcome[]>
  /**
   * What is wrong with the place of the zone, whatever stands in it; null for nothing. Cheap: asked at every look. Left out
   * where a zone has no place of ours.
   */
  placeFault?(zone: string): Promise<PlaceFault | null>
  /** Calls `hint` when the zone may have changed; only where changes can be heard of. A hint may be missing or false. */
  watch?(zone: string, hint: () => void): { close(): void }
  /** Makes a zone that does not exist; only where `traits.makes_zones`. */
  makeZone?(zone: string, signal: AbortSignal): Promise<void>
}

export interface PlaceFault {
  readonly item: string
  /** With what would help. */
  readonly detail: string
}

export interface NamedTypes {
  readonly name: string
  readonly types: readonly string[]
}

export interface DnsTraits {
  /** Sets in one request at most. */
  readonly batch_most: number
  /** True when a request is applied as a whole or not at all. */
  readonly atomic: boolean
  /** Records on a page of a listing; null where a listing has no pages. */
  readonly page_most: number | null
  /** True when `stamp` can answer. */
  readonly has_stamp: boolean
  /** The longest comment in characters; null where records carry none. */
  readonly comment_most: number | null
  /** True when records can be served through the provider's own proxy. */
  readonly has_proxy: boolean
  /** Seconds. `automatic`: null is a TTL too. */
  readonly ttl: { readonly least: number; readonly most: number; readonly automatic: boolean }
  /** True when a zone that is missing is made on first use. */
  readonly makes_zones: boolean
  /** Published limit of the provider's API, or null where none is known. */
  readonly limit: { readonly requests: number; readonly within_ms: number } | null
}

export interface RrsetChange {
  readonly name: string
  readonly type: string
  /** What is to stand there; null to take the set away. */
  readonly wanted: {
    readonly ttl: number | null
    readonly values: readonly string[]
    readonly comment: string | null
    readonly proxied: boolean | null
  } | null
  /** The set as it was listed; null when nothing stood there. */
  readonly seen: ListedRrset | null
}

export type ChangeOutcome =
  /** The provider's record ids, where it tells them at once. */
  | { readonly ok: true; readonly ids: readonly string[] }
  | {
      readonly ok: false
      readonly code: FailureCode
      readonly message: string
      /** The server failed: while it was at this set alone, or at a request with others in it. */
      readonly server_failed?: 'at_this_set' | 'at_its_request'
    }

export const SERVER_FAILED = { server_failed: true } as const

export const isServerFailure = ({ details }: Failure): boolean => details.facts?.['server_failed'] === true

/** A server that fails at this many single sets in a row fails at everything. */
export const MAX_FAILED_IN_A_ROW = 4
