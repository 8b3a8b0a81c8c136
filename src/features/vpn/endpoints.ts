/** The VPN companion over HTTP: sites and peers, and what is read anew. */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { pageEndpoints } from './page-endpoints.ts'
import { look, type VpnParts } from './parts.ts'
import { SITE_IDS } from './settings.ts'
import { ageOf, shownClients, shownSite } from './shown.ts'
import type { SiteState } from './site.ts'
import { assertKnown, completeOf, serverOf } from './states.ts'
import * as views from './views.ts'

const siteParam = z.string().max(64).describe('uk or fr')

export function vpnEndpoints(parts: VpnParts): readonly Endpoint[] {
  const { vpn, clock, version, drift } = parts
  const began = clock.elapsed()
  return [
    endpoint({
      method: 'GET',
      path: '/health',
      id: 'health',
      summary: 'Whether the service answers, and how its sites are',
      description: 'Nobody is asked for it: the sites are told as they were read last.',
      level: 'public',
      tags: ['System'],
      bare: true,
      replies: { 200: views.VpnHealth },
      handler: () => {
        const sites = vpn.known()
        const complete = completeOf(sites)
        return ok({
          status: complete === false ? ('degraded' as const) : ('ok' as const),
          version,
          uptime_seconds: Math.round(clock.elapsed() - began) / 1000,
          configured: complete !== null,
          sites: sites.map(healthOf),
        })
      },
    }),
    endpoint({
      ...look,
      path: '/api/sites',
      id: 'sites',
      summary: 'Sites with peer counts and times of the last read',
      replies: { 200: views.VpnSites },
      handler: async () => ok((await vpn.states()).map(shownSite)),
    }),
    endpoint({
      ...look,
      path: '/api/sites/{site_id}',
      id: 'site',
      summary: 'One site',
      params: z.object({ site_id: siteParam }),
      replies: { 200: views.VpnSite },
      problems: ['not_found'],
      handler: async ({ params }) => ok(shownSite(await vpn.stateOf(params.site_id))),
    }),
    endpoint({
      ...look,
      path: '/api/clients',
      id: 'clients',
      summary: 'All peers',
      description: 'While a site is not known as of now, X-Complete is false: peers may be missing.',
      query: z.object({ site: z.enum(SITE_IDS).optional().describe('Only the peers of this site') }),
      replies: { 200: views.VpnClients },
      reply_headers: {
        'X-Complete': 'true, false where a site is not known as of now, null where none is configured',
      },
      problems: ['component_unavailable'],
      handler: async ({ query: { site } }) => {
        const all = site === undefined ? await vpn.states() : [await vpn.stateOf(site)]
        if (site === undefined) assertKnown(all)
        else all.forEach(serverOf)
        return ok(shownClients(all, await vpn.names(), clock.now()), {
          'X-Complete': String(completeOf(all)),
        })
      },
    }),
    endpoint({
      ...look,
      method: 'POST',
      path: '/api/sync',
      id: 'sync',
      summary: 'Reads all gateways now',
      reads: true,
      replies: { 200: views.VpnSync },
      problems: ['rate_limited'],
      handler: async () => {
        const begun = clock.elapsed()
        const states = await vpn.sync()
        return ok({
          success: completeOf(states) === true,
          took_ms: Math.round(clock.elapsed() - begun),
          sites: states.map(shownSite),
        })
      },
    }),
    endpoint({
      ...look,
      path: '/api/drift',
      id: 'drift',
      summary: 'Whether each DNS endpoint resolves',
      description:
        'Asked of the resolver of this host, within five seconds. It may not know the names although devices elsewhere do.',
      replies: { 200: views.VpnDrift },
      handler: async () => {
        const sites = await drift(vpn.known())
        const ok_all = sites.every(({ configured, resolves }) => !configured || resolves)
        return ok({ ok: ok_all, checked_at: isoTime(clock.now()), sites })
      },
    }),
    ...deviceEndpoints(parts),
    ...pageEndpoints(parts.readPage),
  ]
}

/** Anybody may ask: why a gateway is not read names hosts, users and files, which is for those who may see the sites. */
const ELSEWHERE = 'GET /api/sites says why.'

function healthOf({ site, status, detail, read_at, age_ms, server }: SiteState) {
  return {
    site_id: site.id,
    status,
    last_sync_ts: isoTimeOrNull(read_at),
    cache_age_s: ageOf(age_ms),
    peer_count: server?.peers.length ?? null,
    detail: detail === null || status === 'not_configured' ? detail : ELSEWHERE,
  }
}
