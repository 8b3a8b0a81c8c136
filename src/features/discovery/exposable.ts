/**
 * How likely it is that somebody wants a domain for something that has none, and why. Pure. A network has more phones than
 * services: without an order, what is worth a domain drowns in what is not.
 */
import type { Container, LanHost } from './model/lab-port.ts'
import type { PlacedGuest } from './guests.ts'
import { hostRuleOf, isWebPort, mayBeWeb } from './suggest.ts'
import { LIKELIHOODS, type Unexposed } from './views.ts'

/** `why` is one sentence without its end. */
type Exposability = Pick<Unexposed, 'likelihood' | 'why'>

/** The name of an image without registry, tag and digest. */
export const imageOf = (image: string | null): string =>
  (image ?? '')
    .split('@')[0]!
    .replace(/:[^:/]*$/, '')
    .split('/')
    .at(-1)!
    .toLowerCase()

/** What must not be behind the proxy: the proxy itself, and whatever hands out the Docker host. */
function isNeverExposed({ image }: Container): string | null {
  const name = imageOf(image)
  if (name === 'traefik') return 'it looks like the proxy itself'
  return /socket-?proxy$/.test(name) ? 'it gives access to Docker: whoever reaches it owns the host' : null
}

/** Null for one that is no candidate at all. */
export function evaluateContainer(
  container: Container,
): (Exposability & { readonly is_offered: boolean }) | null {
  const tcp = container.ports.filter(({ protocol }) => protocol === 'tcp')
  if (container.state !== 'running' || tcp.length === 0) return null
  const never = isNeverExposed(container)
  if (never !== null) return { likelihood: 'low', why: never, is_offered: false }
  const offered = (likelihood: Exposability['likelihood'], why: string) => ({
    likelihood,
    why,
    is_offered: true,
  })
  const named = hostRuleOf(container.labels)
  if (named !== null) return offered('high', `its labels name ${named}`)
  const web = tcp.filter(({ private_port }) => mayBeWeb(private_port))
  const usual = web.find(({ private_port }) => isWebPort(private_port))
  const published = web.find(({ public_port }) => public_port !== null)
  if (web.length === 0) return offered('low', 'none of its ports is one of the web')
  if (published === undefined)
    return offered(usual === undefined ? 'low' : 'medium', 'its ports are not published')
  const best = web.find(({ public_port, private_port }) => public_port !== null && isWebPort(private_port))
  const { public_port, private_port } = best ?? published
  return offered(
    best === undefined ? 'medium' : 'high',
    `it publishes ${public_port} for its port ${private_port}`,
  )
}

/** @param container_hosts addresses of hosts whose containers are listed one by one */
export function evaluateGuest(
  { guest }: PlacedGuest,
  container_hosts: ReadonlySet<string>,
): Exposability | null {
  if (guest.state !== 'running') return null
  if (guest.addresses.some((address) => container_hosts.has(address)))
    return { likelihood: 'low', why: 'its containers are listed by themselves' }
  return guest.addresses.length === 0
    ? { likelihood: 'low', why: guest.detail ?? 'it has no address' }
    : { likelihood: 'medium', why: 'it runs; which ports it serves is not known' }
}

/** @param listed_elsewhere MACs and addresses of guests, which are listed by themselves */
export function evaluateClient(
  { kind, online, guest, mac, address, wired }: LanHost,
  { container_hosts, listed_elsewhere }: Elsewhere,
): Exposability | null {
  if (!online || kind !== 'client' || guest) return null
  if (listed_elsewhere.has(mac) || (address !== null && listed_elsewhere.has(address))) return null
  if (address !== null && container_hosts.has(address))
    return { likelihood: 'low', why: 'its containers are listed by themselves' }
  return wired === true
    ? { likelihood: 'medium', why: 'it is wired; which ports it serves is not known' }
    : { likelihood: 'low', why: 'few that are not wired serve anything' }
}

export interface Elsewhere {
  readonly container_hosts: ReadonlySet<string>
  readonly listed_elsewhere: ReadonlySet<string>
}

export const elsewhereOf = (
  places: readonly (string | null)[],
  guests: readonly PlacedGuest[],
): Elsewhere => ({
  container_hosts: new Set(places.flatMap((address) => address ?? [])),
  listed_elsewhere: new Set(guests.flatMap(({ guest: { macs, addresses } }) => [...macs, ...addresses])),
})

/** The likeliest first, then in the order of the sources. */
export const inOrder = (all: readonly Unexposed[]): readonly Unexposed[] =>
  LIKELIHOODS.flatMap((likelihood) => all.filter((one) => one.likelihood === likelihood))
