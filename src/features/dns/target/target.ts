/** One DNS zone as something that is kept true. */
import type { ApplyContext, Excerpt, Repair } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { isPublished } from '../../../model/domain/address-sources.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { isInZone, type ListedRrset } from '../../../model/network/dns.ts'
import { canonicalRows } from './canonical.ts'
import { nameHindrances } from './deciding/hindrances.ts'
import type { DnsDesired, NamedRow, WantedRow } from './desire.ts'
import { diffZone, dnsKey, zoneObstacles } from './diff.ts'
import { explainZone } from './explain.ts'
import { keptIn } from './leaving/kept.ts'
import { typeOf } from './marks/marker.ts'
import { highestIn } from './marks/numbered.ts'
import { plain } from './marks/set-text.ts'
import { observeZone, placeOf } from './observe.ts'
import type { DnsParts, DnsTarget, ZoneTargetParts } from './parts.ts'
import { applyZone } from './writing/apply.ts'
import { CachedListing, FULL_LIST_EVERY_MS } from './zones/cached-listing.ts'
import { LastLook } from './zones/last-look.ts'
import { paceOf } from './zones/pace.ts'
import type { ZoneState } from './zones/zone-state.ts'
import { unacceptedAfter, unacceptedDuring, type UnacceptedSets } from './zones/unaccepted.ts'
import { ZoneWatches } from './zones/zone-watches.ts'

export interface ZoneTarget {
  readonly target: DnsTarget
  /** There is reason not to believe what is kept: the zone is listed in full, soon. */
  invalidate(): void
  /** Ends what is under way for callers. */
  close(): void
}

/** Large zones take long to list. */
const DEADLINE_MS = 60_000
/** One set, or a few: what fails at several in a row is the whole zone's trouble. */
const FAILED_SET_MOST_MS = 60_000
const TIMER: NonNullable<Parameters<DnsTarget['observe']>[1]> = { afresh: false }

export function zoneTarget(zone: string, parts: ZoneTargetParts): ZoneTarget {
  const { blueprint, zone_index } = parts
  const listing = new CachedListing(zone, { clock: parts.clock, deadline_ms: DEADLINE_MS })
  const last = new LastLook()
  const unaccepted: KeptUnaccepted = { sets: new Map() }
  const watches = new ZoneWatches(zone, parts)
  const target: DnsTarget = {
    ...blueprint,
    key: dnsKey(zone),
    get every_ms() {
      return paceOf(zone, parts)
    },
    full_look_every_ms: FULL_LIST_EVERY_MS,
    deadline_ms: DEADLINE_MS,
    backoff: { first_ms: 5_000, max_ms: 15 * 60_000 },
    failed_item_most_ms: FAILED_SET_MOST_MS,
    whole: false,
    /** Another account is another place, even for a zone of the same name. */
    get place() {
      return `${zone_index.zoneNamed(zone)?.account ?? ''}/${zone}`
    },
    reads: ['domains', 'addresses'],
    glance: () => null,
    observe: (signal, { afresh, is_pass = false } = TIMER) => {
      watches.arm()
      return observeZone(
        zone,
        { listing, last, unaccepted: () => unaccepted.sets },
        { parts, afresh, is_pass, signal },
      )
    },
    diff: diffZone,
    obstacles: zoneObstacles,
    async hindrances(wish, signal) {
      const { provider } = placeOf(parts, zone)
      const { served = null, installation_id } = parts
      return nameHindrances(wish, { provider, served, zone, installation_id, signal })
    },
    portion: portionFor(zone, parts),
    stampIn: highestIn,
    concerns: (row) => concerns(row, zone, parts),
    apply: (differences, _desired, context) =>
      differences.length === 0
        ? Promise.resolve([])
        : writeZone(differences, { zone, parts, listing, unaccepted }, context),
    explain: explainZone,
    excerpt: zoneExcerpt(zone),
    keeps: keptIn,
    watch: (hint) => watches.open(hint),
  }
  return {
    target,
    invalidate() {
      listing.forget()
      watches.hint()
    },
    close: () => listing.close(),
  }
}

/** What we wrote and did not see stand (`zones/unaccepted.ts`), from one write to the next. */
interface KeptUnaccepted {
  sets: UnacceptedSets
}

interface ZoneKept {
  readonly zone: string
  readonly parts: ZoneTargetParts
  readonly listing: CachedListing
  readonly unaccepted: KeptUnaccepted
}

