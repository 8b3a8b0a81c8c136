/** Whose connections are counted together, so that one client cannot take the places of all others. */
import { isIP } from 'node:net'
import { canonicalAddress } from '../../model/network/address.ts'
import { clientNetwork } from '../../model/network/client-network.ts'

/** One subscriber: an IPv4 address, or the /64 of an IPv6 address. One host: all of its loopback addresses. */
export function holderOf(address: string): string {
  const canonical = canonicalAddress(address.split('%', 1)[0]!) ?? address
  if (isIP(canonical) === 4 && canonical.startsWith('127.')) return '127.0.0.0/8'
  if (isIP(canonical) !== 6) return canonical
  return `${clientNetwork(canonical)}::/64`
}
