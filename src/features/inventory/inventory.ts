/** What the inventory knows and offers: the estate of now, numbers and addresses nobody has. */
import type { Clock } from '../../kernel/clock.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { type Cidr, parseCidr } from '../../model/network/cidr.ts'
import type { SourceKind } from '../discovery/model/lab-port.ts'
import { evaluateAddress } from './addresses/evaluate.ts'
import { gatewayOf, poolsOf, reservedOf, single } from './addresses/networks.ts'
import { nextAddress } from './addresses/next.ts'
import { isIn } from './estate/conflicts.ts'
import { ADDRESS_SOURCES, addressGapsIn, type Estate, gapsIn, isConfigured } from './estate/estate.ts'
import { Offers } from './offers.ts'
import {
  addressFor,
  DEFAULT_TEMPLATE,
  parseAddressScheme,
  type PlannedAddress,
} from './numbers/address-scheme.ts'
import { decoded, type Numbering } from './numbers/evaluate.ts'
import { numberedNodes, numberOf } from './numbers/names.ts'
import { nextVmids, type NextVmid } from './numbers/next.ts'
import { decode, encode, most } from './numbers/scheme.ts'
import type { inventory } from './settings.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { EvaluatedAddress, OfferedAddress } from './views.ts'

export type InventorySettings = ValuesOf<typeof inventory>

export interface Wish {
  /** Who asks: an offer is held for them. */
  readonly holder: string
  /** 0: nothing is held. */
  readonly hold_s: number
  /** Offer although a source is not whole. */
  readonly incomplete: boolean
}

export interface PlaceWish extends Wish {
  readonly node: string | null
  readonly purpose: string | null
}

const NUMBER_SOURCES: readonly SourceKind[] = ['proxmox']

export class Inventory {
  readonly #settings: InventorySettings
  readonly #read: () => Promise<Estate>
  readonly #vmids: Offers<number>
  readonly #addresses: Offers<string>

  constructor(settings: InventorySettings, read: () => Promise<Estate>, clock: Clock) {
    this.#settings = settings
    this.#read = read
    this.#vmids = new Offers(clock)
    this.#addresses = new Offers(clock)
  }

  estate(): Promise<Estate> {
    return this.#read()
  }

  get settings(): InventorySettings {
    return this.#settings
  }

  numbering({ nodes: seen }: Estate): Numbering {
    const { scheme, nodes, purposes, address } = this.#settings
    const set = new Map(nodes.map(({ number, name }) => [number, name]))
    const listed =
      seen === null
        ? null
        : numberedNodes(
            seen.map(({ name }) => name),
            most(scheme.node),
          )
    return {
      scheme,
      nodes: nodes.length > 0 ? set : listed,
      purposes: new Map(purposes.map(({ number, name }) => [number, name])),
      address: address ?? parseAddressScheme(DEFAULT_TEMPLATE)!,
    }
  }

  /** Null while that is not known. */
  isComplete(estate: Estate, kinds: readonly SourceKind[]): boolean | null {
    return isConfigured(estate, kinds) ? gapsIn(estate, kinds).length === 0 : null
  }

