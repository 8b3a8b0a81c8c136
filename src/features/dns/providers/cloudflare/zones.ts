/** Cloudflare's zones, and the ids under which it knows them. */
import { Failure } from '../../../../kernel/failure.ts'
import type { DnsZone } from '../../../../model/network/dns.ts'
import type { JsonApi } from '../json-api.ts'
import { absolute } from '../whole-listing.ts'
import { readPages } from './pages.ts'
import { type Refusal, type WireZone, zone as wireZone } from './wire.ts'

const PAGE = 50

export interface ZoneIds {
  all(signal: AbortSignal): Promise<readonly WireZone[]>
  /** Asked for once and remembered. Throws `provider_refused` when the account has no such zone. */
  idOf(zone: string, signal: AbortSignal): Promise<string>
  /** The zone was deleted, or made anew under another id. */
  forget(zone: string): void
}

export function zoneIds(api: JsonApi<Refusal>): ZoneIds {
  const ids = new Map<string, string>()
  const read = async (query: string, what: string, signal: AbortSignal) => {
    const zones = await readPages(api, {
      path: `/zones?${query}per_page=${PAGE}`,
      item: wireZone,
      what,
      signal,
    })
    for (const { name, id } of zones) ids.set(absolute(name), id)
    return zones
  }
  return {
    all: (signal) => {
      ids.clear()
      return read('', 'list the zones', signal)
    },
    async idOf(zone, signal) {
      if (!ids.has(zone)) await read(`name=${encodeURIComponent(zone)}&`, `find the zone ${zone}`, signal)
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
export function dnsZone(account: string, { name, status, paused, type }: WireZone): DnsZone {
  const detail =
    type === 'secondary'
      ? 'the zone is a copy of one elsewhere (secondary)'
      : status !== 'active'
        ? `the zone is ${status} at Cloudflare`
        : paused
          ? 'the zone is paused at Cloudflare'
          : null
  return { name: absolute(name), account, writable: detail === null, detail }
}
