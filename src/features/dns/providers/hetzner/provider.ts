/** Hetzner DNS by the Cloud API (`api.hetzner.cloud`); the DNS Console's own API before it is switched off. */
import type { z } from 'zod'
import type { DnsZone, ListedRrset } from '../../../../model/network/dns.ts'
import type { HostedOptions } from '../hosted.ts'
import { type JsonApi, jsonApi, unusable } from '../json-api.ts'
import type { DnsProvider } from '../port.ts'
import { listingOf, reading, wholeListing, zoneNameOf, zonesByName } from '../whole-listing.ts'
import { changeSets } from './change.ts'
import { listedSet, relative } from './sets.ts'
import { TRAITS } from './traits.ts'
import {
  codeOf,
  pageOf,
  refusal,
  type Refusal,
  rrset,
  type WireZone,
  withZone,
  words,
  zone as wireZone,
} from './wire.ts'

const PROVIDER = 'hetzner'
const BASE = 'https://api.hetzner.cloud/v1'

export function hetznerProvider({ account, token, http, clock, base = BASE }: HostedOptions): DnsProvider {
  const api = cloudApi({ token, http, base })
  return {
    account,
    kind: PROVIDER,
    traits: TRAITS,
    zones: (signal) => listZones(api, account, signal),
    stamp: async () => null,
    list: (zone, signal) => listZone(api, zone, signal),
    at: async (zone, { name }, signal) => {
      const sets = await listZone(api, zone, signal, [['name', relative(name, zone)]])
      return sets.filter((set) => set.name === name)
    },
    listAgain: (zone, types, signal) => listZone(api, zone, signal, ofTypes([...types, 'CNAME'])),
    change: (zone, changes, signal) => changeSets({ api, clock, zone, signal }, changes),
  }
}

const cloudApi = ({
  token,
  http,
  base,
}: Required<Pick<HostedOptions, 'token' | 'http' | 'base'>>): JsonApi<Refusal> =>
  jsonApi({
    provider: PROVIDER,
    http,
    base,
    credential: token,
    authorize: (credential) => ({ authorization: `Bearer ${credential}` }),
    refusal,
    words,
    codeOf,
    credential_hint:
      'The API token must belong to the project that holds the zone and be allowed to read and write.',
    usual_wait_ms: 60 * 1000,
  })

async function listZones(api: JsonApi<Refusal>, account: string, signal: AbortSignal): Promise<DnsZone[]> {
  const what = 'list the zones'
  const zones = await readPages(api, { path: '/zones', member: 'zones', item: wireZone, what, signal })
  if (new Set(zones.map(({ id }) => id)).size !== zones.length)
    throw unusable(PROVIDER, what, 'a zone came twice')
  const by_name = zonesByName(zones, (zone) => notWritable(zone) === null)
  return [...by_name].map(([name, zone]) => dnsZone(account, name, zone))
}

const ofTypes = (types: readonly string[]): readonly (readonly ['type', string])[] =>
  [...new Set(types)].map((type) => ['type', type])

/** Sets name their zone by its number only, so the number is asked for with every listing. */
async function listZone(
  api: JsonApi<Refusal>,
  zone: string,
  signal: AbortSignal,
  filter: readonly (readonly [name: string, value: string])[] = [],
): Promise<ListedRrset[]> {
  const what = listingOf(zone)
  const path = `/zones/${encodeURIComponent(zone)}`
  const { body } = await api.ask({ method: 'GET', path, answer: withZone, what, signal })
  const call = { path: `${path}/rrsets`, filter, member: 'rrsets', item: rrset, what, signal }
  const sets = await readPages(api, call)
  if (zoneNameOf(body.zone.name) !== zone || sets.some((set) => set.zone !== body.zone.id))
    throw unusable(api.provider, what, "the answer holds another zone's records")
  const listing = { provider: api.provider, zone }
  return reading(listing, () =>
    wholeListing(
      listing,
      sets.map((set) => listedSet(zone, set)),
    ),
  )
}

function dnsZone(account: string, name: string, zone: WireZone): DnsZone {
  const detail = notWritable(zone)
  return { name, account, writable: detail === null, detail }
}

/** Why it is not; null where it may be written. */
function notWritable({ mode, status }: WireZone): string | null {
  if (mode === 'secondary') return 'the zone is a copy of one elsewhere (secondary)'
  return status === 'error' ? 'the zone is in status error at Hetzner' : null
}

// Reads a list of Hetzner's page by page, and takes it only when all of it came.

const MAX_PAGES = 2000

interface ListCall<T> {
  readonly path: string
  /** Only what fits these, where there are any. */
  readonly filter?: readonly (readonly [name: string, value: string])[]
  /** Under which name the entries of a page stand. */
  readonly member: string
  readonly item: z.ZodType<T>
  readonly what: string
  readonly signal: AbortSignal
}

/** Throws `component_unavailable` for a page that is not the asked one, not full, or counts another total than the first. */
async function readPages<T>(
  api: JsonApi<Refusal>,
  { path, filter = [], member, item, what, signal }: ListCall<T>,
): Promise<T[]> {
  const broken = (why: string) => unusable(api.provider, what, why)
  const answer = pageOf(member, item)
  const items: T[] = []
  let total: number | null | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const asked = [...filter, ['page', `${page}`], ['per_page', `${TRAITS.page_most}`]] as [string, string][]
    const query = new URLSearchParams(asked).toString()
    const { body } = await api.ask({ method: 'GET', path: `${path}?${query}`, answer, what, signal })
    const { entries } = body
    const info = body.meta.pagination
    if (total === undefined) total = info.total_entries
    if (info.page !== page) throw broken(`asked for page ${page} and got page ${info.page}`)
    if (info.total_entries !== total) throw broken('the list changed while it was read')
    items.push(...entries)
    if (info.next_page === null) {
      if (total !== null && items.length !== total)
        throw broken(`${total} entries were announced and ${items.length} came`)
      return items
    }
    if (info.next_page !== page + 1) throw broken(`page ${info.next_page} is said to follow page ${page}`)
    if (entries.length !== info.per_page) throw broken(`page ${page} is not full and yet not the last`)
  }
  throw broken(`the list has more than ${MAX_PAGES} pages`)
}
