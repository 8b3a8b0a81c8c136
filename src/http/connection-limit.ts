/** How many connections one address may hold open, so that one client cannot take the places of all others. */
import { isIP } from 'node:net'
import { canonicalAddress } from '../model/address.ts'

export interface ConnectionLimit {
  /** Counts a connection in; false when the address has its share already. */
  enter(address: string): boolean
  leave(address: string): void
}

/** `exempt` addresses speak for many clients: trusted proxies. */
export function connectionLimit(most: number, exempt: (address: string) => boolean): ConnectionLimit {
  const open = new Map<string, number>()
  return {
    enter: (address) => {
      const key = holderOf(address)
      const count = (open.get(key) ?? 0) + 1
      if (count > most && !exempt(canonicalAddress(address) ?? '')) return false
      open.set(key, count)
      return true
    },
    leave: (address) => {
      const key = holderOf(address)
      const count = (open.get(key) ?? 0) - 1
      if (count > 0) open.set(key, count)
      else open.delete(key)
    },
  }
}

/** One subscriber: an IPv4 address, or the /64 of an IPv6 address. */
export function holderOf(address: string): string {
  const canonical = canonicalAddress(address.split('%', 1)[0]!) ?? address
  if (isIP(canonical) !== 6) return canonical
  const [head = '', tail] = canonical.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`
}
