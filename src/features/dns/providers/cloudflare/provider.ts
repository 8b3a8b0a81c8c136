/** Cloudflare DNS, API v4. */
import { Failure } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { DnsProvider } from '../port.ts'
import type { HttpClient } from '../../../../ports/http-client.ts'
import { type JsonApi, jsonApi, unusable } from '../json-api.ts'
import { listingOf, reading, wholeListing } from '../whole-listing.ts'
import { changeSets } from './change.ts'
import { setsOf } from './from-records.ts'
import { readPages } from './pages.ts'
import { codeOf, words } from './refusals.ts'
import { TRAITS } from './traits.ts'
import { record, type Refusal, refusal } from './wire.ts'
import { dnsZone, zoneIds } from './zones.ts'

const PROVIDER = 'cloudflare'
const BASE = 'https://api.cloudflare.com/client/v4'

export interface CloudflareOptions {
  readonly account: string
  /** An API token with Zone:Read and DNS:Edit. The global key is not taken. */
  readonly token: Secret
  readonly http: HttpClient
  readonly base?: string
}

export function cloudflareProvider({ account, token, http, base = BASE }: CloudflareOptions): DnsProvider {
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
    zones: async (signal) => (await ids.all(signal)).map((zone) => dnsZone(account, zone)),
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
