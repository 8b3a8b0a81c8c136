/** Networks as they are asked for, with the gateway and the ranges of leases that the controllers tell. Pure. */
import { Failure, fieldError } from '../../../kernel/failure.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import {
  addressNumber,
  addressText,
  type Cidr,
  hostRange,
  isWithin,
  parseCidr,
} from '../../../model/network/cidr.ts'
import type { Estate } from '../estate/estate.ts'
import type { AddressRange } from '../settings.ts'

export const single = (address: string): AddressRange => {
  const number = addressNumber(address)
  return { text: address, family: address.includes(':') ? 6 : 4, first: number, last: number }
}

export const poolsOf = ({ lans }: Estate): readonly AddressRange[] =>
  lans.flatMap(({ dhcp }) =>
    dhcp === null
      ? []
      : [
          {
            text: `${dhcp.first}-${dhcp.last}`,
            family: 4 as const,
            first: addressNumber(dhcp.first),
            last: addressNumber(dhcp.last),
          },
        ],
  )

/** As the controller says; where it knows no such network, the first address of it. */
export function gatewayOf(network: Cidr, { lans }: Estate): string {
  const lan =
    lans.find(({ cidr }) => cidr === network.cidr) ?? lans.find(({ gateway }) => isWithin(gateway, network))
  return lan?.gateway ?? addressText(hostRange(network).first, network.family)
}

/** Networks above are not looked through: what is meant is one of its parts. */
const SHORTEST = { 4: 8, 6: 48 } as const

/** Throws `validation_failed` for what is no network, for one with host bits and for one that is too large. */
export function askedNetwork(text: string): Cidr {
  const network = parseCidr(text)
  const [, length] = text.split('/')
  const wrong = (msg: string): Failure =>
    new Failure('validation_failed', `query.network: ${msg}`, {
      errors: [fieldError(['query', 'network'], msg, 'network')],
    })
  if (network === null)
    throw wrong(`"${text.slice(0, 80)}" is no network; it looks like 192.168.1.0/24 or fd00:1::/64`)
  if (network.cidr !== `${canonicalAddress(text.split('/')[0]!) ?? ''}/${length ?? ''}`)
    throw wrong(`"${text}" has host bits; the network is ${network.cidr}`)
  if (network.length < SHORTEST[network.family])
    throw wrong(
      `${network.cidr} is too large to look through; name a part of it, of /${SHORTEST[network.family]} or longer`,
    )
  return network
}
