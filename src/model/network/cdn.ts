/**
 * Addresses of the servers of CDNs, as Cloudflare (cloudflare.com/ips) and Fastly (api.fastly.com/public-ip-list) publish
 * them. Who is asked through one and takes the address of the connection for its own would publish it: no gateway has one.
 */
import { BlockList, isIP } from 'node:net'

type Network = readonly [address: string, prefix: number]

const FOUR: readonly Network[] = [
  // Cloudflare
  ['103.21.244.0', 22],
  ['103.22.200.0', 22],
  ['103.31.4.0', 22],
  ['104.16.0.0', 13],
  ['104.24.0.0', 14],
  ['108.162.192.0', 18],
  ['131.0.72.0', 22],
  ['141.101.64.0', 18],
  ['162.158.0.0', 15],
  ['172.64.0.0', 13],
  ['173.245.48.0', 20],
  ['188.114.96.0', 20],
  ['190.93.240.0', 20],
  ['197.234.240.0', 22],
  ['198.41.128.0', 17],
  // Fastly
  ['23.235.32.0', 20],
  ['43.249.72.0', 22],
  ['103.244.50.0', 24],
  ['103.245.222.0', 23],
  ['103.245.224.0', 24],
  ['104.156.80.0', 20],
  ['140.248.64.0', 18],
  ['140.248.128.0', 17],
  ['146.75.0.0', 17],
  ['151.101.0.0', 16],
  ['157.52.64.0', 18],
  ['167.82.0.0', 17],
  ['167.82.128.0', 20],
  ['167.82.160.0', 20],
  ['167.82.224.0', 20],
  ['172.111.64.0', 18],
  ['185.31.16.0', 22],
  ['199.27.72.0', 21],
  ['199.232.0.0', 16],
]

const SIX: readonly Network[] = [
  // Cloudflare
  ['2400:cb00::', 32],
  ['2405:8100::', 32],
  ['2405:b500::', 32],
  ['2606:4700::', 32],
  ['2803:f800::', 32],
  ['2a06:98c0::', 29],
  ['2c0f:f248::', 32],
  // Fastly
  ['2a04:4e40::', 32],
  ['2a04:4e42::', 32],
]

const list = new BlockList()
for (const [address, prefix] of FOUR) list.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of SIX) list.addSubnet(address, prefix, 'ipv6')

/** False for what is no address. */
export const isOfCdn = (address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
