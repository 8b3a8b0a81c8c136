/** IP addresses: one canonical spelling, and which of them may stand where. */
import { BlockList, isIP, SocketAddress } from 'node:net'
import { accept, type Parsed, refuse } from '../text/result.ts'

/**
 * Never a backend and never published: unspecified, broadcast, multicast, link-local (RFC 3927, RFC 4291), site-local
 * (RFC 3879, deprecated) and the metadata services of clouds, which hand credentials to whoever can make a proxy ask for them.
 */
const FORBIDDEN = new BlockList()
FORBIDDEN.addSubnet('0.0.0.0', 8, 'ipv4')
FORBIDDEN.addSubnet('169.254.0.0', 16, 'ipv4')
FORBIDDEN.addSubnet('224.0.0.0', 3, 'ipv4') // multicast, reserved and broadcast
FORBIDDEN.addAddress('100.100.100.200', 'ipv4') // Alibaba Cloud metadata
FORBIDDEN.addAddress('168.63.129.16', 'ipv4') // Azure wire server
FORBIDDEN.addAddress('192.0.0.192', 'ipv4') // Oracle Cloud metadata
FORBIDDEN.addAddress('::', 'ipv6')
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6')
FORBIDDEN.addSubnet('fec0::', 10, 'ipv6')
FORBIDDEN.addSubnet('ff00::', 8, 'ipv6')
FORBIDDEN.addAddress('fd00:ec2::254', 'ipv6') // AWS metadata
FORBIDDEN.addAddress('fd20:ce::254', 'ipv6') // Google Cloud metadata

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
/** Forms that embed an IPv4 address, which a host or a gateway on the way may take out again. */
const EMBEDDING = new BlockList()
EMBEDDING.addSubnet('::', 96, 'ipv6') // IPv4-compatible
EMBEDDING.addSubnet('::ffff:0:0:0', 96, 'ipv6') // IPv4-translated (RFC 2765)
EMBEDDING.addSubnet('64:ff9b::', 96, 'ipv6') // NAT64 (RFC 6052)
EMBEDDING.addSubnet('64:ff9b:1::', 48, 'ipv6') // NAT64 for local use (RFC 8215)
EMBEDDING.addSubnet('2001::', 32, 'ipv6') // Teredo
EMBEDDING.addSubnet('2002::', 16, 'ipv6') // 6to4

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** @param address canonical */
export const isLoopback = (address: string): boolean => LOOPBACK.check(address, familyOf(address))

/** Whether a host, by name or address, is whoever asks for it. */
export const isOwnHost = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Canonical text of an IP literal (RFC 5952; IPv4-mapped IPv6 folds to IPv4), or null when it is none. */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return null
  const canonical = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' }).address
  return IPV4_MAPPED.exec(canonical)?.[1] ?? canonical
}

/** An address that may be connected to or published, in canonical text. */
export function parseAddress(text: string): Parsed<string> {
  const address = canonicalAddress(text)
  if (address === null) return refuse('ip_address', 'must be an IPv4 or IPv6 address')
  const family = familyOf(address)
  const embeds = family === 'ipv6' && !isLoopback(address) && EMBEDDING.check(address, family)
  if (embeds || FORBIDDEN.check(address, family))
    return refuse(
      'ip_address',
      'must not be an unspecified, multicast, link-local, site-local, metadata or IPv4-embedding address',
    )
  return accept(address)
}

/** `host:port` with brackets around IPv6, as URLs and dial strings want it. */
export const hostPort = (host: string, port: number): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