async function writeZone(
  differences: Parameters<DnsTarget['apply']>[0],
  { zone, parts, listing, unaccepted }: ZoneKept,
  { signal, evidence, ends_at, wrote }: ApplyContext,
): Promise<readonly Repair[]> {
  // Before and after: neither a listing from before nor one that was made meanwhile tells what stands there then.
  listing.forget()
  const place = placeOf(parts, zone)
  let is_relisted = false
  unaccepted.sets = unacceptedDuring(unaccepted.sets, differences)
  try {
    return await applyZone(differences, {
      parts,
      place,
      signal,
      ends_at,
      evidence,
      wrote,
      async relist() {
        listing.forget()
        const rrsets = await listing.look(place.provider, { afresh: false, signal })
        is_relisted = true
        return rrsets
      },
      unaccepted(found) {
        unaccepted.sets = unacceptedAfter(unaccepted.sets, differences, found)
      },
    })
  } finally {
    if (!is_relisted) listing.forget()
  }
}

const concerns = ({ domain_id, fields }: IntentRow, zone: string, { zone_index }: DnsParts): boolean =>
  zone_index.ownsFor(zone, domain_id) ||
  (isPublished(fields) && zone_index.zoneFor(fields.domain)?.name === zone)

/** What of all zones is this one's: a release that moves others leaves it as applied as it was. */
function portionFor(zone: string, { zone_index }: DnsParts): (desired: DnsDesired) => string {
  let kept: { readonly desired: DnsDesired; readonly version: string; readonly digest: string } | null = null
  return (desired) => {
    const { version } = zone_index
    if (kept?.desired === desired && kept.version === version) return kept.digest
    const isHere = ({ domain_id, name }: NamedRow) =>
      zone_index.zoneFor(name)?.name === zone || zone_index.ownsFor(zone, domain_id)
    const { wanted, kept: idle, retired, unpublished } = desired
    const here = canonicalRows({
      wanted: wanted.filter(isHere),
      kept: idle.filter(isHere),
      retired: retired.filter(isHere),
      unpublished: unpublished.filter(({ domain_id }) => zone_index.ownsFor(zone, domain_id)),
    })
    const digest = sha256([JSON.stringify([here.wanted, here.kept, here.retired, here.unpublished])])
    kept = { desired, version, digest }
    return digest
  }
}

// What a zone holds for single domains, a line for each set. Pure.

const SHOWN_TYPES = new Set(['A', 'AAAA', 'CNAME'])

const zoneExcerpt = (zone: string): Excerpt<DnsDesired, ZoneState> => ({
  desired: ({ wanted }, domains) =>
    linesOf(wanted.filter(({ name }) => domains.includes(name) && isInZone(name, zone)).flatMap(wishLines)),
  observed: ({ rrsets }, domains) =>
    linesOf(
      rrsets.filter(({ name, type }) => domains.includes(name) && SHOWN_TYPES.has(type)).flatMap(setLines),
    ),
})

const linesOf = (lines: readonly string[]): string | null =>
  lines.length === 0 ? null : `${[...lines].sort().join('\n')}\n`

const line = (name: string, ttl: string, rest: string): string => `${name} ${ttl} ${rest}`

const setLines = ({ name, type, ttl, values, proxied }: ListedRrset): string[] =>
  values.map((value) =>
    plain(line(name, `${ttl ?? 'automatic'}`, `${type} ${value}${proxied === true ? ' proxied' : ''}`)),
  )

/** Reported addresses are not part of what was released: only who reports them is, and what counts until somebody does. */
function wishLines({ name, ttl, proxied, fixed, reported_by, fallback }: WantedRow): string[] {
  const edge = proxied === true ? ' proxied' : ''
  const valueOf = (address: string) => `${typeOf(address)} ${address}`
  const lineOf = (rest: string) => line(name, `${ttl ?? 'automatic'}`, `${rest}${edge}`)
  if (fixed !== null) return fixed.map((address) => lineOf(valueOf(address)))
  const addresses = fallback.map(valueOf)
  if (reported_by.length === 0) return addresses.map(lineOf)
  const otherwise = addresses.length === 0 ? '' : `, else ${addresses.join(', ')}`
  return [lineOf(`as reported for ${reported_by.join(', else for ')}${otherwise}`)]
}
