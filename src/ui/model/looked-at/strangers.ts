/** Connected clients that no source knows, as rows: strangers, and those on whom nothing can be decided. Pure. */
import type { RogueCheck } from '../../api/companions/network.ts'
import type { Lamp } from '../lamps.ts'
import { statesOf, type ListingFields } from '../table/listing.ts'

export interface Stranger {
  readonly key: string
  readonly name: string
  /** False where a source that could not be read may know it. */
  readonly decided: boolean
  readonly of: RogueCheck['rogue'][number]
}

export const STRANGER_STATES = [
  ['stranger', 'Strangers'],
  ['undecided', 'Not decided'],
] as const

export function strangerRows(
  check: Pick<RogueCheck, 'rogue' | 'undecided'> | undefined,
): readonly Stranger[] {
  if (check === undefined) return []
  const rows = (of: RogueCheck['rogue'], decided: boolean) =>
    of.map((one) => ({
      key: `${one.controller} ${one.site} ${one.mac}`,
      name: one.hostname ?? one.vendor ?? 'Nameless',
      decided,
      of: one,
    }))
  return [...rows(check.rogue, true), ...rows(check.undecided, false)]
}

export const strangerLamp = ({ decided }: Pick<Stranger, 'decided'>): Lamp => (decided ? 'drift' : 'unknown')

export const STRANGER_FIELDS: ListingFields<Stranger> = {
  words: ({ name, of }) => [name, of.mac, of.address, of.vendor, of.network].join(' '),
  keys: {
    network: ({ of }) => [of.network],
    site: ({ of }) => [of.site],
    vendor: ({ of }) => [of.vendor],
    vlan: ({ of }) => [of.vlan === null ? null : String(of.vlan)],
  },
  is: {
    ...statesOf(STRANGER_STATES, ({ decided }: Stranger) => (decided ? 'stranger' : 'undecided')),
    random: ({ of }) => of.randomized,
    guest: ({ of }) => of.guest,
    wired: ({ of }) => of.wired === true,
  },
}
