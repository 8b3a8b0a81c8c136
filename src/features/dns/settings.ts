/** Settings of DNS: who serves the zones, and what records get that name nothing of their own. */
import { isIPv6 } from 'node:net'
import { headerSecret, oneOf, path } from '../../config/kinds/basic.ts'
import { parseNameServer } from '../../config/kinds/name-servers.ts'
import { privateAddressRemark } from '../../kernel/private-address.ts'
import { httpUrl, parseHost, publishedAddress, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, Wrong, wrong } from '../../config/kinds/refine.ts'
import { optional, secret, setting } from '../../config/setting.ts'

export const DNS_PROVIDERS = ['zonefile', 'powerdns', 'cloudflare', 'rfc2136', 'hetzner', 'desec'] as const
export type DnsProviderKind = (typeof DNS_PROVIDERS)[number]

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const

const LEAST_TTL = 30
const MOST_TTL = 86_400

const provider = oneOf([...DNS_PROVIDERS, 'none'])

/** A name of at least two labels, without the closing dot. */
export function parseZone(text: string): string | Wrong {
  const name = parseHost(text.replace(/\.$/, ''))
  if (name instanceof Wrong || !name.includes('.')) return wrong('is not a zone such as example.com')
  return name
}

/** Words that are given to the program as they are: there is no shell. */
export const commandLine = textual((text) => {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return /["'\\$`|&;<>]/.test(text)
    ? wrong('must be a program and its arguments, parted by blanks; there is no shell and no quoting')
    : words
})

export const dns = {
  providers: setting({
    name: 'PLUMBLINE_DNS_PROVIDER',
    schema: listOf((text) => {
      const one = provider.safeParse(text)
      return one.success ? one.data : wrong(one.error.issues[0]?.message ?? 'is no provider')
    }),
    default: 'zonefile',
    help: 'Who serves the zones: zonefile, powerdns, cloudflare, rfc2136, hetzner, desec, several of them with commas, or none. A name goes to whoever has its deepest zone.',
  }),
  accounts_file: optional({
    name: 'PLUMBLINE_DNS_ACCOUNTS_FILE',
    schema: path,
    help: 'YAML file with further accounts, for several at one provider: see the README.',
  }),
  zones: setting({
    name: 'PLUMBLINE_DNS_ZONES',
    schema: listOf(parseZone),
    default: '',
    help: 'The only zones that are touched, comma-separated. Unset: all that the accounts show.',
  }),
  ttl: setting({
    name: 'PLUMBLINE_DNS_TTL',
    schema: textual((text) => {
      const seconds = Number(text)
      const fits = /^\d+$/.test(text) && seconds >= LEAST_TTL && seconds <= MOST_TTL
      return fits ? seconds : wrong(`must be a whole number of seconds from ${LEAST_TTL} to ${MOST_TTL}`)
    }),
    default: '300',
    help: 'Seconds that answers may be kept, for records without a dns_ttl of their own.',
  }),
  public_ipv6: optional({
    name: 'PLUMBLINE_PUBLIC_IPV6',
    schema: textual((text) => {
      const address = publishedAddress.safeParse(text)
      if (!address.success) return wrong(address.error.issues[0]?.message ?? 'is no address')
      return isIPv6(address.data) ? address.data : wrong('must be an IPv6 address')
    }),
    warn: privateAddressRemark,
    help: 'The fixed public IPv6 address beside PLUMBLINE_PUBLIC_IP, for AAAA records.',
  }),
  zonefile_dir: setting({
    name: 'PLUMBLINE_ZONEFILE_DIR',
    schema: path,
    default: 'zones',
    default_in: 'PLUMBLINE_DATA_DIR',
    help: 'Folder of the zone files (ZONE.zone) that a name server loads.',
  }),
  zonefile_nameservers: setting({
    name: 'PLUMBLINE_ZONEFILE_NAMESERVERS',
    schema: listOf(parseHost),
    default: 'localhost',
    help: 'Host names for the NS records of new zone files, comma-separated; outside of the zones themselves.',
  }),
  zonefile_reload: optional({
    name: 'PLUMBLINE_ZONEFILE_RELOAD',
    schema: commandLine,
    show: (words) => words.join(' '),
    help: 'Command after a zone file was written, such as `knotc zone-reload {zone}`.',
  }),
  powerdns_url: setting({
    name: 'PLUMBLINE_POWERDNS_URL',
    schema: httpUrl,
    default: 'http://127.0.0.1:8081',
    help: 'Address of the web server of PowerDNS Authoritative.',
  }),
  powerdns_api_key: secret({
    name: 'PLUMBLINE_POWERDNS_API_KEY',
    schema: headerSecret,
    help: 'Its api-key.',
  }),
  cloudflare_api_token: secret({
    name: 'PLUMBLINE_CLOUDFLARE_API_TOKEN',
    schema: headerSecret,
    help: 'API token of Cloudflare with Zone:Read and DNS:Edit for the zones. The global key is not taken.',
  }),
  cloudflare_url: optional({
    name: 'PLUMBLINE_CLOUDFLARE_URL',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
  rfc2136_server: optional({
    name: 'PLUMBLINE_RFC2136_SERVER',
    schema: textual(parseNameServer),
    show: showHostPort,
    help: 'The primary (host:port) that takes dynamic updates and gives transfers.',
  }),
  rfc2136_zones: setting({
    name: 'PLUMBLINE_RFC2136_ZONES',
    schema: listOf(parseZone),
    default: '',
    help: 'Its zones, comma-separated: a server does not tell them.',
  }),
  rfc2136_key_name: optional({
    name: 'PLUMBLINE_RFC2136_KEY_NAME',
    schema: textual(parseHost),
    help: 'Name of the TSIG key.',
  }),
  rfc2136_key_secret: secret({
    name: 'PLUMBLINE_RFC2136_KEY_SECRET',
    schema: headerSecret,
    help: 'Its secret in base64, as tsig-keygen or keymgr wrote it.',
  }),
  rfc2136_key_algorithm: setting({
    name: 'PLUMBLINE_RFC2136_KEY_ALGORITHM',
    schema: oneOf(TSIG_ALGORITHMS),
    default: 'hmac-sha256',
    help: `Its algorithm: ${TSIG_ALGORITHMS.join(', ')}.`,
  }),
  hetzner_token: secret({
    name: 'PLUMBLINE_HETZNER_TOKEN',
    schema: headerSecret,
    help: 'API token of the Hetzner Cloud project that holds the zones.',
  }),
  hetzner_url: optional({
    name: 'PLUMBLINE_HETZNER_URL',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
  desec_token: secret({
    name: 'PLUMBLINE_DESEC_TOKEN',
    schema: headerSecret,
    help: 'Token of deSEC.',
  }),
  desec_url: optional({
    name: 'PLUMBLINE_DESEC_URL',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
}
