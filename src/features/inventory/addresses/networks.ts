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

/**
 * As the controller says, also for a part of a network that it knows. Elsewhere the first address of it, as far as that
 * leaves any for a host; null where nobody says and none can be guessed.
 */
export function gatewayOf(network: Cidr, { lans }: Pick<Estate, 'lans'>): string | null {
  const known = lans.find(({ cidr }) => isPart(network, parseCidr(cidr)))
  const lan = known ?? lans.find(({ gateway }) => isWithin(gateway, network))
  if (lan !== undefined) return lan.gateway
  const is_narrow = network.last - network.first < 2n
  return is_narrow ? null : addressText(hostRange(network).first, network.family)
}

const isPart = ({ family, first, last }: Cidr, whole: Cidr | null): boolean =>
  whole?.family === family && whole.first <= first && last <= whole.last

/** Addresses of known networks that no host may have, whichever part of them is asked for. */
export const reservedOf = ({ lans }: Pick<Estate, 'lans'>): readonly AddressRange[] =>
  lans.flatMap(({ cidr, gateway }) => {
    const network = parseCidr(cidr)
    if (network === null) return []
    const hosts = hostRange(network)
    const ends = [
      ...(hosts.first > network.first ? [network.first] : []),
      ...(hosts.last < network.last ? [network.last] : []),
    ]
    return [gateway, ...ends.map((end) => addressText(end, network.family))].map(single)
  })

/** Networks of which no address is a host's: this network, loopback, link-local, multicast, and what is reserved (RFC 6890). */
const NOWHERE = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/8',
  'fe80::/10',
  'ff00::/8',
].map((text) => parseCidr(text)!)

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
  const nowhere = NOWHERE.find((one) => isPart(network, one) || isPart(one, network))
  if (nowhere !== undefined)
    throw wrong(`${network.cidr} has addresses of ${nowhere.cidr}, which no host of a network has`)
  return network
}
