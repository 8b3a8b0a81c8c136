/** How sites and peers are told. Pure. */
import type { z } from 'zod'
import { type Instant, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { urlSpelling } from './model/key.ts'
import type { GatewayPeer } from './model/export.ts'
import {
  gatewayAddresses,
  isOnline,
  ownAddresses,
  peerName,
  subnetsOf,
  withoutLength,
} from './model/server.ts'
import { showGateway } from './settings.ts'
import type { SiteState } from './site.ts'
import type { VpnClient, VpnSite } from './views.ts'

export function shownSite(state: SiteState): z.output<typeof VpnSite> {
  const { site, server, status, detail, read_at, age_ms, host_key, replaced } = state
  const { host } = site
  const subnets = server === null ? [] : subnetsOf(server)
  return {
    site_id: site.id,
    name: site.name,
    gateway_host: host === null ? null : showGateway(host),
    wg_port: server?.listen_port ?? null,
    tunnel_subnet: subnets[0] ?? null,
    dns_endpoint: site.endpoint,
    peer_count: server?.peers.length ?? null,
    server_public_key: server?.public_key ?? null,
    last_sync_ts: isoTimeOrNull(read_at),
    configured: status !== 'not_configured',
    status,
    detail,
    cache_age_s: ageOf(age_ms),
    interface: server?.name ?? null,
    mtu: server?.mtu ?? null,
    dns: [...(site.dns.length > 0 || server === null ? site.dns : gatewayAddresses(server))],
    subnets: [...subnets],
    dropped_peers: server?.dropped_peers ?? 0,
    host_key,
    replaced_server_key:
      replaced === null ? null : { public_key: replaced.public_key, at: isoTime(replaced.at) },
  }
}

export const ageOf = (age_ms: number | null): number | null =>
  age_ms === null ? null : Math.round(age_ms / 100) / 10

/** By site, then by name. */
export function shownClients(
  states: readonly SiteState[],
  names: ReadonlyMap<string, string>,
  now: Instant,
): readonly z.output<typeof VpnClient>[] {
  return states.flatMap((state) =>
    (state.server?.peers ?? [])
      .map((peer) => shownClient(state, peer, { names, now }))
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  )
}

interface Beside {
  readonly names: ReadonlyMap<string, string>
  readonly now: Instant
}

function shownClient(
  { site, rates, status }: SiteState,
  peer: GatewayPeer,
  { names, now }: Beside,
): z.output<typeof VpnClient> {
  const rate = rates.get(peer.public_key)
  return {
    site_id: site.id,
    name: peerName(peer, names),
    ...asRead(peer, site.id),
    // What was read before says nothing of now.
    online: status === 'ok' ? isOnline(peer, now / 1000) : null,
    rx_rate: rate?.rx ?? null,
    tx_rate: rate?.tx ?? null,
  }
}

type AsRead = Omit<z.output<typeof VpnClient>, 'site_id' | 'name' | 'online' | 'rx_rate' | 'tx_rate'>

const rows = new WeakMap<GatewayPeer, AsRead>()

/** What of a peer stays as it is until its gateway is read again: made once, however often the list is asked for. */
function asRead(peer: GatewayPeer, site_id: string): AsRead {
  const before = rows.get(peer)
  if (before !== undefined) return before
  const spelling = urlSpelling(peer.public_key)
  const tunnel_ips = ownAddresses(peer).map(withoutLength)
  const at = `api/clients/${site_id}/${spelling}`
  const now: AsRead = {
    tunnel_ip: tunnel_ips[0] ?? null,
    tunnel_ips,
    public_key: peer.public_key,
    public_key_url: spelling,
    has_preshared_key: peer.has_preshared_key,
    last_handshake: peer.latest_handshake === 0 ? null : isoTime(peer.latest_handshake * 1000),
    endpoint: peer.endpoint,
    rx_bytes: peer.transfer_rx,
    tx_bytes: peer.transfer_tx,
    persistent_keepalive: peer.persistent_keepalive,
    config_url: `${at}/config`,
    qr_url: `${at}/qr`,
  }
  rows.set(peer, now)
  return now
}
