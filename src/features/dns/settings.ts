/** Settings of DNS: who serves the zones, and what records get that name nothing of their own. */
import { isIPv6 } from 'node:net'
import { oneOf, path } from '../../config/kinds/basic.ts'
import { parseZone, publishedAddress } from '../../config/kinds/network.ts'
import { listOf, textual, wrong } from '../../config/kinds/refine.ts'
import { optional, setting } from '../../config/setting.ts'
import { privateAddressWarning } from '../../kernel/private-address.ts'
import { PROVIDER_NAMES, PROVIDER_SETTINGS } from './providers/settings.ts'

const MIN_TTL = 30
const MAX_TTL = 86_400

const provider = oneOf([...PROVIDER_NAMES, 'none'])

export const dns = {
  providers: setting({
    name: 'PLUMBLINE_DNS_PROVIDER',
    example: 'powerdns,cloudflare',
    schema: listOf((text) => {
      const one = provider.safeParse(text)
      return one.success ? one.data : wrong(one.error.issues[0]?.message ?? 'is no provider')
    }),
    default: 'zonefile',
    help: `Who serves the zones: ${PROVIDER_NAMES.join(', ')}, several of them with commas, or none. A name goes to whoever has its deepest zone.`,
  }),
  accounts_file: optional({
    name: 'PLUMBLINE_DNS_ACCOUNTS_FILE',
    example: '/etc/plumbline/dns-accounts.yml',
    schema: path,
    help: 'YAML file with further accounts, for several at one provider.',
  }),
  zones: setting({
    name: 'PLUMBLINE_DNS_ZONES',
    example: 'example.com,home.example',
    schema: listOf(parseZone),
    default: '',
    help: 'The only zones that are touched, comma-separated. Unset: all that the accounts show.',
  }),
  ttl: setting({
    name: 'PLUMBLINE_DNS_TTL',
    example: '600',
    schema: textual((text) => {
      const seconds = Number(text)
      const fits = /^\d+$/.test(text) && seconds >= MIN_TTL && seconds <= MAX_TTL
      return fits ? seconds : wrong(`must be a whole number of seconds from ${MIN_TTL} to ${MAX_TTL}`)
    }),
    default: '300',
    help: 'Seconds that answers may be kept, for records without a dns_ttl of their own.',
  }),
  public_ipv6: optional({
    name: 'PLUMBLINE_PUBLIC_IPV6',
    example: '2001:db8::7',
    schema: textual((text) => {
      const address = publishedAddress.safeParse(text)
      if (!address.success) return wrong(address.error.issues[0]?.message ?? 'is no address')
      return isIPv6(address.data) ? address.data : wrong('must be an IPv6 address')
    }),
    warn: privateAddressWarning,
    help: 'The fixed public IPv6 address beside PLUMBLINE_PUBLIC_IP, for AAAA records.',
  }),
  ...PROVIDER_SETTINGS,
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly dns: typeof dns
  }
}
