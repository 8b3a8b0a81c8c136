/**
 * What cannot both be right: one address with two holders, one number in two clusters, one card on two guests, an address
 * where the network says otherwise. Pure, and linear in what there is.
 */
import type { PlacedGuest } from '../../discovery/guests.ts'
import type { Lan, LanHost } from '../../discovery/model/lab-port.ts'
import { addressNumber } from '../../../model/network/cidr.ts'
import { decoded, type Numbering } from '../numbers/evaluate.ts'
import type { AddressRange } from '../settings.ts'
import { type Claim, guestsByMac, shownClaim } from './claims.ts'
import type { GuestPlace, AddressConflict, VmidConflict, MacConflict, NetworkConflict } from './views.ts'

export interface Conflicts {
  readonly ip: readonly AddressConflict[]
  readonly vmid: readonly VmidConflict[]
  readonly mac: readonly MacConflict[]
  readonly network: readonly NetworkConflict[]
}

/** What holds a number: a guest, or a template. */
export interface NumberHolder extends GuestPlace {
  readonly template: boolean
  readonly online: boolean
}

export interface ConflictInput {
  readonly claims: readonly Claim[]
  readonly guests: readonly PlacedGuest[]
  readonly numbers: readonly NumberHolder[]
  readonly lans: readonly Lan[]
  readonly hosts: readonly LanHost[]
  /** Several may hold these. */
  readonly shared: readonly AddressRange[]
  /** Null: nobody said which address goes with a number, so none is out of place. */
  readonly numbering: Numbering | null
}

export function conflictsOf(input: ConflictInput): Conflicts {
  const network = networkOf(input)
  return {
    ip: addressConflicts(input),
    vmid: vmidConflicts(input),
    mac: macConflicts(input),
    network: input.guests.flatMap((placed) => networkConflicts(placed, network)),
  }
}

function addressConflicts({ claims, shared }: ConflictInput): readonly AddressConflict[] {
  const by_address = Map.groupBy(
    // What somebody had once and does not have now is free for the next.
    claims.filter(({ owner, online, fixed }) => owner !== null && (online || fixed)),
    ({ address }) => address,
  )
  const found: AddressConflict[] = []
  for (const [address, all] of by_address) {
    if (all.length < 2 || new Set(all.map(({ owner }) => owner)).size < 2 || isIn(shared, address)) continue
    const online = new Set(all.filter((claim) => claim.online).map(({ owner }) => owner))
    found.push({ address, severity: online.size > 1 ? 'error' : 'warning', holders: all.map(shownClaim) })
  }
  return found.toSorted((a, b) => compare(addressNumber(a.address), addressNumber(b.address)))
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export function isIn(ranges: readonly AddressRange[], address: string): boolean {
  if (ranges.length === 0) return false
  const family = address.includes(':') ? 6 : 4
  const number = addressNumber(address)
  return ranges.some((range) => range.family === family && number >= range.first && number <= range.last)
}

function vmidConflicts({ numbers }: ConflictInput): readonly VmidConflict[] {
  const found: VmidConflict[] = []
  for (const [vmid, all] of Map.groupBy(numbers, (holder) => holder.vmid)) {
    if (all.length < 2 || clustersOf(all) < 2) continue
    const severity = clustersOf(all.filter(({ online }) => online)) > 1 ? 'error' : 'warning'
    found.push({ vmid, severity, holders: all.map(placeOnly) })
  }
  return found.toSorted((a, b) => a.vmid - b.vmid)
}

const clustersOf = (holders: readonly NumberHolder[]): number =>
  new Set(holders.map(({ cluster }) => cluster)).size

const placeOnly = ({ cluster, id, vmid, name, node }: GuestPlace): GuestPlace => ({
  cluster,
  id,
  vmid,
  name,
  node,
})

const placeOf = ({ at, guest }: PlacedGuest): GuestPlace => placeOnly({ cluster: at, ...guest })

function macConflicts({ guests }: ConflictInput): readonly MacConflict[] {
  const twice = [...guestsByMac(guests)].flatMap(([mac, placed]) => (placed === null ? [mac] : []))
  if (twice.length === 0) return []
  const cards = guests.flatMap((placed) => placed.guest.macs.map((mac) => ({ mac, placed })))
  const by_mac = Map.groupBy(cards, ({ mac }) => mac)
  return twice.toSorted().map((mac) => {
    const holders = by_mac.get(mac)!.map(({ placed }) => placed)
    const running = holders.filter(({ guest }) => guest.state === 'running')
    return { mac, severity: running.length > 1 ? 'error' : 'warning', holders: holders.map(placeOf) }
  })
}

interface Network {
  readonly pools: readonly { readonly lan: Lan; readonly first: bigint; readonly last: bigint }[]
  readonly leases: ReadonlyMap<string, string>
  readonly numbering: Numbering | null
}

const networkOf = ({ lans, hosts, numbering }: ConflictInput): Network => ({
  pools: lans.flatMap((lan) =>
    lan.dhcp === null
      ? []
      : [{ lan, first: addressNumber(lan.dhcp.first), last: addressNumber(lan.dhcp.last) }],
  ),
  leases: new Map(
    hosts.flatMap(({ mac, fixed_address }) =>
      fixed_address === null ? [] : [[mac, fixed_address] as const],
    ),
  ),
  numbering,
})

function networkConflicts(placed: PlacedGuest, network: Network): readonly NetworkConflict[] {
  const leased = placed.guest.macs.flatMap((mac) => network.leases.get(mac) ?? [])
  return [
    ...inPools(placed, leased, network.pools),
    ...besideLeases(placed, leased),
    ...outOfScheme(placed, network.numbering),
  ]
}

const inPools = (placed: PlacedGuest, leased: readonly string[], pools: Network['pools']) =>
  placed.guest.fixed.flatMap((address): readonly NetworkConflict[] => {
    const pool = poolWith(address, pools)
    if (pool === undefined || leased.includes(address)) return []
    const why = `It is set by hand within the range that ${pool.lan.name} leases to anybody.`
    const common = { reason: 'in_dhcp_pool', severity: 'warning', address, expected: null } as const
    return [{ ...common, holder: placeOf(placed), why }]
  })

function poolWith(address: string, pools: Network['pools']) {
  if (address.includes(':')) return undefined
  return pools.find(({ first, last }) => {
    const number = addressNumber(address)
    return number >= first && number <= last
  })
}

const besideLeases = (placed: PlacedGuest, leased: readonly string[]) =>
  leased.flatMap((expected): readonly NetworkConflict[] => {
    const { addresses } = placed.guest
    const [address] = addresses
    if (address === undefined || addresses.includes(expected)) return []
    const why = 'The controller keeps another address for its card.'
    const common = { reason: 'fixed_lease_differs', severity: 'warning', address, expected } as const
    return [{ ...common, holder: placeOf(placed), why }]
  })

function outOfScheme(placed: PlacedGuest, numbering: Numbering | null): readonly NetworkConflict[] {
  if (numbering === null) return []
  const { guest } = placed
  const { in_scheme, address: expected } = decoded(numbering, guest.vmid)
  const [address] = guest.addresses
  if (in_scheme !== true || expected === null || address === undefined) return []
  if (guest.addresses.includes(expected)) return []
  const why = `PLUMBLINE_VMID_IP gives ${expected} to ${guest.vmid}.`
  return [{ reason: 'not_by_scheme', severity: 'warning', address, expected, holder: placeOf(placed), why }]
}
