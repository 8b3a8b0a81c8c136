/** The shapes that the VPN companion answers. */
import { z } from 'zod'
import { SITE_IDS } from './settings.ts'
import { SITE_STATES } from './site.ts'
import { WARNINGS } from './vpn.ts'
import { instant } from '../../http/body/scalars.ts'

const text = () => z.string().nullable()
const status = z.enum(SITE_STATES).describe('stale: what is told was read before the last read failed')

export const VpnSite = z
  .object({
    site_id: z.enum(SITE_IDS),
    name: z.string(),
    gateway_host: text().describe('With its port where that is not 22'),
    wg_port: z.int().nullable(),
    tunnel_subnet: text().describe('The first of subnets'),
    dns_endpoint: z.string(),
    peer_count: z.int().nullable().describe('Null while the gateway was never read'),
    server_public_key: text(),
    last_sync_ts: instant().nullable(),
    configured: z.boolean(),
    status,
    detail: text().describe('What is wrong, and what would help'),
    cache_age_s: z.number().nullable(),
    interface: text(),
    mtu: z.int().nullable(),
    dns: z.array(z.string()).describe('Resolvers that devices are told'),
    subnets: z.array(z.string()),
    dropped_peers: z.int().describe('Peers of the export that could not be read'),
    host_key: z
      .enum(['pinned', 'first_use'])
      .nullable()
      .describe('first_use: the one that was shown at the first contact; a setting pins it'),
    replaced_server_key: z
      .object({ public_key: z.string(), at: instant() })
      .nullable()
      .describe('The server had this key until then'),
  })
  .meta({ id: 'VpnSite', description: 'A site, as its gateway said last' })

export const VpnSites = z.array(VpnSite).meta({ id: 'VpnSites', description: 'Both sites' })

export const VpnClient = z.object({
  site_id: z.enum(SITE_IDS),
  name: z.string(),
  tunnel_ip: text(),
  tunnel_ips: z.array(z.string()),
  public_key: z.string(),
  public_key_url: z.string().describe('The key in base64url, as it stands in paths'),
  has_preshared_key: z.boolean(),
  online: z
    .boolean()
    .nullable()
    .describe(
      'It spoke within three minutes; one that is idle may be well all the same. Null while its site is not read',
    ),
  last_handshake: instant().nullable(),
  endpoint: text().describe('From where it connects'),
  rx_bytes: z.int(),
  tx_bytes: z.int(),
  rx_rate: z.int().nullable().describe('Bytes a second between the last two reads; null before them'),
  tx_rate: z.int().nullable(),
  persistent_keepalive: z.int(),
  config_url: z.string().describe('Relative to the base address of the service'),
  qr_url: z.string(),
})

export const VpnClients = z
  .array(VpnClient)
  .meta({ id: 'VpnClients', description: 'Peers, by site and name; X-Complete says whether they are all' })

export const VpnHealth = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    uptime_seconds: z.number().min(0),
    configured: z.boolean(),
    sites: z.array(
      z.object({
        site_id: z.enum(SITE_IDS),
        status,
        last_sync_ts: instant().nullable(),
        cache_age_s: z.number().nullable(),
        peer_count: z.int().nullable(),
        detail: text(),
      }),
    ),
  })
  .meta({ id: 'VpnHealth', description: 'The service answers, and how its sites are' })

export const VpnSync = z
  .object({
    success: z.boolean().describe('All sites that are configured were read'),
    took_ms: z.number(),
    sites: VpnSites,
  })
  .meta({ id: 'VpnSync', description: 'The gateways were read' })

export const VpnDrift = z
  .object({
    ok: z.boolean().describe('All names of sites that are configured resolve'),
    checked_at: instant(),
    sites: z.array(
      z.object({
        site_id: z.enum(SITE_IDS),
        dns_endpoint: z.string(),
        configured: z.boolean(),
        resolves: z.boolean(),
        addresses: z.array(z.string()),
        error: text(),
        wan_address: text().describe('Of the gateway, where a controller tells it'),
        matches_wan: z.boolean().nullable().describe('Null while one of the two is not known'),
      }),
    ),
  })
  .meta({ id: 'VpnDrift', description: 'Whether the names of the sites resolve on this host' })

export const VpnPresets = z
  .object({ full_tunnel: z.string(), homelab: text().describe('Null while no network is known') })
  .meta({ id: 'VpnPresets', description: 'Values for allowed_ips' })

export const RenderedConfig = z
  .object({
    config: z.string(),
    filename: z.string(),
    warnings: z.array(z.object({ code: z.enum(WARNINGS), message: z.string() })),
  })
  .meta({ id: 'RenderedConfig', description: 'The file of a device' })
