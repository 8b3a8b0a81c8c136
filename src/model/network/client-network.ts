/** Under which name a client is counted: an IPv4 address, or the /64 of an IPv6 one, which a single subscriber can fill. */
import { isIP } from 'node:net'

/** @param address canonical; empty when unknown */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.split('::')
  const left = groupsOf(head)
  const missing = 8 - left.length - groupsOf(tail).length
  return [...left, ...Array.from({ length: missing }, () => '0'), ...groupsOf(tail)].slice(0, 4).join(':')
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
