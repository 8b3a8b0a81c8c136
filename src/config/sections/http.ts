/** Settings of the HTTP façade: where it listens and who may call. */
import { headerSecret, oneOf, warnIfShort } from '../kinds/basic.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { listenAddress, parseHost, parseNetwork, parseOrigin, showHostPort } from '../kinds/network.ts'
import { listOf, wrong } from '../kinds/refine.ts'
import { optional, secret, setting } from '../setting.ts'

/** Services with a base address of their own. */
const COMPANIONS = ['inventory', 'network', 'ddns', 'vpn'] as const
type CompanionName = (typeof COMPANIONS)[number]

const companionNames = listOf((text) => {
  const name = COMPANIONS.find((one) => one === text)
  if (name !== undefined || text === 'none') return name ?? text
  return wrong(`is none of ${COMPANIONS.join(', ')}; none turns all off.${didYouMean(text, COMPANIONS)}`)
}).transform((names) => names.filter((name): name is CompanionName => name !== 'none'))

export const http = {
  listen: setting({
    name: 'PLUMBLINE_LISTEN',
    example: '[::1]:8080',
    schema: listenAddress,
    default: '127.0.0.1:8080',
    show: showHostPort,
    help: 'Address and port of the API. IPv6 in brackets; port 0 takes a free one.',
  }),
  companions: setting({
    name: 'PLUMBLINE_COMPANIONS',
    example: 'inventory,network',
    schema: companionNames,
    default: COMPANIONS.join(','),
    show: (names) => names.join(',') || 'none',
    help: 'Services that answer below /companions/NAME/, comma-separated; none turns all off.',
  }),
  api_key: secret({
    name: 'API_KEY',
    schema: headerSecret,
    warn: warnIfShort,
    help: 'The key that callers send as X-API-Key. Unset: one is made and kept in the data directory.',
  }),
  allowed_hosts: setting({
    name: 'PLUMBLINE_ALLOWED_HOSTS',
    example: 'plumbline.example.com',
    schema: listOf(parseHost),
    default: '',
    help: 'Further host names under which the API is called, comma-separated. Others are refused (DNS rebinding).',
  }),
  allowed_origins: setting({
    name: 'PLUMBLINE_ALLOWED_ORIGINS',
    example: 'https://console.example.com',
    schema: listOf(parseOrigin),
    default: '',
    help: 'Further origins whose pages may call the API, comma-separated.',
  }),
  trusted_networks: setting({
    name: 'PLUMBLINE_TRUSTED_NETWORKS',
    example: '192.168.1.0/24,fd00:1::/64',
    schema: listOf(parseNetwork),
    default: '',
    help: 'Networks (CIDR) whose callers need no key where the endpoint asks for none.',
  }),
  local: optional({
    name: 'PLUMBLINE_LOCAL',
    example: 'on',
    schema: oneOf(['on', 'off']),
    help: 'on: callers on this host itself need no key where the endpoint asks for none. off: they do, as a proxy on this host may lead anybody here. Unset: off once PLUMBLINE_PUBLIC_URL or PLUMBLINE_ALLOWED_HOSTS is set, else on.',
  }),
  trusted_proxies: setting({
    name: 'PLUMBLINE_TRUSTED_PROXIES',
    example: '127.0.0.1/32',
    schema: listOf(parseNetwork),
    default: '',
    help: 'Reverse proxies (CIDR) whose X-Forwarded-For and identity headers are believed, where they send PLUMBLINE_PROXY_SECRET.',
  }),
  proxy_secret: secret({
    name: 'PLUMBLINE_PROXY_SECRET',
    schema: headerSecret,
    warn: warnIfShort,
    help: 'What a listed proxy sends as X-Plumbline-Proxy-Secret to prove that X-Forwarded-For and the identity headers are its own.',
  }),
}
