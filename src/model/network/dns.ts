/**
 * DNS records in one normal form, so that what is wanted, what was sent and what a provider shows can be compared.
 *
 * Names are lower-case A-labels without a trailing dot, a leading `*` allowed. Values are in the form of the record type:
 * canonical addresses for A and AAAA (RFC 5952), host names like names, and for TXT the joined text without quotes.
 */
import type { Instant } from '../../kernel/clock.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'

/** The types that we manage. Everything else in a zone is only read. */
export const MANAGED_TYPES = ['A', 'AAAA'] as const
export type ManagedType = (typeof MANAGED_TYPES)[number]

/** All records of one name and type (RFC 2181 §5). */
export interface Rrset {
  readonly name: string
  /** Upper case: `A`, `CNAME`, `TXT`. */
  readonly type: string
  /** Seconds; null where the provider decides (automatic, or behind its proxy). */
  readonly ttl: number | null
  /** Distinct and sorted by code units. */
  readonly values: readonly string[]
}

/** A set as a provider lists it. */
export interface ListedRrset extends Rrset {
  /** The provider's ids of the single records, in the order of `values`; empty where it has none. */
  readonly ids: readonly string[]
  /** The comment kept beside the set, null for none and where the provider has no comments. */
  readonly comment: string | null
  /** Served through the provider's own proxy; null where it has none. */
  readonly proxied: boolean | null
}

/** Stands for no record: ids begin at 1. */
export const NO_DOMAIN = 0

/** What we know of a set that we put there, or took over. */
export interface OwnedRrset extends Rrset {
  readonly account: string
  readonly zone: string
  readonly type: ManagedType
  /** `NO_DOMAIN` for an orphan that a person has told to go. */
  readonly domain_id: number
  /**
   * `sending`: a new set is about to be written, or was accepted and no listing has shown it: it may or may not be there.
   * `owned`: a listing made after the write showed it. `applying`: ours, and a change of it was asked for that no listing
   * has shown; the values are the last that one did. `removing`: ours, and its removal was asked for; a listing made after
   * that still has to show it gone. `adopted`: was somebody else's until a caller took it over; the next pass makes it
   * ours. `releasing`: a caller gave it up; the next pass takes our mark off it and forgets it.
   */
  readonly state: 'sending' | 'owned' | 'applying' | 'removing' | 'adopted' | 'releasing'
  readonly proxied: boolean | null
  /** The provider's record ids, as last seen. */
  readonly ids: readonly string[]
  readonly sent_at: Instant
}

/** A zone of a provider account. */
export interface DnsZone {
  /** Lower-case A-labels, no trailing dot. */
  readonly name: string
  readonly account: string
  /** False for a zone that is paused, pending or only mirrored: it is shown and never written. */
  readonly writable: boolean
  /** Why it is not writable, else null. */
  readonly detail: string | null
}

/** The last addresses that a gateway reported for a host name. */
export interface ReportedAddress {
  readonly host: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  /** When either of them last changed. */
  readonly changed_at: Instant
  /** When the gateway last spoke, changed or not. */
  readonly reported_at: Instant
}

/** Who reported an address that is only the one that was published before a gateway was to report. */
export const CARRIED_OVER = 'carried_over'

/** True when `name` is the zone's apex or lies below it. */
export const isInZone = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

/** The zone that holds a name: the longest suffix, so that a delegated sub-zone comes before its parent. */
export function zoneOf<Z extends { readonly name: string }>(name: string, zones: readonly Z[]): Z | null {
  let best: Z | null = null
  for (const zone of zones)
    if (isInZone(name, zone.name) && (best === null || zone.name.length > best.name.length)) best = zone
  return best
}

/** As a command takes it: a name at a provider may be anything, and the line is copied into a shell. */
export const rrsetWords = ({ type, name }: Pick<Rrset, 'type' | 'name'>): string =>
  `${type} ${shellWord(name)}`

/** `A app.example.com`: how a set is called everywhere. */
export const rrsetItem = ({ type, name }: Pick<Rrset, 'type' | 'name'>): string => `${type} ${name}`

export const rrsetKey = ({ name, type }: Pick<Rrset, 'name' | 'type'>): string => `${name} ${type}`
