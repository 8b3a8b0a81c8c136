/** Lists of addresses and networks, as Traefik's `ip.Checker` reads them. */
import { BlockList, isIP } from 'node:net'

export type IsListed = (address: string) => boolean

/** @throws in Go's words for what is neither an address nor a network. */
export function addressList(entries: readonly string[]): IsListed {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    const isWhole =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
    if (family === 0 || !isWhole)
      throw new Error(`parsing CIDR trusted IPs <nil>: invalid CIDR address: ${entry}`)
    const kind = family === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return (address) => {
    const bare = plainAddress(address)
    const family = isIP(bare)
    return family !== 0 && list.check(bare, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Without a zone, and IPv4 in IPv6 as IPv4. */
export const plainAddress = (address: string): string =>
  address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+[.])/i, '')
