/**
 * Under which name a client is counted: an IPv4 address, or the /64 of an IPv6 one, which a single subscriber can fill. This host is
 * one, whichever of its IPv4 addresses of its own it calls from.
 */
import { isIP } from 'node:net'
import { isLoopback } from './address.ts'

/** @param address canonical; empty when unknown */
export function clientNetwork(address: string): string {
  const family = isIP(address)
  if (family === 4 && isLoopback(address)) return '127.0.0.1'
  if (family !== 6) return address
  const [head = '', tail = ''] = address.split('::')
  const left = groupsOf(head)
  const missing = 8 - left.length - groupsOf(tail).length
  return [...left, ...Array.from({ length: missing }, () => '0'), ...groupsOf(tail)].slice(0, 4).join(':')
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
