/**
 * The next free address of a network: no host has it, nobody leases it, it is not reserved. Pure: nothing is reserved by
 * asking. Of IPv6 only what is given is looked at, from `::100` on, as the first are handed out by hand.
 */
import { type Cidr, addressNumber, addressText, hostRange } from '../../../model/network/cidr.ts'
import { countFree, merged, nextFree } from '../ranges.ts'
import type { AddressRange } from '../settings.ts'
import { SortedNumbers } from '../sorted-numbers.ts'

/** Each once, as numbers. */
export interface UsedAddresses {
  readonly four: SortedNumbers
  readonly six: readonly bigint[]
}

export function usedAddresses(addresses: Iterable<string>): UsedAddresses {
  const four: number[] = []
  const six = new Set<bigint>()
  for (const address of addresses)
    if (address.includes(':')) six.add(addressNumber(address))
    else four.push(Number(addressNumber(address)))
  return { four: SortedNumbers.of(four), six: [...six] }
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
  const ranges = asked.skipped.filter((range) => range.family === family)
  const start = pastAll(ranges, reserved_start)
  // IPv6 is counted from the first that may be free: exact as far as anybody walks.
  const origin = family === 6 ? start : 0n
  const numberOf = (address: bigint): number => Number(address - origin)
  if (start > hosts.last) return { address: null, free: family === 6 ? null : 0 }
  const limits = { first: numberOf(family === 6 ? start : reserved_start), last: numberOf(hosts.last) }
  const skipped = merged(
    ranges
      .filter((range) => range.last >= base && range.first <= network.last)
      .map(({ first, last }) => ({
        first: Math.max(limits.first, numberOf(first < base ? base : first)),
        last: Math.min(limits.last, numberOf(last)),
      }))
      .filter(({ first, last }) => first <= last),
  )
  const used = family === 6 ? SortedNumbers.of(asked.used.six.map(numberOf)) : asked.used.four
  const space = { limits, skipped, used }
  const textOf = (number: number) => addressText(origin + BigInt(number), family)
  let at = nextFree(space, limits.first)
  while (at !== null && asked.isOffered(textOf(at))) at = nextFree(space, at + 1)
  return { address: at === null ? null : textOf(at), free: family === 6 ? null : countFree(space) }
}

/** The lowest at or above `from` that lies in none of them. */
function pastAll(ranges: readonly AddressRange[], from: bigint): bigint {
  let at = from
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1)))
    if (at >= first && at <= last) at = last + 1n
  return at
}