  /** Whether all addresses in use are known; null while nothing is configured. */
  #knowsAddresses(estate: Estate): boolean | null {
    return isConfigured(estate, ADDRESS_SOURCES) ? addressGapsIn(estate).length === 0 : null
  }

  /**
   * The lowest free numbers. Where the purpose or node is left out, the first of each that has room.
   * Throws `validation_failed`, `component_unavailable` while not all numbers in use are known, `conflict` where it is full.
   */
  async next(wish: PlaceWish, count: number): Promise<OfferedVmids> {
    const estate = await this.#read()
    this.#assertWhole(estate, NUMBER_SOURCES, wish, gapsIn(estate, NUMBER_SOURCES))
    const numbering = this.numbering(estate)
    const places = this.#placesOf(numbering, wish, estate)
    const found: NextVmid[] = []
    const isAddressFree = this.#freeAddresses(estate, wish)
    for (const place of places) {
      if (found.length >= count) break
      const isOffered = (vmid: number) => this.#vmids.isKept(vmid, keptFor(wish))
      const reserved = this.#settings.vmid_reserved
      const asked = { used: estate.vmids, reserved, isOffered, isAddressFree, count: count - found.length }
      found.push(...nextVmids(numbering, place, asked))
    }
    if (found.length === 0) throw new Failure('conflict', fullWords(numbering, wish))
    if (wish.hold_s > 0) for (const one of found) this.#hold(one, wish)
    const complete = this.isComplete(estate, NUMBER_SOURCES)
    return { vmids: found, complete, as_of: estate.checked_at }
  }

  /** A number with its address. */
  #hold({ vmid, address }: NextVmid, { holder, hold_s }: Wish): void {
    this.#vmids.hold(holder, vmid, hold_s * 1000)
    if (address !== null) this.#addresses.hold(holder, address, hold_s * 1000)
  }

  /** Whether `nextAddress` would offer it. */
  #freeAddresses(estate: Estate, wish: Wish): (planned: PlannedAddress) => boolean {
    if (!wish.incomplete && this.#knowsAddresses(estate) !== true) return () => false
    const used = new Set(estate.claims.map(({ address }) => address))
    return ({ address, network }) => {
      const { skipped } = this.#passedOver(estate, parseCidr(network)!)
      return !used.has(address) && !isIn(skipped, address) && !this.#addresses.isKept(address, keptFor(wish))
    }
  }

  /** What is offered to nobody. */
  #passedOver(estate: Estate, network: Cidr) {
    const gateway = gatewayOf(network, estate)
    const { ip_reserved, ip_shared } = this.#settings
    const own = gateway === null ? [] : [single(gateway)]
    return {
      gateway,
      skipped: [...ip_reserved, ...ip_shared, ...poolsOf(estate), ...reservedOf(estate), ...own],
    }
  }

  #placesOf(numbering: Numbering, { node, purpose }: PlaceWish, estate: Estate) {
    const { nodes, purposes } = numbering
    if (nodes === null)
      throw new Failure(
        'component_unavailable',
        `Which nodes there are is not known: ${gapsIn(estate, NUMBER_SOURCES).join('; ') || 'no cluster is configured'}. PLUMBLINE_VMID_NODES names them whatever answers.`,
      )
    const node_setting = { field: 'node', setting: 'PLUMBLINE_VMID_NODES' }
    const purpose_setting = { field: 'purpose', setting: 'PLUMBLINE_VMID_PURPOSES' }
    const node_numbers =
      node === null ? [...nodes.keys()] : [numberOf(nodes, { ...node_setting, text: node })]
    const purpose_numbers =
      purpose === null ? [...purposes.keys()] : [numberOf(purposes, { ...purpose_setting, text: purpose })]
    return node_numbers.flatMap((one) => purpose_numbers.map((other) => ({ node: one, purpose: other })))
  }

  /** Throws `component_unavailable` with the names of what is not known. */
  #assertWhole(
    estate: Estate,
    kinds: readonly SourceKind[],
    { incomplete }: Wish,
    gaps: readonly string[],
  ): void {
    if (incomplete || (gaps.length === 0 && isConfigured(estate, kinds))) return
    const why = gaps.length === 0 ? `none of ${kinds.map(settingOf).join(', ')} is set` : gaps.join('; ')
    throw new Failure(
      'component_unavailable',
      `What is in use is not known in whole, so nothing is offered as free: ${why}. allow_incomplete=true offers what nobody is seen to have.`,
    )
  }

  /** Throws as `next` does; `conflict` where the network is full. */
  async nextAddress(network: Cidr, wish: Wish): Promise<OfferedAddress> {
    const estate = await this.#read()
    this.#assertWhole(estate, ADDRESS_SOURCES, wish, addressGapsIn(estate))
    const { gateway, skipped } = this.#passedOver(estate, network)
    const isOffered = (address: string) => this.#addresses.isKept(address, keptFor(wish))
    const { address, free } = nextAddress(network, { used: estate.used, skipped, isOffered })
    if (address === null)
      throw new Failure(
        'conflict',
        `No address of ${network.cidr} is free: each is used, leased, reserved or held.`,
      )
    if (wish.hold_s > 0) this.#addresses.hold(wish.holder, address, wish.hold_s * 1000)
    return {
      address,
      network: network.cidr,
      gateway,
      free,
      complete: this.#knowsAddresses(estate),
      silent_guests: silentGuests(estate),
    }
  }

  /** The network of a node and a purpose, as the address scheme says. Throws as `next` does. */
  async networkOf(wish: PlaceWish): Promise<Cidr> {
    const estate = await this.#read()
    const numbering = this.numbering(estate)
    const [place] = this.#placesOf(numbering, wish, estate)
    const planned = firstPlanned(numbering, place!)
    if (planned === null)
      throw new Failure(
        'conflict',
        'The address scheme (PLUMBLINE_VMID_IP) gives no network to that node and purpose.',
      )
    return parseCidr(planned.network)!
  }

  reservedVmid(vmid: number): boolean {
    return this.#settings.vmid_reserved.some(({ first, last }) => vmid >= first && vmid <= last)
  }

  /** The address scheme, as it is written. */
  get template(): string {
    return this.#settings.address?.template ?? DEFAULT_TEMPLATE
  }

  /** Null outside of the scheme, and where it gives no address of a host. */
  plannedAddress(estate: Estate, vmid: number): PlannedAddress | null {
    const numbering = this.numbering(estate)
    const parts = decode(numbering.scheme, vmid)
    if (parts === null || decoded(numbering, vmid).in_scheme === false) return null
    const planned = addressFor(numbering, vmid, parts)
    if (planned === null) return null
    return { ...planned, gateway: gatewayOf(parseCidr(planned.network)!, estate) }
  }

  /** Null: nobody is seen to have it, and not all that there is can be seen. */
  isAddressUsed(estate: Estate, address: string): boolean | null {
    if (estate.claims.some((claim) => claim.address === address)) return true
    return this.#knowsAddresses(estate) === true ? false : null
  }

  /** Throws `validation_failed` for what is no address. */
  evaluateAddress(estate: Estate, vmid: number, text: string): EvaluatedAddress {
    const address = canonicalAddress(text)
    if (address === null)
      throw invalid([fieldError(['query', 'ip'], 'must be an IPv4 or IPv6 address', 'ip_address')])
    const expected = this.plannedAddress(estate, vmid)?.address ?? null
    const { ip_reserved: reserved } = this.#settings
    const is_whole = this.#knowsAddresses(estate) === true
    return evaluateAddress(estate, address, { vmid, expected, reserved, is_whole })
  }
}

