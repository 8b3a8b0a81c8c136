/** Grammars of names and addresses on the network: where to listen, whom to trust, whom to ask. */
import { BlockList, isIP, SocketAddress } from 'node:net'
import { textual, Wrong, wrong } from './refine.ts'

export interface HostPort {
  /** An address or a name, without brackets. */
  readonly host: string
  /** 0: the system picks a free one. */
  readonly port: number
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/i
// A last label that some readers take for part of an IPv4 address ("127.1", "0x7f.1").
const NUMERIC_END = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i

const isName = (text: string): boolean => NAME.test(text) && !NUMERIC_END.test(text)
const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535

/** The usual text of an address (RFC 5952), or null. Zone ids are no part of it. */
const canonical = (text: string): string | null => {
  const family = isIP(text)
  return family === 0 || text.includes('%')
    ? null
    : new SocketAddress({ address: text, family: familyOf(text) }).address
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** An IPv4 address in the clothes of IPv6: two spellings of one thing make lists that do not match. */
const isMapped = (address: string): boolean => /^::ffff:[\d.]+$/.test(address)

export const showHostPort = ({ host, port }: HostPort): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. */
export const listenAddress = textual<HostPort>((text) => {
  const form = wrong('must be host:port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080')
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d+)$/i.exec(text)
  if (match === null) return form
  const [, six, other, port] = match
  if (!isPort(port!)) return wrong('must have a port from 0 to 65535')
  const host = six === undefined ? (isIP(other!) === 4 ? other! : other!.toLowerCase()) : canonical(six)
  if (host === null || (six !== undefined && isIP(six) !== 6)) return form
  return isIP(host) !== 0 || isName(host) ? { host, port: Number(port) } : form
})

/** A value of the Host header without its port: a name or an address. */
export function parseHost(text: string): string | Wrong {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const address = canonical(bare)
  if (address !== null) return address
  return isName(bare)
    ? bare.toLowerCase()
    : wrong('is not a host name or address without a port, such as plumbline.example.com')
}

/** A name of at least two labels, without the closing dot. */
export function parseZone(text: string): string | Wrong {
  const name = parseHost(text.replace(/\.$/, ''))
  if (name instanceof Wrong || !name.includes('.')) return wrong('is not a zone such as example.com')
  return name
}

/** An exact origin (RFC 6454): scheme, host and port. */
export function parseOrigin(text: string): string | Wrong {
  const form = wrong('is not one origin such as https://console.example.com, without a path')
  if (!/^https?:\/\/[^\s/?#@\\*]+\/?$/i.test(text) || !URL.canParse(text)) return form
  return new URL(text).origin
}

/** What nobody gives as the address of one host. */
const LIKE_A_NETWORK = /(?:\.0|::)$/

/** A network in CIDR form or a single address, in canonical text with its length: `10.0.0.0/8`, `fd00::1/128`. */
export function parseNetwork(text: string): string | Wrong {
  const [literal = '', length, ...rest] = text.split('/')
  const address = canonical(literal)
  if (address === null || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length)))
    return wrong('is not an address or a network such as 192.168.1.0/24 or fd00::/8')
  if (isMapped(address)) return wrong('must be written as an IPv4 network')
  const widest = familyOf(address) === 'ipv4' ? 32 : 128
  const prefix = length === undefined ? widest : Number(length)
  if (prefix > widest) return wrong(`must have a length of at most ${widest}`)
  if (length === undefined && LIKE_A_NETWORK.test(address))
    return wrong(
      `has no length: write ${address}/${widest === 32 ? 24 : 64} for the network, ${address}/${widest} for that one address`,
    )
  if (prefix === 0) return wrong('would trust the whole internet; name your own networks')
  const first = firstAddress(address, prefix)
  return first === address
    ? `${address}/${prefix}`
    : wrong(`has bits after its length of ${prefix}; write ${first}/${prefix} or ${address}/${widest}`)
}

/** The address with all bits after the prefix cleared. */
function firstAddress(address: string, prefix: number): string {
  const family = familyOf(address)
  const groups = family === 'ipv4' ? address.split('.').map(Number) : groupsOf(address)
  const width = family === 'ipv4' ? 8 : 16
  const cleared = groups.map((group, i) => {
    const kept = Math.min(Math.max(prefix - i * width, 0), width)
    return group & ~((1 << (width - kept)) - 1)
  })
  return family === 'ipv4'
    ? cleared.join('.')
    : canonical(cleared.map((group) => group.toString(16)).join(':'))!
}

/** The eight 16-bit groups of a canonical IPv6 address. An IPv4 tail (`64:ff9b::1.2.3.4`) counts as two. */
function groupsOf(address: string): number[] {
  const plain = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_all, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
  const [head = '', tail] = plain.split('::')
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [left, right] = [parse(head), parse(tail ?? '')]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

/**
 * The base address of an HTTP service, without a slash at its end. Credentials in it would land in logs.
 * @param remedy what to do instead of giving credentials, as the end of a sentence
 */
export const httpUrlWithout = (remedy: string) =>
  textual((text) => {
    const form = wrong('must be a URL such as http://traefik:8080')
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return form
    const url = new URL(text)
    if (url.username !== '' || url.password !== '')
      return wrong(`must not hold a user name or password${remedy}`)
    if (url.search !== '' || url.hash !== '') return wrong('must not have a query or a fragment')
    return url.href.replace(/\/+$/, '')
  })

export const httpUrl = httpUrlWithout('')

const NEVER_PUBLIC = new BlockList()
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  NEVER_PUBLIC.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  NEVER_PUBLIC.addSubnet(address, prefix, 'ipv6')

/** An address that may be published in DNS. Private ones may: a home with split DNS does that. */
export const publishedAddress = textual((text) => {
  const address = canonical(text)
  if (address === null) return wrong('must be an IPv4 or IPv6 address')
  return isMapped(address) || NEVER_PUBLIC.check(address, familyOf(address))
    ? wrong('must not be an unspecified, loopback, link-local, multicast or IPv4-mapped address')
    : address
})
