/**
 * Which address goes with a VMID: a template such as `10.{node}.{purpose}.{sequence+100}/24`. Pure. Each pair of braces holds
 * `node`, `purpose`, `sequence` or `vmid`, with a number added or taken away.
 */
import { addressNumber, addressText, hostRange, parseCidr } from '../../../model/network/cidr.ts'
import type { Parts } from './scheme.ts'

export interface AddressScheme {
  /** As it was written. */
  readonly template: string
}

export const DEFAULT_TEMPLATE = '10.{node}.{purpose}.{sequence+100}/24'

const TERM = /\{(node|purpose|sequence|vmid)(?:([+-])(\d{1,9}))?\}/g

/** Null for what gives no address whatever the number is. */
export function parseAddressScheme(template: string): AddressScheme | null {
  const plain = template.replace(TERM, '1')
  const is_one = plain !== template && parseCidr(plain) !== null && /\/\d+$/.test(template)
  return is_one ? { template } : null
}

export interface PlannedAddress {
  readonly address: string
  /** In CIDR form. */
  readonly network: string
  /** The first address that a host of the network may have, where no controller says another; null where nobody says. */
  readonly gateway: string | null
}

/** Null where the template gives no address of a host: an octet too large, the network itself, the broadcast address. */
export function addressFor(
  { address: { template } }: { readonly address: AddressScheme },
  vmid: number,
  parts: Parts,
): PlannedAddress | null {
  const values = { ...parts, vmid }
  const text = template.replace(TERM, (_all, name: keyof typeof values, sign?: string, number?: string) =>
    String(values[name] + (sign === '-' ? -1 : 1) * Number(number ?? 0)),
  )
  const cidr = parseCidr(text)
  if (cidr === null) return null
  const { address, family } = cidr
  const { first, last } = hostRange(cidr)
  const number = addressNumber(address)
  if (number < first || number > last) return null
  return { address, network: cidr.cidr, gateway: addressText(first, family) }
}
