/**
 * Where a device sends through the tunnel: a comma-separated list of networks. It becomes a line of a file that a root shell
 * reads, so nothing but canonical networks comes out of here.
 */
import { isIP } from 'node:net'
import { parseCidr } from '../../../model/network/cidr.ts'

const MAX_ENTRIES = 256
export const MAX_BYTES = 4096

export const FULL_TUNNEL = ['0.0.0.0/0', '::/0']

export type AllowedIps =
  | {
      readonly ok: true
      /** In the order in which they were given, each once. */
      readonly networks: readonly string[]
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly fault: string }

export function parseAllowedIps(text: string): AllowedIps {
  if (Buffer.byteLength(text) > MAX_BYTES) return wrong(`must have at most ${MAX_BYTES} bytes`)
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.length > MAX_ENTRIES) return wrong(`must have at most ${MAX_ENTRIES} networks`)
  const networks = new Set<string>()
  const warnings: string[] = []
  for (const [at, entry] of entries.entries()) {
    const network = networkOf(entry)
    if (network === null)
      return wrong(`has an entry (number ${at + 1}) that is no network such as 192.168.1.0/24 or fd00::/64`)
    if (network.has_host_bits) warnings.push(`${entry} names a host: ${network.cidr} is its network.`)
    networks.add(network.cidr)
  }
  return { ok: true, networks: [...networks], warnings }
}

const wrong = (fault: string): AllowedIps => ({ ok: false, fault })

/** An address alone is a network of one. */
export function networkOf(text: string): { readonly cidr: string; readonly has_host_bits: boolean } | null {
  const family = isIP(text)
  const parsed = parseCidr(family === 0 ? text : `${text}/${family === 4 ? 32 : 128}`)
  if (parsed === null || text.includes('%')) return null
  const { cidr, address } = parsed
  return { cidr, has_host_bits: cidr.slice(0, cidr.lastIndexOf('/')) !== address }
}
