/** What runs, as it is told: each thing with the domains that lead to it. Pure. */
import type { ContainerState, Health } from './model/container.ts'
import type { Guest } from './model/guests-port.ts'
import type { Container } from './model/lab-port.ts'
import type { PlacedGuest } from './guests.ts'
import type { DomainMatch } from './model/match.ts'
import type { LanHostView } from './network/network.ts'

export interface ContainerView {
  readonly host: string
  readonly id: string
  readonly name: string
  readonly image: string | null
  readonly state: ContainerState
  readonly health: Health | null
  readonly project: string | null
  readonly service: string | null
  readonly networks: readonly { readonly name: string; readonly addresses: readonly string[] }[]
  readonly ports: Container['ports']
  readonly is_on_host_network: boolean
  readonly domains: readonly DomainMatch[]
}

/** Which of its addresses are fixed is for those who hand them out. */
export interface GuestView extends Omit<Guest, 'fixed'> {
  readonly cluster: string
  readonly domains: readonly DomainMatch[]
}

export interface ClientView extends LanHostView {
  readonly domains: readonly DomainMatch[]
}

export function guestView({ at, guest }: PlacedGuest, domains: readonly DomainMatch[]): GuestView {
  const { fixed: _fixed, ...shown } = guest
  return { cluster: at, ...shown, domains }
}

export const containerView = (
  host: string,
  container: Container,
  domains: readonly DomainMatch[],
): ContainerView => {
  const { id, name, image, state, health, labels, networks, ports, is_on_host_network } = container
  return {
    host,
    id,
    name,
    image,
    state,
    health,
    project: labels['com.docker.compose.project'] ?? null,
    service: labels['com.docker.compose.service'] ?? null,
    networks: networks.map(({ name: network, addresses }) => ({ name: network, addresses })),
    ports,
    is_on_host_network,
    domains,
  }
}
