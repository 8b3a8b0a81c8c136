/** Addresses that mean something in one network alone, so that nobody reaches them from the internet. */
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by carriers (CGNAT)
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(address, prefix, 'ipv4')
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6') // unique local
PRIVATE.addSubnet('fe80::', 10, 'ipv6') // link-local

/** @param address canonical */
export const isPrivateAddress = (address: string): boolean =>
  PRIVATE.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Said of an address that is to be published, as the rest of a sentence: right only where nobody out there is to come in. */
export const privateAddressWarning = (address: string | null): string | null =>
  address !== null && isPrivateAddress(address)
    ? `is ${address}, a private address: nobody reaches it from the internet. Give the public one, unless only your own network is to come in`
    : null
