/** What runs, as it is told: each thing with the domains that lead to it. Pure. */
import type { Container } from './model/lab-port.ts'
import type { PlacedGuest } from './guests.ts'
import type { DomainMatch } from './model/match.ts'
import type { ContainerView, GuestView } from './views.ts'

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
