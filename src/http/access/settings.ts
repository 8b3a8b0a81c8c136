/** The settings of the access policy, what start-up refuses about them, and the form in which the policy reads them. */
import { BlockList, isIP } from 'node:net'
import type { Secret } from '../../kernel/secret.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import type { SessionProof } from './session.ts'

/** What proves that an API key is presented: one secret, or several keys by name. */
export interface KeyProof {
  equals(text: string): boolean
  /** How trails call its holder; left out, and null: `key`. */
  actorOf?(text: string): string | null
  /** Which of the issued keys it is; left out: no key has an id. */
  idOf?(text: string): string | null
  /** Whether it may only look; left out: every key may do everything. */
  readsOnly?(text: string): boolean
  /** Aborts when the key ends; left out, and null: keys have no end here. */
  ended?(text: string): AbortSignal | null
}

export interface AccessSettings {
  /** Who has signed in to the console by a key or a link. Null: nobody does so here. */
  readonly sessions: SessionProof | null
  /** Null: every keyed call is refused. */
  readonly api_key: KeyProof | null
  /** Addresses that are listened on, without port: `127.0.0.1`, `::1`, `0.0.0.0`. */
  readonly listen: readonly string[]
  /** Further values of the Host header that are served, without port. */
  readonly allowed_hosts: readonly string[]
  /** Further origins whose pages may call: `https://console.example.com`. */
  readonly allowed_origins: readonly string[]
  /** CIDR or address. Callers from there need no key where the specification asks for none. */
  readonly trusted_networks: readonly string[]
  /** CIDR or address of reverse proxies whose X-Forwarded-For is believed. */
  readonly trusted_proxies: readonly string[]
  /** What a trusted proxy sends to prove identity headers. */
  readonly proxy_secret: Secret | null
  /** Whether callers from this host itself need no key where the specification asks for none. */
  readonly trusts_loopback: boolean
  /** Groups of the SSO provider whose members may look, and change. Empty: nobody changes by SSO. */
  readonly sso_change_groups: readonly string[]
  /** Groups whose members may look. Empty: whoever has signed in may look. */
  readonly sso_read_groups: readonly string[]
}

/** The settings, ready for use on every request. */
export interface CompiledAccess {
  readonly sessions: SessionProof | null
  readonly api_key: KeyProof | null
  readonly proxy_secret: Secret | null
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
  readonly trusts_loopback: boolean
  readonly sso_change_groups: ReadonlySet<string>
  readonly sso_read_groups: ReadonlySet<string>
  readonly isLoopback: (address: string) => boolean
  readonly isTrustedNetwork: (address: string) => boolean
  readonly isTrustedProxy: (address: string) => boolean
}

const ALWAYS_SERVED = ['localhost', '127.0.0.1', '[::1]']
const WILDCARDS = ['0.0.0.0', '::']
const boundLiterals = ({ listen }: AccessSettings) => listen.filter((address) => !WILDCARDS.includes(address))

const compiled = new WeakMap<AccessSettings, CompiledAccess>()

/** Compiled once per settings object, which must not change afterwards. */
export function compileAccess(settings: AccessSettings): CompiledAccess {
  const known = compiled.get(settings)
  if (known !== undefined) return known
  const policy: CompiledAccess = {
    sessions: settings.sessions,
    api_key: unlessEmpty(settings.api_key),
    proxy_secret: unlessEmpty(settings.proxy_secret),
    hosts: new Set([...ALWAYS_SERVED, ...boundLiterals(settings), ...settings.allowed_hosts].map(hostKey)),
    trusts_loopback: settings.trusts_loopback,
    sso_change_groups: new Set(settings.sso_change_groups),
    sso_read_groups: new Set(settings.sso_read_groups),
    origins: new Set(settings.allowed_origins.map((origin) => new URL(origin).origin)),
    isLoopback: membership(['127.0.0.0/8', '::1']),
    isTrustedNetwork: membership(settings.trusted_networks),
    isTrustedProxy: membership(settings.trusted_proxies),
  }
  compiled.set(settings, policy)
  return policy
}

/** An empty secret would be proven by an empty header. */
const unlessEmpty = <P extends KeyProof>(secret: P | null): P | null =>
  secret?.equals('') === true ? null : secret

/** How a host is compared: lower case, no trailing dot, brackets around IPv6, no port. */
export function hostKey(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, '')
  return isIP(bare) === 6 ? `[${bare}]` : bare
}

interface Network {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly prefix: number
}

/** `10.0.0.0/8`, `fd00::/8` or a single address; null for anything else. IPv4-mapped IPv6 must be written as IPv4. */
function parseNetwork(text: string): Network | null {
  const [literal = '', length, ...rest] = text.split('/')
  const address = canonicalAddress(literal)
  if (address === null || rest.length > 0 || isIP(literal) !== isIP(address)) return null
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const widest = family === 'ipv4' ? 32 : 128
  if (length === undefined) return { address, family, prefix: widest }
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= widest ? { address, family, prefix } : null
}

function membership(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network !== null) list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Everything about the settings that must stop the start, one sentence each. Empty means: serve. */
export function accessFaults(settings: AccessSettings): string[] {
  return [
    ...networkFaults('PLUMBLINE_TRUSTED_NETWORKS', settings.trusted_networks),
    ...networkFaults('PLUMBLINE_TRUSTED_PROXIES', settings.trusted_proxies),
    ...settings.allowed_hosts.filter((host) => !isHostName(host)).map(hostFault),
    ...settings.allowed_origins.filter((origin) => !isOrigin(origin)).map(originFault),
    ...exposureFaults(settings),
  ]
}

function networkFaults(setting: string, networks: readonly string[]): string[] {
  return networks.flatMap((text) => {
    const network = parseNetwork(text)
    if (network === null)
      return [`${setting}: "${text}" is not an address or a network such as 192.168.1.0/24 or fd00::/8.`]
    return network.prefix === 0
      ? [`${setting}: "${text}" would trust the whole internet; name your own networks.`]
      : []
  })
}

const isHostName = (host: string) =>
  isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})$/.test(host)
const isOrigin = (origin: string) => /^https?:\/\/[^\s/?#@\\*]+$/i.test(origin) && URL.canParse(origin)
const hostFault = (host: string) =>
  `PLUMBLINE_ALLOWED_HOSTS: "${host}" is not a host name or address without port, such as plumbline.example.com.`
const originFault = (origin: string) =>
  `PLUMBLINE_ALLOWED_ORIGINS: "${origin}" is not an origin such as https://console.example.com.`

function exposureFaults(settings: AccessSettings): string[] {
  const faults: string[] = []
  const { api_key, proxy_secret, isLoopback } = compileAccess({ ...settings, allowed_origins: [] })
  const exposed = settings.listen.filter((address) => address !== 'localhost' && !isLoopback(address))
  const ways_in = settings.trusted_networks.length + settings.trusted_proxies.length
  if (exposed.length > 0 && api_key === null && ways_in === 0)
    faults.push(
      `PLUMBLINE_LISTEN: ${exposed.join(', ')} can be reached from other hosts, but nobody there may call: ` +
        'set API_KEY, PLUMBLINE_TRUSTED_NETWORKS or PLUMBLINE_TRUSTED_PROXIES, or listen on 127.0.0.1.',
    )
  if (settings.trusted_proxies.length > 0 && proxy_secret === null)
    faults.push(
      'PLUMBLINE_TRUSTED_PROXIES: needs PLUMBLINE_PROXY_SECRET, which the proxy sends to prove who signed in.',
    )
  return faults
}
