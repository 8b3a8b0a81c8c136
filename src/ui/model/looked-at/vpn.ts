/** Sites and peers of the VPN as lamps and words. */
import type { VpnClients, VpnDrift, VpnSites, VpnSync } from '../../api/companions/vpn.ts'
import type { Lamp } from '../lamps.ts'
import { plain } from '../words.ts'

export type VpnSite = VpnSites[number]
export type VpnPeer = VpnClients[number]

const SITES: Readonly<Record<VpnSite['status'], Lamp>> = {
  ok: 'ok',
  stale: 'unknown',
  unreachable: 'unknown',
  unreadable: 'unknown',
  refused: 'bad',
  not_configured: 'off',
}

/** A server with another key than before differs, however well it answers. */
export const siteLamp = ({ status, replaced_server_key }: VpnSite): Lamp =>
  status === 'ok' && replaced_server_key !== null ? 'drift' : SITES[status]

export const siteText = ({ status, detail }: Pick<VpnSite, 'status' | 'detail'>): string =>
  detail ?? plain(status)

/** How the gateway is known to be itself; null where nobody logs in to it. */
export const hostKeyWords = (host_key: VpnSite['host_key']): string | null =>
  host_key === null
    ? null
    : host_key === 'pinned'
      ? 'as the setting says it'
      : 'as it was shown at the first contact; a setting pins it'

/** `1.2 kB/s, 300 B/s`; null where it was not measured. */
export const rateText = ({ rx_rate, tx_rate }: Pick<VpnPeer, 'rx_rate' | 'tx_rate'>): string | null =>
  rx_rate === null || tx_rate === null ? null : `${bytesText(rx_rate)}/s, ${bytesText(tx_rate)}/s`

/** One that is idle may be well all the same. */
export const peerLamp = ({ online }: Pick<VpnPeer, 'online'>): Lamp =>
  online === null ? 'unknown' : online ? 'ok' : 'off'

/** Null where it is online. */
export const peerWords = ({ online }: Pick<VpnPeer, 'online'>): string | null => {
  if (online === null) return 'Its gateway is not read now, so whether it is online is not known.'
  return online ? null : 'It has not spoken within three minutes; one that is idle may be well.'
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `1.2 MB`, by thousands. */
export function bytesText(bytes: number): string {
  let left = bytes
  let unit = 0
  while (left >= 1000 && unit < UNITS.length - 1) {
    left /= 1000
    unit++
  }
  return `${unit === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]!}`
}

/** What is asked of the companion for a file or a code; a key is sent only where one was typed. */
export function renderBody(
  { site_id, public_key }: Pick<VpnPeer, 'site_id' | 'public_key'>,
  { private_key, preshared_key, allowed_ips }: VpnDraft,
): object | null {
  const key = private_key.trim()
  if (key === '') return null
  const shared = preshared_key.trim()
  const networks = allowed_ips.trim()
  return {
    site_id,
    peer_pubkey: public_key,
    private_key: key,
    ...(shared !== '' && { preshared_key: shared }),
    ...(networks !== '' && { allowed_ips: networks }),
  }
}

export interface VpnDraft {
  readonly private_key: string
  readonly preshared_key: string
  readonly allowed_ips: string
}

type Endpoint = VpnDrift['sites'][number]

/** That it leads to another address than the gateway has is a difference; where that is not known, so is this. */
export function endpointLamp({
  resolves,
  error,
  matches_wan,
}: Pick<Endpoint, 'resolves' | 'error' | 'matches_wan'>): Lamp {
  if (!resolves) return error === null ? 'bad' : 'unknown'
  return matches_wan === null ? 'unknown' : matches_wan ? 'ok' : 'drift'
}

export function endpointText({ resolves, addresses, error, wan_address, matches_wan }: Endpoint): string {
  if (!resolves) return error ?? 'does not resolve'
  const leads = `leads to ${addresses.join(', ')}`
  if (matches_wan === null) return `${leads}; the address of the gateway is not known`
  return matches_wan
    ? `${leads}, as the gateway has it`
    : `${leads}, and the gateway has ${wan_address ?? 'another'}`
}

/** What a read of all gateways came to; those that did not answer keep what was read before. */
export function readText({ took_ms, sites }: Pick<VpnSync, 'took_ms' | 'sites'>): string {
  const asked = sites.filter(({ configured }) => configured)
  const silent = asked.filter(({ status }) => status !== 'ok')
  const took = `${(took_ms / 1000).toFixed(1)} s`
  if (silent.length === 0) return `${asked.length} of ${asked.length} read in ${took}.`
  const names = silent.map(({ name }) => name).join(', ')
  return `${asked.length - silent.length} of ${asked.length} read in ${took}; of ${names} you see what was read before.`
}
