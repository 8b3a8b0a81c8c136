/** Grammars for looking at DNS: name servers to ask, and where a resolver's configuration is read. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type HostPort, httpUrl, parseHost, publishedAddress, showHostPort } from './network.ts'
import { listOf, textual, Wrong, wrong } from './refine.ts'

const DNS_PORT = 53

const form = wrong(
  'is not a server such as 192.0.2.53, 192.0.2.53:5353, [2001:db8::53]:53 or ns1.example.com',
)

/** `host`, `host:port`, `[IPv6]:port`; port 53 when none is given. */
export function parseNameServer(text: string): HostPort | Wrong {
  if (isIP(text) === 6) return serverOf(text, DNS_PORT)
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  if (match === null) return form
  const [, six, other = '', port] = match
  if (six !== undefined && isIP(six) !== 6) return form
  return serverOf(six ?? other, port === undefined ? DNS_PORT : Number(port))
}

function serverOf(host_text: string, port: number): HostPort | Wrong {
  const host = parseHost(host_text)
  if (host instanceof Wrong || port < 1 || port > 65_535) return form
  return { host, port }
}

export const nameServers = listOf(parseNameServer)

/** A resolver that is to tell other servers' names cannot be named itself. */
export const resolverAddresses = listOf((text) => {
  const server = parseNameServer(text)
  if (server instanceof Wrong) return server
  return isIP(server.host) === 0 ? wrong('must be an address') : { address: server.host, port: server.port }
})

export const showNameServers = (servers: readonly HostPort[]): string => servers.map(showHostPort).join(',')

const FILES = ['dnsmasq', 'unbound', 'hosts'] as const
const APIS = ['adguard', 'pihole', 'technitium'] as const

export interface ResolverSourceSetting {
  readonly product: (typeof FILES)[number] | (typeof APIS)[number]
  /** An absolute path, or the base address of an API without a slash at its end. */
  readonly location: string
}

const isIn = <const T extends string>(words: readonly T[], word: string): word is T =>
  words.includes(word as T)

function parseSource(text: string): ResolverSourceSetting | Wrong {
  const [, product = '', location = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? []
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(location)) return wrong('must not hold control characters')
  if (isIn(FILES, product)) return { product, location: resolve(location) }
  if (!isIn(APIS, product))
    return wrong(
      `must begin with ${[...FILES, ...APIS].map((word) => `${word}:`).join(', ')} and go on with a path or URL`,
    )
  const url = httpUrl.safeParse(location)
  return url.success ? { product, location: url.data } : wrong(url.error.issues[0]?.message ?? 'is no URL')
}

/** `dnsmasq:/etc/dnsmasq.conf,adguard:http://192.0.2.3:3000` */
export const resolverSources = listOf(parseSource)

export const showSources = (sources: readonly ResolverSourceSetting[]): string =>
  sources.map(({ product, location }) => `${product}:${location}`).join(',')

/** Addresses that clients connect to. */
export const proxyAddresses = listOf((text) => {
  const address = publishedAddress.safeParse(text)
  return address.success ? address.data : wrong(address.error.issues[0]?.message ?? 'is no address')
})

/** One line of any characters, as a person types it into a form. */
export const oneLine = textual((text) =>
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f]/.test(text) ? wrong('must not hold control characters') : text,
)
