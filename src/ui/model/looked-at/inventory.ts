/** What runs where, as lamps and words: assets, the use of a network, what collides and what nobody stands behind. */
import type { Assets, Conflicts, InfrastructureStatus } from '../../api/companions/inventory.ts'
import type { Lamp } from '../lamps.ts'
import { listed } from '../words.ts'

export type Asset = Assets[number]

/** One that does not run is not wrong: somebody may have stopped it. @param collides what of it collides with others */
export function assetLamp(
  { state, detail }: Pick<Asset, 'state' | 'detail'>,
  collides: readonly Pick<FaultLine, 'lamp'>[] = [],
): Lamp {
  if (collides.length > 0) return collides.some(({ lamp }) => lamp === 'bad') ? 'bad' : 'drift'
  if (state === 'running' || state === 'online') return detail === null ? 'ok' : 'unknown'
  return state === 'unknown' ? 'unknown' : 'off'
}

/** Of 100, rounded; what is used at all shows as something. */
export const usePercent = ({ size, used }: { readonly size: number; readonly used: number }): number =>
  size === 0 || used === 0 ? 0 : Math.max(1, Math.min(100, Math.round((100 * used) / size)))

export interface FaultLine {
  readonly key: string
  /** Whom it is about: addresses, and guests by cluster and number. */
  readonly about: readonly string[]
  readonly lamp: Lamp
  readonly title: string
  readonly says: string
}

const LAMP_OF = { error: 'bad', warning: 'drift' } as const

const placesOf = (holders: readonly { readonly name: string; readonly cluster: string }[]): string =>
  listed(
    holders.map(({ name, cluster }) => `${name} at ${cluster}`),
    5,
  )

/** The errors first. */
export function conflictLines({ ip, vmid, mac, network }: Conflicts): readonly FaultLine[] {
  const lines = [
    ...ip.map(({ address, severity, holders }) => ({
      key: `ip ${address}`,
      about: [address],
      lamp: LAMP_OF[severity],
      title: `${address} has several holders:`,
      says: listed(
        holders.map(({ name, at, source }) => `${name} (${source} ${at})`),
        5,
      ),
    })),
    ...vmid.map((one) => ({
      key: `vmid ${one.vmid}`,
      about: one.holders.map(guestOf),
      lamp: LAMP_OF[one.severity],
      title: `Number ${one.vmid} is taken more than once:`,
      says: placesOf(one.holders),
    })),
    ...mac.map((one) => ({
      key: `mac ${one.mac}`,
      about: one.holders.map(guestOf),
      lamp: LAMP_OF[one.severity],
      title: `One card, ${one.mac}, on several guests:`,
      says: placesOf(one.holders),
    })),
    ...network.map(({ address, severity, holder, why, reason }) => ({
      key: `network ${reason} ${holder.cluster} ${holder.id} ${address}`,
      about: [guestOf(holder)],
      lamp: LAMP_OF[severity],
      title: `${holder.name} has ${address}.`,
      says: why,
    })),
  ]
  return lines.toSorted((a, b) => Number(a.lamp !== 'bad') - Number(b.lamp !== 'bad'))
}

const guestOf = ({ cluster, vmid }: { readonly cluster: string | null; readonly vmid: number }): string =>
  `${cluster ?? ''} ${vmid}`

/** Of each asset, what of it collides; asked once for all of them. */
export function collisionsOf(conflicts: Conflicts | undefined): (asset: Asset) => readonly FaultLine[] {
  const lines = conflicts === undefined ? [] : conflictLines(conflicts)
  if (lines.length === 0) return () => NO_FAULTS
  const by = Map.groupBy(
    lines.flatMap((line) => line.about.map((who) => ({ who, line }))),
    ({ who }) => who,
  )
  return ({ addresses, cluster, vmid }) => {
    const whose = vmid === null ? addresses : [...addresses, guestOf({ cluster, vmid })]
    const found = whose.flatMap((who) => by.get(who) ?? [])
    return found.length === 0 ? NO_FAULTS : [...new Set(found.map(({ line }) => line))]
  }
}

const NO_FAULTS: readonly FaultLine[] = []

/** Null is never "none". */
export const countWords = (n: number | null): string => (n === null ? 'not known' : String(n))

interface Source {
  readonly kind: string
  readonly name: string | null
  readonly configured: boolean
  readonly known: boolean | null
  readonly detail: string | null
}

/** What is not known of the sources, one line each. */
export const gapLines = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ configured, known, detail }) => configured && (known !== true || detail !== null))
    .map(({ kind, name, detail }) => {
      const which = name === null ? kind : `${kind} ${name}`
      const why = detail ?? 'not known yet'
      // Some say the name of their source themselves.
      return `${which}: ${name !== null && why.startsWith(`${name}: `) ? why.slice(name.length + 2) : why}`
    })

/** Whether every source that is set up was read in whole: else what is not listed may be there all the same. */
export const isSeenWhole = (sources: readonly Pick<Source, 'configured' | 'known' | 'detail'>[]): boolean =>
  sources.every(({ configured, known, detail }) => !configured || (known === true && detail === null))

export const isAnySet = (sources: readonly Pick<Source, 'configured'>[]): boolean =>
  sources.some(({ configured }) => configured)

export type Networks = InfrastructureStatus['networks']

/** What Proxmox takes as the number of a guest. */
const MIN_VMID = 100
const MAX_VMID = 999_999_999

/** Why what was typed is no number of a guest, in one sentence; null while there is nothing. */
export function vmidFault(typed: string): string | null {
  if (typed === '') return null
  if (!/^\d+$/.test(typed)) return 'A number has digits only.'
  const is_one = !typed.startsWith('0') && Number(typed) >= MIN_VMID && Number(typed) <= MAX_VMID
  return is_one ? null : `A guest has a number from ${MIN_VMID} to ${MAX_VMID}.`
}
