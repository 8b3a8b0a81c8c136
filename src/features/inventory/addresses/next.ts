/**
 * The next free address of a network: no host has it, nobody leases it, it is not reserved. Pure: nothing is reserved by
 * asking. Of IPv6 only what is given is looked at, from `::100` on, as the first are handed out by hand.
 */
import { type Cidr, addressNumber, addressText, hostRange } from '../../../model/network/cidr.ts'
import { isWithinAny, marksUpTo, merged, type Range } from '../ranges.ts'
import type { AddressRange } from '../settings.ts'

export interface UsedAddresses {
  /** Of IPv4, as numbers, each once. */
  readonly four: Uint32Array
  readonly six: readonly bigint[]
}

export function usedAddresses(addresses: Iterable<string>): UsedAddresses {
  const four = new Set<number>()
  const six: bigint[] = []
  for (const address of addresses)
    if (address.includes(':')) six.push(addressNumber(address))
    else four.add(Number(addressNumber(address)))
  return { four: Uint32Array.from(four), six }
}

interface AddressQuery {
  readonly used: UsedAddresses
  /** Pools of leases, reservations, the gateway. */
  readonly skipped: readonly AddressRange[]
  /** Offered to somebody else a moment ago: neither used nor offered. */
  readonly isOffered: (address: string) => boolean
}

export interface NextAddress {
  /** Null where the network is full. */
  readonly address: string | null
  /** How many are free; null for IPv6, which has more than a number can say. */
  readonly free: number | null
}

/** Addresses below are for routers and for those who type them. */
const FIRST_OF_IPV6 = 0x100n

export function nextAddress(network: Cidr, asked: AddressQuery): NextAddress {
  const { family, first: base } = network
  const hosts = hostRange(network)
  const reserved_start = family === 6 && network.length <= 116 ? base + FIRST_OF_IPV6 : hosts.first
  // Counted from the network's own address: exact as far as anybody walks, in both families.
  const offset = (number: bigint): number => Number(number - base)
  const limits = { first: offset(reserved_start), last: offset(hosts.last) }
  const skipped = merged(
    asked.skipped
      .filter((range) => range.family === family && range.last >= base && range.first <= network.last)
      .map(({ first, last }) => ({
        first: Math.max(limits.first, offset(first < base ? base : first)),
        last: Math.min(limits.last, offset(last)),
      }))
      .filter(({ first, last }) => first <= last),
  )
  const used = marksWithin(asked.used, network, { limits, skipped })
  let address: string | null = null
  for (let at = limits.first; at <= limits.last && address === null; at++) {
    const over = skipped.find(({ first, last }) => at >= first && at <= last)
    if (over !== undefined) at = over.last
    else if (!used.has(at)) {
      const text = addressText(base + BigInt(at), family)
      if (!asked.isOffered(text)) address = text
    }
  }
  const passed_over = skipped.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const free = limits.last - limits.first + 1 - passed_over - used.count
  return { address, free: family === 6 ? null : free }
}

interface Reach {
  readonly limits: Range
  readonly skipped: readonly Range[]
}

function marksWithin(
  { four, six }: UsedAddresses,
  { family, first }: Cidr,
  { limits, skipped }: Reach,
): ReturnType<typeof marksUpTo> {
  const marks = marksUpTo(limits.last)
  const mark = (offset: number) => {
    if (offset >= limits.first && offset <= limits.last && !isWithinAny(skipped, offset)) marks.add(offset)
  }
  if (family === 6) for (const number of six) mark(Number(number - first))
  else {
    const base = Number(first)
    for (const number of four) mark(number - base)
  }
  return marks
}
