/** Generated from `/companions/vpn/openapi.json` by `documents.test.ts`: `UPDATE_DOCUMENTS=1` writes it anew. */

/* eslint-disable */

export type VpnClients = readonly {
  readonly site_id: 'uk' | 'fr'
  readonly name: string
  readonly tunnel_ip: string | null
  readonly tunnel_ips: readonly string[]
  readonly public_key: string
  readonly public_key_url: string
  readonly has_preshared_key: boolean
  readonly online: boolean | null
  readonly last_handshake: string | null
  readonly endpoint: string | null
  readonly rx_bytes: number
  readonly tx_bytes: number
  readonly rx_rate: number | null
  readonly tx_rate: number | null
  readonly persistent_keepalive: number
  readonly config_url: string
  readonly qr_url: string
}[]

export interface VpnDrift {
  readonly ok: boolean
  readonly checked_at: string
  readonly sites: readonly {
    readonly site_id: 'uk' | 'fr'
    readonly dns_endpoint: string
    readonly configured: boolean
    readonly resolves: boolean
    readonly addresses: readonly string[]
    readonly error: string | null
    readonly wan_address: string | null
    readonly matches_wan: boolean | null
  }[]
}

export interface VpnPresets {
  readonly full_tunnel: string
  readonly homelab: string | null
}

export interface VpnSite {
  readonly site_id: 'uk' | 'fr'
  readonly name: string
  readonly gateway_host: string | null
  readonly wg_port: number | null
  readonly tunnel_subnet: string | null
  readonly dns_endpoint: string
  readonly peer_count: number | null
  readonly server_public_key: string | null
  readonly last_sync_ts: string | null
  readonly configured: boolean
  readonly status: 'ok' | 'stale' | 'unreachable' | 'refused' | 'unreadable' | 'not_configured'
  readonly detail: string | null
  readonly cache_age_s: number | null
  readonly interface: string | null
  readonly mtu: number | null
  readonly dns: readonly string[]
  readonly subnets: readonly string[]
  readonly dropped_peers: number
  readonly host_key: 'pinned' | 'first_use' | null
  readonly replaced_server_key: {
    readonly public_key: string
    readonly at: string
  } | null
}

export type VpnSites = readonly VpnSite[]

export interface VpnSync {
  readonly success: boolean
  readonly took_ms: number
  readonly sites: VpnSites
}
