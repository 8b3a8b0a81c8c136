/** What is answered about the estate: pure projections of one reading. */
import type { OrphansAnswer, NetworkUse } from './views.ts'
import type { Instant } from '../../kernel/clock.ts'
import { hostRange, parseCidr } from '../../model/network/cidr.ts'
import { type AssetQuery, narrowed } from './estate/asset-filter.ts'
import { type Asset, assetsOf, type UNNUMBERED, unnumberedOf } from './estate/assets.ts'
import { type Conflicts, conflictsOf } from './estate/conflicts.ts'
import { type Estate, gapsIn, isConfigured } from './estate/estate.ts'
import {
  domainsWithoutAsset,
  type OrphanKind,
  type OrphansOf,
  reservationsWithoutAsset,
} from './estate/orphans.ts'
import type { Inventory } from './inventory.ts'
import type { Orphan } from './estate/views.ts'

export interface AssetFilter extends AssetQuery {
  /** What has no number and is listed all the same. */
  readonly include: readonly (typeof UNNUMBERED)[number][]
}

/** Throws `validation_failed` for a node, purpose or cluster that is not there. */
export function listedAssets(inventory: Inventory, estate: Estate, filter: AssetFilter): readonly Asset[] {
  const numbering = inventory.numbering(estate)
  const numbered = assetsOf(estate, numbering)
  const all = filter.include.length === 0 ? numbered : [...numbered, ...unnumberedOf(estate, filter.include)]
  return narrowed(all, filter, { estate, numbering })
}

export interface Summary {
  /** Null: none was found, and not all is known. */
  readonly ok: boolean | null
  readonly complete: boolean | null
  readonly checked_at: string | null
}

const okOf = (found: number, complete: boolean | null): boolean | null =>
  found > 0 ? false : complete === true ? true : null

const known = new WeakMap<Estate, Conflicts>()

/** Found once a reading. */
export function conflictsIn(inventory: Inventory, estate: Estate): Conflicts & Summary {
  const conflicts =
    known.get(estate) ??
    conflictsOf({
      ...estate,
      guests: estate.cluster_guests,
      shared: inventory.settings.ip_shared,
      numbering: inventory.settings.address === null ? null : inventory.numbering(estate),
    })
  known.set(estate, conflicts)
  const { ip, vmid, mac, network } = conflicts
  const count = ip.length + vmid.length + mac.length + network.length
  return {
    ok: okOf(count, estate.complete),
    complete: estate.complete,
    checked_at: estate.checked_at,
    ...conflicts,
  }
}

/** What one asset has a part in, a sentence each. */
export function conflictsOfAsset(
  { ip, vmid, mac, network }: Conflicts,
  { cluster, vmid: number, addresses, macs }: Asset,
): readonly string[] {
  return [
    ...ip
      .filter(({ address }) => addresses.includes(address))
      .map(({ address, holders }) => `${address} is held by ${named(holders)}.`),
    ...vmid
      .filter((one) => one.vmid === number)
      .map((one) => `${one.vmid} is in use in ${one.holders.map((holder) => holder.cluster).join(' and ')}.`),
    ...mac
      .filter((one) => macs.includes(one.mac))
      .map((one) => `The card ${one.mac} is on ${one.holders.map(({ name }) => name).join(' and ')}.`),
    ...network
      .filter(({ holder }) => holder.cluster === cluster && holder.vmid === number)
      .map(({ address, why }) => `${address}: ${why}`),
  ]
}

const named = (holders: readonly { readonly name: string; readonly at: string }[]): string =>
  [...new Set(holders.map(({ name, at }) => `${name} (${at})`))].join(' and ')

/** Kinds of orphans that others than the estate know of; null where they are not known. */
export type KnownElsewhere = Partial<
  Record<OrphanKind, (signal: AbortSignal) => Promise<readonly Orphan[] | null>>
>

const FROM_ESTATE: Partial<Record<OrphanKind, OrphansOf>> = {
  domain_without_asset: domainsWithoutAsset,
  reservation_without_asset: reservationsWithoutAsset,
}

export async function orphansIn(
  estate: Estate,
  elsewhere: KnownElsewhere,
  { now, signal }: { readonly now: Instant; readonly signal: AbortSignal },
): Promise<OrphansAnswer> {
  const kinds = [...new Set([...Object.keys(FROM_ESTATE), ...Object.keys(elsewhere)])] as OrphanKind[]
  const looked = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      found: FROM_ESTATE[kind]?.(estate, now) ?? (await elsewhere[kind]?.(signal)) ?? null,
    })),
  )
  const orphans = looked.flatMap(({ found }) => found ?? [])
  const unknown_kinds = looked
    .filter(({ found }) => found === null)
    .map(({ kind }) => ({ kind, why: whyUnknown(kind, estate) }))
  const complete = estate.complete === null ? null : unknown_kinds.length === 0
  return {
    ok: okOf(orphans.length, complete),
    complete,
    checked_at: estate.checked_at,
    orphans,
    unknown_kinds,
  }
}

function whyUnknown(kind: OrphanKind, estate: Estate): string {
  if (kind === 'dns_record_without_domain') return 'A zone or an account of DNS cannot be read.'
  const gaps = gapsIn(estate, ['proxmox', 'unifi', 'docker'])
  if (gaps.length > 0) return `${gaps.join('; ')}.`
  return isConfigured(estate, ['proxmox', 'unifi', 'docker'])
    ? 'No source that is configured can tell.'
    : 'Nothing is configured that could tell.'
}

export function networksIn({ lans, used }: Estate): readonly NetworkUse[] {
  return lans.map(({ cidr, name, gateway, dhcp }) => {
    const network = parseCidr(cidr)!
    const { first, last } = hostRange(network)
    const within =
      network.family === 4
        ? used.four.countIn({ first: Number(first), last: Number(last) })
        : used.six.filter((one) => one >= first && one <= last).length
    return { cidr, name, gateway, size: Number(last - first + 1n), used: within, dhcp }
  })
}