/** Who looks again sees the offer that is kept for them; who wants one kept gets a further one: jobs share a key. */
const keptFor = ({ holder, hold_s }: Wish): string | null => (hold_s > 0 ? null : holder)

export interface OfferedVmids {
  /** At least one. */
  readonly vmids: readonly NextVmid[]
  /** Of the reading that they were found in, as is its time. */
  readonly complete: boolean | null
  readonly as_of: string | null
}

const settingOf = (kind: SourceKind): string =>
  ({ proxmox: 'PLUMBLINE_PROXMOX', unifi: 'PLUMBLINE_UNIFI_URL', docker: 'PLUMBLINE_DOCKER_HOSTS' })[kind]

const fullWords = ({ scheme }: Numbering, { node, purpose }: PlaceWish): string =>
  `No VMID is free for node ${node ?? 'any'} and purpose ${purpose ?? 'any'} in the scheme ${scheme.letters}: each is used, reserved or held.`

/** The address of the first number of a place that has one: a template may give none to the very first. */
function firstPlanned(
  numbering: Numbering,
  place: { readonly node: number; readonly purpose: number },
): PlannedAddress | null {
  const { scheme } = numbering
  const last = Math.min(most(scheme.sequence), MAX_TRIED)
  for (let sequence = 0; sequence <= last; sequence++) {
    const vmid = encode(scheme, { ...place, sequence })
    const planned = vmid === null ? null : addressFor(numbering, vmid, { ...place, sequence })
    if (planned !== null) return planned
  }
  return null
}

const MAX_TRIED = 10_000

/** A card that the network sees has that address; of what else a guest has, only it could tell. */
function silentGuests({ cluster_guests, hosts }: Estate): readonly string[] {
  const seen = new Set(hosts.flatMap(({ mac, address }) => (address === null ? [] : [mac])))
  const isSilent = ({ guest: { detail, macs } }: Estate['cluster_guests'][number]) =>
    detail !== null && (macs.length === 0 || !macs.every((mac) => seen.has(mac)))
  return cluster_guests.filter(isSilent).map(({ guest }) => guest.name)
}
