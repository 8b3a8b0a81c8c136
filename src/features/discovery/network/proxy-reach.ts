/** Does a port of the uplink lead to the proxy? Pure. Every obstacle is named, and makes the answer null. */
import { includesPort } from '../model/port-ranges.ts'
import { inNetworks } from '../../../model/network/public-address.ts'
import type { Inbound, PortForward } from '../model/inbound-port.ts'
import type { SiteState, ProxyPlace } from '../model/lab-port.ts'
import type { ProxyReach } from './views.ts'

/** Private (RFC 1918) and shared by carriers (RFC 6598): another router stands before an uplink with such an address. */
const isBehindAnother = inNetworks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'])

export function proxyReach(port: number, site: SiteState, places: readonly ProxyPlace[]): ProxyReach {
  return { port, ...evaluate(port, site, places) }
}

type Reach = Omit<ProxyReach, 'port'>

const unknown = (evidence: string): Reach => ({ reaches: null, evidence })

function evaluate(port: number, { inbound, wan }: SiteState, places: readonly ProxyPlace[]): Reach {
  if (inbound.has_gateway === null)
    return unknown(inbound.detail ?? 'whether there is a gateway is not known')
  if (!inbound.has_gateway) return unknown('the controller manages no gateway at this site')
  if (inbound.forwards === null) return unknown(inbound.detail ?? 'the port forwards could not be read')
  const own = inbound.forwards.filter((forward) => isFor(forward, port))
  if (own.length === 0)
    return inbound.unreadable > 0
      ? unknown(`${inbound.unreadable} of the port forwards cannot be read, and may be for ${port}`)
      : { reaches: false, evidence: `no enabled port forward is for TCP ${port}` }
  if (places.length === 0)
    return unknown('where the proxy is, is not known; set PLUMBLINE_RESOLVER_ADDRESS to its address')
  const good = own.find((forward) => meets(forward, port, places) === true)
  if (good === undefined) return elsewhere(port, own, places)
  const rival = own.find((forward) => forward.from === null && meets(forward, port, places) !== true)
  const obstacle =
    rival === undefined ? (obstacleOf(port, good, inbound) ?? uplinkObstacle(wan)) : rivalWords(rival, port)
  return obstacle === null
    ? { reaches: true, evidence: `by ${described(good)}, where the proxy is` }
    : unknown(`${described(good)} leads to the proxy, but ${obstacle}`)
}

const isFor = ({ enabled, protocol, ports }: PortForward, port: number): boolean =>
  enabled && protocol !== 'udp' && includesPort(ports, port)

/** Null: its address, at a port of which nothing is known. */
function meets(forward: PortForward, port: number, places: readonly ProxyPlace[]): boolean | null {
  const there = places.filter(({ address }) => address === forward.to_address)
  if (there.length === 0) return false
  return there.some(({ ports }) => ports.has(portBehind(forward, port))) ? true : null
}

/** A range is moved as a whole; several ports onto one all end there. */
function portBehind({ ports, to_ports }: PortForward, port: number): number {
  const at = ports.findIndex(({ first, last }) => first <= port && port <= last)
  const [from, to] = [ports[at]!, to_ports[at] ?? to_ports[0]!]
  return to.first === to.last ? to.first : to.first + (port - from.first)
}

function elsewhere(port: number, own: readonly PortForward[], places: readonly ProxyPlace[]): Reach {
  const indeterminate = own.find((forward) => meets(forward, port, places) === null)
  if (indeterminate !== undefined)
    return unknown(
      `${described(indeterminate)} leads to the host of the proxy, and what serves that port is not known`,
    )
  const addresses = [...new Set(places.map(({ address }) => address))].slice(0, 4).join(', ')
  return { reaches: false, evidence: `${described(own[0]!)} leads elsewhere; the proxy is at ${addresses}` }
}

const described = ({ name, to_address }: PortForward): string => `the forward "${name}" to ${to_address}`

/** On which uplink it is looked at from outside, and which of two on one uplink goes first, is not told. */
const rivalWords = (rival: PortForward, port: number): string =>
  `${described(rival)} is for TCP ${port}, too, and which of them holds is not known`

function obstacleOf(port: number, { from }: PortForward, { rules }: Inbound): string | null {
  if (from !== null) return `only for ${from}`
  if (rules === null) return 'the firewall rules could not be read'
  const block = rules.find(
    ({ lets_in, protocol, ports, to }) =>
      !lets_in &&
      to !== 'gateway' &&
      !['udp', 'icmp', 'icmpv6'].includes(protocol) &&
      (ports === null || includesPort(ports, port)),
  )
  return block === undefined ? null : `the rule "${block.name}" may block it`
}

function uplinkObstacle(wan: SiteState['wan']): string | null {
  if (wan === null) return 'the uplinks could not be read'
  const addresses = wan.flatMap(({ address }) => address ?? [])
  if (addresses.length === 0) return 'the uplink has no address'
  return addresses.every((address) => isBehindAnother(address))
    ? `the uplink's own address ${addresses[0]} is not public: another router stands before it`
    : null
}
