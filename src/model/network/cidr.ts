/** Networks in CIDR form (RFC 4632, RFC 4291), and arithmetic on addresses: an address is a whole number within its family. */
import { isIP } from 'node:net'
import { canonicalAddress } from './address.ts'

export interface Cidr {
  readonly family: 4 | 6
  /** As it was written, which may be a host's: `192.168.1.7` of `192.168.1.7/24`. */
  readonly address: string
  /** The network itself: `192.168.1.0/24`. */
  readonly cidr: string
  readonly length: number
  readonly first: bigint
  readonly last: bigint
}

const BITS = { 4: 32, 6: 128 } as const

/** Null for what is no address with the length of its network. */
export function parseCidr(text: string): Cidr | null {
  const [literal = '', digits = '', ...rest] = text.split('/')
  const address = canonicalAddress(literal)
  if (address === null || rest.length > 0 || !/^\d{1,3}$/.test(digits)) return null
  const family = familyOf(address)
  const length = Number(digits)
  if (length > BITS[family]) return null
  const size = 1n << BigInt(BITS[family] - length)
  const first = addressNumber(address) & ~(size - 1n)
  return {
    family,
    address,
    cidr: `${addressText(first, family)}/${length}`,
    length,
    first,
    last: first + size - 1n,
  }
}

const familyOf = (address: string): 4 | 6 => (isIP(address) === 4 ? 4 : 6)

/** @param address canonical */
export function addressNumber(address: string): bigint {
  if (familyOf(address) === 4) return BigInt(numberOfIPv4(address))
  const [before = [], tail] = address.split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - before.length - (tail?.length ?? 0) }, () => '0')
  return [...before, ...zeros, ...(tail ?? [])].reduce(
    (all, group) => (all << 16n) | BigInt(`0x${group}`),
    0n,
  )
}

/** Some addresses end in the dotted form of IPv4 (RFC 5952 §5). */
function groupsOf(text: string): readonly string[] {
  const hexadecimal = text.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const number = numberOfIPv4(dotted)
    return `${Math.floor(number / 0x1_0000).toString(16)}:${(number % 0x1_0000).toString(16)}`
  })
  return hexadecimal === '' ? [] : hexadecimal.split(':')
}

const numberOfIPv4 = (address: string): number =>
  address.split('.').reduce((all, octet) => all * 256 + Number(octet), 0)

/** Canonical. */
export function addressText(number: bigint, family: 4 | 6): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((number >> shift) & 255n)).join('.')
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((number >> BigInt(16 * (7 - at))) & 0xffffn).toString(16),
  )
  return canonicalAddress(groups.join(':'))!
}

/** @param address canonical */
export const isWithin = (address: string, { family, first, last }: Cidr): boolean => {
  if (familyOf(address) !== family) return false
  const number = addressNumber(address)
  return number >= first && number <= last
}

/**
 * The addresses of a network that a host may have: without the network's own and the broadcast address of IPv4, but both of
 * a /31 (RFC 3021) and the one of a /32; of IPv6 without the first, which is every router's (RFC 4291 §2.6.1).
 */
export function hostRange({ family, length, first, last }: Cidr): {
  readonly first: bigint
  readonly last: bigint
} {
  const is_narrow = length >= BITS[family] - 1
  if (is_narrow) return { first, last }
  return family === 4 ? { first: first + 1n, last: last - 1n } : { first: first + 1n, last }
}
