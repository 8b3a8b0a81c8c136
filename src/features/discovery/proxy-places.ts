/** Where the proxy is reached in the network, from what somebody set and from what runs. Pure. */
import type { ProxyPlace } from './model/lab-port.ts'
import type { PlacedContainer } from './placed.ts'
import { imageOf } from './exposable.ts'
import { reachesOf } from './model/match.ts'

/** Containers of Traefik, at the addresses on which their ports are published. */
export function proxyContainers(containers: readonly PlacedContainer[]): readonly ProxyPlace[] {
  const ours = containers.filter(
    ({ container: { image, state } }) => state === 'running' && imageOf(image) === 'traefik',
  )
  return ours.flatMap(({ at, place, container }) => {
    const ports = new Map<string, Set<number>>()
    for (const { host, port, is_name } of reachesOf(container, place))
      if (!is_name) ports.set(host, (ports.get(host) ?? new Set()).add(port))
    const source = `the container ${container.name} of ${at}`
    return [...ports].map(([address, own]) => ({ address, ports: own, source }))
  })
}
