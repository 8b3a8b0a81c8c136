/** Settings of looking at DNS: whom to ask, and where the resolver of the network is configured. */
import { Secret } from '../../../kernel/secret.ts'
import {
  nameServers,
  oneLine,
  proxyAddresses,
  resolverAddresses,
  resolverSources,
  showNameServers,
  showSources,
} from '../../../config/kinds/name-servers.ts'
import { optional, secret, setting } from '../../../config/setting.ts'

const password = oneLine.transform((text) => new Secret(text))

export const resolver = {
  authoritative: setting({
    name: 'PLUMBLINE_DNS_AUTHORITATIVE',
    example: '192.168.1.53:53',
    schema: nameServers,
    default: '',
    show: showNameServers,
    help: 'Authoritative servers (host:port) that are asked whether records have arrived, comma-separated. Unset: those that the parent zone names.',
  }),
  resolvers: setting({
    name: 'PLUMBLINE_DNS_RESOLVERS',
    example: '192.168.1.1,9.9.9.9',
    schema: resolverAddresses,
    default: '',
    show: (servers) => showNameServers(servers.map(({ address: host, port }) => ({ host, port }))),
    help: 'Resolvers whose answers are shown beside, comma-separated. Unset: those of this host.',
  }),
  config: setting({
    name: 'PLUMBLINE_RESOLVER_CONFIG',
    example: 'dnsmasq:/etc/dnsmasq.d/home.conf,adguard:http://192.168.1.2',
    schema: resolverSources,
    default: '',
    show: showSources,
    help: 'Where the resolvers of the network are configured, comma-separated: `dnsmasq:`, `unbound:` or `hosts:` and a path, `adguard:`, `pihole:` or `technitium:` and a URL. All files together are one resolver, earlier ones first.',
  }),
  proxy_addresses: setting({
    name: 'PLUMBLINE_RESOLVER_ADDRESS',
    example: '192.168.1.10',
    schema: proxyAddresses,
    default: '',
    help: "The proxy's address in the network, one for each family, which the resolvers should answer. Unset: only presence is compared.",
  }),
  adguard_user: optional({
    name: 'PLUMBLINE_ADGUARD_USER',
    example: 'plumbline',
    schema: oneLine,
    help: 'User of AdGuard Home.',
  }),
  adguard_password: secret({
    name: 'PLUMBLINE_ADGUARD_PASSWORD',
    schema: password,
    help: 'Password of that user.',
  }),
  pihole_password: secret({
    name: 'PLUMBLINE_PIHOLE_PASSWORD',
    schema: password,
    help: 'Password of Pi-hole 6; an app password where two factors are asked for.',
  }),
  technitium_token: secret({
    name: 'PLUMBLINE_TECHNITIUM_TOKEN',
    schema: password,
    help: 'API token of Technitium DNS Server.',
  }),
}

declare module '../../../config/sections.ts' {
  interface Sections {
    readonly resolver: typeof resolver
  }
}
