/** Cloudflare DNS, API v4. */
import type { z } from 'zod'
import { Failure } from '../../../../kernel/failure.ts'
import type { DnsZone, ListedRrset } from '../../../../model/network/dns.ts'
import type { HostedOptions } from '../hosted.ts'
import { type JsonApi, jsonApi, unusable } from '../json-api.ts'
import type { DnsProvider } from '../port.ts'
import { listingOf, reading, wholeListing, zonesByName } from '../whole-listing.ts'
import { changeSets } from './change.ts'
import { setsOf } from './from-records.ts'
import { codeOf, words } from './refusals.ts'
import { TRAITS } from './traits.ts'
import { pageOf, record, type Refusal, refusal, type WireZone, zone as wireZone } from './wire.ts'

const PROVIDER = 'cloudflare'
const BASE = 'https://api.cloudflare.com/client/v4'

export function cloudflareProvider({
  account,
  token,
  http,
  base = BASE,
}: Omit<HostedOptions, 'clock'>): DnsProvider {
  const api = jsonApi({
    provider: PROVIDER,
    http,
    base,
    credential: token,
    authorize: (credential) => ({ authorization: `Bearer ${credential}` }),
    refusal,
    words,
    codeOf,
    refuses_with_ok: true,
    credential_hint:
      'The API token needs the permissions Zone:Read and DNS:Edit for this zone, and must not have expired.',
    usual_wait_ms: 5 * 60 * 1000,
  })
  const ids = zoneIds(api)

  const list = async (zone: string, signal: AbortSignal): Promise<readonly ListedRrset[]> => {
    const id = await ids.idOf(zone, signal)
    try {
      return await listZone(api, { zone, id, signal })
    } catch (error) {
      // The zone may have been made anew under another id: the next look asks for it.
      if (error instanceof Failure && error.code === 'provider_refused') ids.forget(zone)
      throw error
    }
  }

  return {
    account,
    kind: PROVIDER,
    traits: TRAITS,
    zones: async (signal) => [...(await ids.all(signal))].map(([name, zone]) => dnsZone(account, name, zone)),
    stamp: async () => null,
    list,
    at: async (zone, { name }, signal) => {
      const id = await ids.idOf(zone, signal)
      const query = new URLSearchParams({ 'name.exact': name })
      const sets = await listZone(api, { zone, id, signal }, `${USUAL}&${query.toString()}`)
      return sets.filter((set) => set.name === name)
    },
    listAgain: async (zone, _types, signal) => {
      const id = await ids.idOf(zone, signal)
      return listZone(api, { zone, id, signal }, AGAIN)
    },
    change: async (zone, changes, signal) => {
      const zone_id = await ids.idOf(zone, signal)
      return changeSets({ api, zone, zone_id, signal }, changes, () => list(zone, signal))
    },
  }
}

const USUAL = `order=name&direction=asc&per_page=${TRAITS.page_most}`
/** The other way round and on shorter pages: what is lost between two pages of one way is in the middle of another. */
const AGAIN = 'order=type&direction=desc&per_page=300'

interface ZoneCall {
  readonly zone: string
  readonly id: string
  readonly signal: AbortSignal
}

async function listZone(
  api: JsonApi<Refusal>,
  { zone, id, signal }: ZoneCall,
  query = USUAL,
): Promise<ListedRrset[]> {
  const what = listingOf(zone)
  const path = `/zones/${id}/dns_records?${query}`
  const records = await readPages(api, { path, item: record, what, signal })
  if (records.some(({ zone_id }) => zone_id !== undefined && zone_id !== id))
    throw unusable(PROVIDER, what, "the answer holds another zone's records")
  const listing = { provider: PROVIDER, zone }
  return reading(listing, () => wholeListing(listing, setsOf(records)))
}

// Cloudflare's zones, and the ids under which it knows them.

const PAGE = 50

interface ZoneIds {
  all(signal: AbortSignal): Promise<ReadonlyMap<string, WireZone>>
  /** Asked for once and remembered. Throws `provider_refused` when the account has no such zone. */
  idOf(zone: string, signal: AbortSignal): Promise<string>
  /** The zone was deleted, or made anew under another id. */
  forget(zone: string): void
}

function zoneIds(api: JsonApi<Refusal>): ZoneIds {
  const ids = new Map<string, string>()
  const read = async (query: string, what: string, signal: AbortSignal) => {
    const zones = await readPages(api, {
      path: `/zones?${query}per_page=${PAGE}`,
      item: wireZone,
      what,
      signal,
    })
    const by_name = zonesByName(zones, (zone) => notWritable(zone) === null)
    for (const [name, { id }] of by_name) ids.set(name, id)
    return by_name
  }
  return {
    all: (signal) => {
      ids.clear()
      return read('', 'list the zones', signal)
    },
    async idOf(zone, signal) {
      // An internationalised zone goes by its other spelling there, so it is looked for among all.
      const query = zone.includes('xn--') ? '' : `name=${encodeURIComponent(zone)}&`
      if (!ids.has(zone)) await read(query, `find the zone ${zone}`, signal)
      const id = ids.get(zone)
      if (id !== undefined) return id
      throw new Failure(
        'provider_refused',
        `cloudflare: the token gives access to no zone ${zone}. Check the zones that it is limited to.`,
      )
    },
    forget: (zone) => void ids.delete(zone),
  }
}

// `permissions` of a zone is what the user may do, not the token: it does not say whether we may write.
function dnsZone(account: string, name: string, zone: WireZone): DnsZone {
  const detail = notWritable(zone)
  return { name, account, writable: detail === null, detail }
}

/** Why it is not; null where it may be written. */
function notWritable({ status, paused, type }: WireZone): string | null {
  if (type === 'secondary') return 'the zone is a copy of one elsewhere (secondary)'
  if (status !== 'active') return `the zone is ${status} at Cloudflare`
  return paused ? 'the zone is paused at Cloudflare' : null
}

// Reads a list of Cloudflare's page by page, and takes it only when all of it came.

// More pages than any zone has: a server that counts without end is left.
const MAX_PAGES = 2000

interface ListCall<T> {
  /** With its query, `page` left out. */
  readonly path: string
  readonly item: z.ZodType<T>
  readonly what: string
  readonly signal: AbortSignal
}

/** Throws `component_unavailable` for a page that is not the asked one, not full, or counts another total than the first. */
async function readPages<T extends { readonly id: string }>(
  api: JsonApi<Refusal>,
  { path, item, what, signal }: ListCall<T>,
): Promise<T[]> {
  const broken = (why: string) => unusable(api.provider, what, why)
  const items = new Map<string, T>()
  let total: number | null = null
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { body } = await api.ask({
      method: 'GET',
      path: `${path}&page=${page}`,
      answer: pageOf(item),
      what,
      signal,
    })
    const info = body.result_info
    total ??= info.total_count
    if (info.page !== page) throw broken(`asked for page ${page} and got page ${info.page}`)
    if (info.total_count !== total) throw broken('the list changed while it was read')
    if (info.count !== body.result.length)
      throw broken(`page ${page} says that it has ${info.count} entries and has ${body.result.length}`)
    for (const one of body.result) {
      if (items.has(one.id)) throw broken(`an entry came twice, on page ${page} for the second time`)
      items.set(one.id, one)
    }
    if (items.size > total) throw broken(`${total} entries were announced and more came`)
    if (items.size === total) return [...items.values()]
    if (body.result.length < info.per_page)
      throw broken(`${total} entries were announced and the list ended after ${items.size}`)
  }
  throw broken(`the list has more than ${MAX_PAGES} pages`)
}
