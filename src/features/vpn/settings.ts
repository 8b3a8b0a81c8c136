/** Settings of the VPN manager: the two sites, how their gateways are read, and what devices are told. */
import { companionListen } from '../../config/kinds/companion.ts'
import { hostKeyPins, type PinnedHostKey, showPins } from '../../config/kinds/sftp.ts'
import { path } from '../../config/kinds/basic.ts'
import { type HostPort, parseHost, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, Wrong, wrong } from '../../config/kinds/refine.ts'
import { optional, setting, type ValuesOf } from '../../config/setting.ts'
import { networkOf } from './model/allowed-ips.ts'

export const SITE_IDS = ['uk', 'fr'] as const
export type SiteId = (typeof SITE_IDS)[number]

const SSH_PORT = 22

/** `none`: there is no such site here. */
function parseGateway(text: string): HostPort | 'none' | Wrong {
  if (text === 'none') return text
  const [, name = text, digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/s.exec(text) ?? []
  const host = parseHost(name)
  const port = digits === undefined ? SSH_PORT : Number(digits)
  if (host instanceof Wrong || port < 1 || port > 65_535)
    return wrong(
      'must be a host, with a port where that is not 22, such as gateway.example.com or 192.0.2.1:2222; none turns the site off',
    )
  return { host, port }
}

/** With its port where that is not 22. */
export const showGateway = (place: HostPort): string =>
  place.port === SSH_PORT ? place.host : showHostPort(place)

interface SiteAddress {
  readonly site_id: SiteId
  readonly address: string
}

function parseSiteDns(text: string): SiteAddress | Wrong {
  const [site_id, address = ''] = text.split('=')
  const form = wrong('is not SITE=ADDRESS, such as uk=192.168.7.1')
  if (!SITE_IDS.includes(site_id as SiteId)) return form
  const parsed = networkOf(address)
  if (parsed === null || address.includes('/')) return form
  return { site_id: site_id as SiteId, address: parsed.cidr.replace(/\/\d+$/, '') }
}

function parseNetworkEntry(text: string): string | Wrong {
  const parsed = networkOf(text)
  return parsed === null || parsed.has_host_bits
    ? wrong('is no network such as 192.168.1.0/24 or fd00::/64')
    : parsed.cidr
}

const parseInterface = (text: string): string | Wrong =>
  /^[A-Za-z0-9_=+.-]{1,15}$/.test(text) ? text : wrong('is no name of an interface, such as wgsrv1')

const MAX_NAME = 40

const parseName = (text: string): string | Wrong =>
  /^[^\p{C}]+$/u.test(text) && text.length <= MAX_NAME
    ? text
    : wrong(`must be 1 to ${MAX_NAME} characters that can be shown`)

const named = (id: SiteId) => {
  const upper = id.toUpperCase()
  return {
    host: setting({
      name: `UCG_${upper}_HOST`,
      example: 'gateway.example.com',
      schema: textual(parseGateway),
      default: `${id}-gateway.home.arpa`,
      show: (place) => (place === 'none' ? place : showGateway(place)),
      help: `The VPN gateway of the site ${upper}, with a port where that is not 22; none turns the site off.`,
    }),
    endpoint: setting({
      name: `${upper}_DNS_ENDPOINT`,
      example: 'vpn.example.com',
      schema: textual(parseHost),
      default: `${id}-vpn.home.arpa`,
      help: `The name by which devices reach the VPN of the site ${upper}, whatever its address is.`,
    }),
    name: setting({
      name: `UCG_${upper}_NAME`,
      example: 'Home',
      schema: textual(parseName),
      default: upper,
      help: `What the site ${upper} is called.`,
    }),
    interface: optional({
      name: `UCG_${upper}_INTERFACE`,
      example: 'wgsrv1',
      schema: textual(parseInterface),
      help: `The WireGuard interface of the site ${upper} that devices connect to, where its gateway has several servers.`,
    }),
    host_keys: setting<readonly PinnedHostKey[]>({
      name: `UCG_${upper}_HOST_KEY`,
      example: 'SHA256:UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw',
      schema: hostKeyPins,
      default: '',
      show: showPins,
      help: `SSH host keys of the gateway ${upper}, as "ssh-ed25519 AAAA…" or "SHA256:…", comma-separated. Where none is set, the first one that it shows is kept.`,
    }),
  }
}

const uk = named('uk')
const fr = named('fr')

export const vpn = {
  listen: companionListen({ companion: 'vpn', called: 'the VPN companion', port: 8094 }),
  ssh_key: optional({
    name: 'UCG_SSH_KEY',
    example: '/etc/plumbline/vpn_ed25519',
    schema: path,
    help: 'The private key (a file) with which the VPN gateways are read. It may run one command there (plumbline vpn gateway-line).',
  }),
  ssh_user: setting({
    name: 'UCG_SSH_USER',
    example: 'plumbline',
    schema: textual((text) =>
      /^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) ? text : wrong('is no name of a user, such as root'),
    ),
    default: 'root',
    help: 'The user as whom the VPN gateways are read.',
  }),
  uk_host: uk.host,
  uk_endpoint: uk.endpoint,
  uk_name: uk.name,
  uk_interface: uk.interface,
  uk_host_keys: uk.host_keys,
  fr_host: fr.host,
  fr_endpoint: fr.endpoint,
  fr_name: fr.name,
  fr_interface: fr.interface,
  fr_host_keys: fr.host_keys,
  dns: setting({
    name: 'PLUMBLINE_VPN_DNS',
    example: 'uk=192.168.7.1,fr=192.168.8.1',
    schema: listOf(parseSiteDns),
    default: '',
    show: (all) => all.map(({ site_id, address }) => `${site_id}=${address}`).join(','),
    help: 'Resolvers that devices use in the tunnel, as SITE=ADDRESS, comma-separated; where none is set for a site, its gateway.',
  }),
  homelab: setting({
    name: 'PLUMBLINE_VPN_HOMELAB',
    example: '192.168.1.0/24,fd00:1::/64',
    schema: listOf(parseNetworkEntry),
    default: '',
    show: (all) => all.join(','),
    help: 'Networks that the preset Homelab sends through the tunnel, beside the tunnels themselves; where none is set, those that the network controllers have.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly vpn: typeof vpn
  }
}

export type VpnSettings = ValuesOf<typeof vpn>

export interface SiteSettings {
  readonly id: SiteId
  readonly name: string
  /** What the setting or its default says; null where that turns the site off. */
  readonly host: HostPort | null
  /** Where it is read; null where it is not to be, and `unset` says why. */
  readonly gateway: HostPort | null
  /** The setting that keeps it from being read, in a sentence; null where none does. */
  readonly unset: string | null
  readonly endpoint: string
  readonly interface: string | null
  readonly host_keys: readonly PinnedHostKey[]
  readonly dns: readonly string[]
}

export const sitesIn = (settings: VpnSettings): readonly SiteSettings[] =>
  SITE_IDS.map((id) => {
    const host = settings[`${id}_host`]
    const { ssh_key } = settings
    return {
      id,
      name: settings[`${id}_name`],
      host: host === 'none' ? null : host,
      gateway: host === 'none' || ssh_key === null ? null : host,
      unset:
        host === 'none'
          ? `UCG_${id.toUpperCase()}_HOST is none, which turns the site off.`
          : ssh_key === null
            ? 'UCG_SSH_KEY is not set.'
            : null,
      endpoint: settings[`${id}_endpoint`],
      interface: settings[`${id}_interface`],
      host_keys: settings[`${id}_host_keys`],
      dns: settings.dns.filter(({ site_id }) => site_id === id).map(({ address }) => address),
    }
  })
