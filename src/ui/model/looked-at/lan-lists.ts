/** What the controllers have beside clients, as words and lamps: devices and ports, the firewall, names that are to be given. */
import type { Clients, Devices, FirewallRules, SyncedNames } from '../../api/companions/network.ts'
import type { Lamp } from '../lamps.ts'
import { count } from '../words.ts'
import type { Whole } from './whole.ts'

export type Device = Whole<Devices['data'][number]>
export type Port = NonNullable<Device['port_table']>[number]
export type NetworkClient = Whole<Clients['data'][number]>
export type FirewallRule = Whole<FirewallRules['data'][number]>
type Side = FirewallRule['source']

/** UniFi's numbers: 0 is offline, 1 connected; with all others something is done to it. */
export function deviceLamp({ state }: Pick<Device, 'state'>): Lamp {
  if (state === null) return 'unknown'
  return state === 1 ? 'ok' : state === 0 ? 'bad' : 'drift'
}

/** One that is not there now may be switched off. */
export const clientLamp = ({ online }: Pick<NetworkClient, 'online'>): Lamp =>
  online === null ? 'unknown' : online ? 'ok' : 'off'

/** `1 Gbit/s`; of Mbit/s. */
export const speedText = (mbit: number | null): string =>
  mbit === null || mbit === 0 ? '' : mbit >= 1000 ? `${mbit / 1000} Gbit/s` : `${mbit} Mbit/s`

/** "up, 1 Gbit/s, 4.2 W". What is not known is not down. */
export function portText({ up, speed, poe_power }: Pick<Port, 'up' | 'speed' | 'poe_power'>): string {
  if (up === null) return 'not known'
  const power = poe_power === null || poe_power === 0 ? '' : `${poe_power} W`
  return [up ? 'up' : 'down', up ? speedText(speed) : '', power].filter(Boolean).join(', ')
}

/** Where a rule looks for, or leads to: "External 10.0.0.0/8 port 443", "any". */
export function sideText({ zone, addresses, network_ids, macs, group_ids, port }: Side): string {
  const parts = [
    zone ?? '',
    ...addresses,
    ...macs,
    network_ids.length === 0 ? '' : count(network_ids.length, 'network'),
    group_ids.length === 0 ? '' : count(group_ids.length, 'group'),
    port === null ? '' : `port ${port}`,
  ].filter(Boolean)
  return parts.length === 0 ? 'any' : parts.join(' ')
}

/** Seconds of the controller's clock, as milliseconds. */
export const seenAt = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

export const yesNo = (is: boolean | null): string => (is === null ? 'not known' : is ? 'yes' : 'no')

/** What stands in the words of a filter: all that is known. */
export const wordsOf = (...parts: readonly (string | number | null)[]): string =>
  parts.filter((one) => one !== null).join(' ')

const SKIPPED: Readonly<Record<SyncedNames['skipped'][number]['reason'], string>> = {
  never_seen: 'the network never saw it',
  ambiguous: 'two guests have this card',
  named_by_hand: 'a person gave it a name',
}
export const skippedWords = (reason: SyncedNames['skipped'][number]['reason']): string => SKIPPED[reason]

/** More names than this are written only with a word that says so. */
const MAX_UNCONFIRMED = 50

/** The query of the call that follows what was looked at: exactly as that, and for real. */
export const syncQuery = (
  { renamed }: Pick<SyncedNames, 'renamed'>,
  { overwrite }: { readonly overwrite: boolean },
): string =>
  new URLSearchParams({
    ...(overwrite && { overwrite: 'true' }),
    ...(renamed.length > MAX_UNCONFIRMED && { confirm: 'true' }),
  }).toString()
