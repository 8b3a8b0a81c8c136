/** Who has which address, of all sources in one list. Pure. */
import { isIP } from 'node:net'
import type { PlacedGuest } from '../../discovery/guests.ts'
import type { Container, ControllerState, HostPlace, Lan, LanHost } from '../../discovery/model/lab-port.ts'
import type { Pointing } from '../../discovery/model/match.ts'
import { canonicalAddress, parseAddress } from '../../../model/network/address.ts'
import type { CLAIM_SOURCES } from './views.ts'

export interface Claim {
  readonly address: string
  readonly source: (typeof CLAIM_SOURCES)[number]
  /** Name of the cluster, controller or host; of a domain, its name. */
  readonly at: string
  readonly name: string
  readonly vmid: number | null
  readonly mac: string | null
  readonly online: boolean
  /** By configuration or a lease of its own: it is in use whether anybody is online or not. */
  readonly fixed: boolean
  /**
   * Whose it is: two claims with one are of one thing, whichever source told them. Null where the claim says nothing of who
   * answers there.
   */
  readonly owner: string | null
}

/** A claim as it is told. */
export type ShownClaim = Omit<Claim, 'address' | 'fixed' | 'owner'>

export const shownClaim = ({ source, at, name, vmid, mac, online }: Claim): ShownClaim => ({
  source,
  at,
  name,
  vmid,
  mac,
  online,
})

export interface PlacedController {
  readonly at: string
  readonly state: ControllerState
}

export interface Sources {
  readonly guests: readonly PlacedGuest[]
  readonly templates: readonly PlacedGuest[]
  readonly controllers: readonly PlacedController[]
  readonly hosts: readonly {
    readonly name: string
    readonly place: HostPlace
    readonly containers: readonly Container[]
  }[]
  readonly domains: readonly Pointing[]
  /** What is reached through the SSH gateway because a setting lists it. */
  readonly listed: readonly { readonly name: string; readonly host: string }[]
}

const ownerOfGuest = ({ at, guest }: PlacedGuest): string => `guest ${at} ${guest.id}`

export function claimsOf({
  guests,
  templates,
  controllers,
  hosts,
  domains,
  listed,
}: Sources): readonly Claim[] {
  const by_mac = guestsByMac(guests)
  return [
    ...guests.flatMap((placed) => claimsOfGuest(placed)),
    ...templates.flatMap((placed) => claimsOfTemplate(placed)),
    ...controllers.flatMap((controller) => claimsOfController(controller, by_mac)),
    ...hosts.flatMap((host) => claimsOfDockerHost(host)),
    ...listed.flatMap((target) => claimsOfListed(target)),
    ...domains.flatMap((domain) => claimsOfDomain(domain)),
  ]
}

/** Nobody answers for a template, and what is made of it may have its address: in use, and no conflict. */
const claimsOfTemplate = (placed: PlacedGuest): readonly Claim[] =>
  claimsOfGuest(placed).map((claim) => ({ ...claim, online: false, fixed: false }))

const claimsOfController = (
  { at, state }: PlacedController,
  by_mac: ReadonlyMap<string, PlacedGuest | null>,
): readonly Claim[] =>
  state.sites.flatMap(({ lans, hosts }) => [
    ...hosts.flatMap((host) => claimsOfHost(at, host, by_mac)),
    ...lans.map((lan) => claimOfGateway(at, lan)),
  ])

function claimsOfDockerHost({ name, place, containers }: Sources['hosts'][number]): readonly Claim[] {
  const address = canonicalAddress(place.address ?? '')
  const own = address === null ? [] : [{ ...NOBODY, address, source: 'docker' as const, at: name, name }]
  return [...own, ...containers.flatMap((container) => claimsOfContainer(name, container))]
}

function claimsOfListed({ name, host }: Sources['listed'][number]): readonly Claim[] {
  const address = isIP(host) === 0 ? null : canonicalAddress(host)
  return address === null ? [] : [{ ...NOBODY, address, source: 'ssh_target', at: name, name }]
}

function claimsOfDomain({ domain, backend_host, status }: Pointing): readonly Claim[] {
  const address = isIP(backend_host ?? '') === 0 ? null : canonicalAddress(backend_host!)
  if (address === null || status === 'disabled') return []
  return [{ ...NOBODY, address, source: 'domain', at: domain, name: domain }]
}

const NOBODY = { vmid: null, mac: null, online: false, fixed: true, owner: null }

/** A MAC that several guests have says nothing of which one it is. */
export function guestsByMac(guests: readonly PlacedGuest[]): ReadonlyMap<string, PlacedGuest | null> {
  const by_mac = new Map<string, PlacedGuest | null>()
  for (const placed of guests)
    for (const mac of placed.guest.macs) by_mac.set(mac, by_mac.has(mac) ? null : placed)
  return by_mac
}

function claimsOfGuest(placed: PlacedGuest): readonly Claim[] {
  const { at, guest } = placed
  const { name, vmid, addresses, fixed, macs, state } = guest
  const online = state === 'running' || state === 'paused'
  const mac = macs.length === 1 ? macs[0]! : null
  const owner = ownerOfGuest(placed)
  return addresses.map((address) => {
    const common = { address, source: 'proxmox', at, name, vmid, mac, owner } as const
    return { ...common, online, fixed: fixed.includes(address) }
  })
}

/** A client that is a guest's card is that guest, seen from the network. */
function claimsOfHost(
  at: string,
  host: LanHost,
  by_mac: ReadonlyMap<string, PlacedGuest | null>,
): readonly Claim[] {
  const { name, mac, address, fixed_address, online } = host
  const placed = by_mac.get(mac) ?? null
  const owner = placed === null ? `mac ${mac}` : ownerOfGuest(placed)
  const vmid = placed?.guest.vmid ?? null
  const common = { source: 'unifi', at, name, vmid, mac, owner } as const
  const seen = [address, fixed_address].filter((one): one is string => one !== null && parseAddress(one).ok)
  return [...new Set(seen)].map((one) => ({
    ...common,
    address: one,
    online: online && one === address,
    fixed: one === fixed_address,
  }))
}

/** Whether its network is the host's own (macvlan, ipvlan) is not told; the bridges of many hosts have the same addresses. */
function claimsOfContainer(at: string, { name, state, networks }: Container): readonly Claim[] {
  const online = state === 'running' || state === 'paused'
  return networks.flatMap(({ addresses, fixed }) =>
    [...new Set([...addresses, ...fixed])].map((address) => ({
      ...NOBODY,
      address,
      source: 'docker' as const,
      at,
      name,
      online: online && addresses.includes(address),
      fixed: fixed.includes(address),
    })),
  )
}

const claimOfGateway = (at: string, { gateway, name }: Lan): Claim => ({
  ...NOBODY,
  address: gateway,
  source: 'gateway',
  at,
  name,
})
