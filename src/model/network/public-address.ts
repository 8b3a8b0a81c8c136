/**
 * The address that a gateway reports for itself: one canonical literal that the whole internet can reach.
 *
 * Sources: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and its updates) and the IPv6 global
 * unicast assignments. What the registries call globally reachable but hand to a service (AS112, AMT) is nobody's
 * gateway and is refused as well.
 */
import { BlockList, isIP, SocketAddress } from 'node:net'
import type { ManagedType } from './dns.ts'
import { accept, type Parsed, refuse } from '../text/result.ts'

type Network = readonly [address: string, prefix: number]

/** No network of a gateway, whatever the settings say. */
const NEVER_V4: readonly Network[] = [
  ['0.0.0.0', 8], // this network
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and the metadata services of clouds
  ['224.0.0.0', 4], // multicast
  ['255.255.255.255', 32], // broadcast
  ['100.100.100.200', 32], // Alibaba Cloud metadata
  ['168.63.129.16', 32], // Azure's wire server
  ['192.0.0.192', 32], // Oracle Cloud metadata
]

const SPECIAL_V4: readonly Network[] = [
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers (CGNAT)
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays, deprecated
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['240.0.0.0', 4], // reserved
]

/** The only space from which global unicast addresses are assigned. */
const GLOBAL_V6: Network = ['2000::', 3]

/** What lies outside of it and may be let in all the same: unique local addresses. */
const LOCAL_V6: Network = ['fc00::', 7]

const SPECIAL_V6: readonly Network[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which embeds an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]

/** Inside the unique local space: addresses that hand out credentials to whoever asks. */
const NEVER_V6: readonly Network[] = [
  ['fd00:ec2::254', 128], // AWS metadata
  ['fd20:ce::254', 128], // Google Cloud metadata
]

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family)
  return list
}

const never_v4 = listOf(NEVER_V4, 'ipv4')
const special_v4 = listOf(SPECIAL_V4, 'ipv4')
const global_v6 = listOf([GLOBAL_V6], 'ipv6')
const never_v6 = listOf(NEVER_V6, 'ipv6')
const assignable_v6 = listOf([GLOBAL_V6, LOCAL_V6], 'ipv6')
const special_v6 = listOf(SPECIAL_V6, 'ipv6')

export interface ReportableAddress {
  /** RFC 5952 for IPv6. */
  readonly address: string
  /** The record type that holds it. */
  readonly type: ManagedType
}

export interface PublicAddressRules {
  /** Addresses that are no public ones and may be reported all the same. */
  readonly private_too: (address: string) => boolean
}

const PUBLIC_ONLY: PublicAddressRules = { private_too: () => false }

/**
 * One IPv4 or IPv6 literal and nothing around it. Lists, octal, hexadecimal and short forms, zone ids and IPv4 inside
 * IPv6 are refused in every spelling: what is read in two ways is published in the wrong one.
 */
export function parsePublicAddress(text: string, { private_too } = PUBLIC_ONLY): Parsed<ReportableAddress> {
  const family = text.length > 45 ? 0 : isIP(text)
  if (family === 0 || text.includes('%') || (family === 6 && text.includes('.')))
    return refuse('ip_address', 'must be one IPv4 or IPv6 address, and nothing else')
  return family === 4 ? evaluateV4(text, private_too) : evaluateV6(text, private_too)
}

function evaluateV4(
  address: string,
  private_too: PublicAddressRules['private_too'],
): Parsed<ReportableAddress> {
  if (never_v4.check(address, 'ipv4')) return NOT_PUBLIC
  if (special_v4.check(address, 'ipv4') && !private_too(address)) return NOT_PUBLIC
  return accept({ address, type: 'A' })
}

function evaluateV6(text: string, private_too: PublicAddressRules['private_too']): Parsed<ReportableAddress> {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  if (never_v6.check(address, 'ipv6') || !assignable_v6.check(address, 'ipv6')) return NOT_PUBLIC
  const is_public = global_v6.check(address, 'ipv6') && !special_v6.check(address, 'ipv6')
  return is_public || private_too(address) ? accept({ address, type: 'AAAA' }) : NOT_PUBLIC
}

const NOT_PUBLIC = refuse('not_public', 'must be a public address: one that the whole internet can reach')

/** Whether an address lies in one of the networks: `10.0.0.0/8`, `fd00::/8`. They have been checked before. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}
