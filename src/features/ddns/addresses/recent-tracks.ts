/** What the flap guard has to know after a restart, from the history of a host and from what waits for it. Pure. */
import { CARRIED_OVER, type ManagedType, type ReportedAddress } from '../../../model/network/dns.ts'
import type { AddressChange, PendingAddress } from '../records.ts'
import type { Track, Tracks, Turn } from './flap-guard.ts'

export interface Remembered {
  /** Newest first, as the store gives it. */
  readonly history: readonly AddressChange[]
  readonly pending: readonly PendingAddress[]
}

export function tracksOf(reported: ReportedAddress, remembered: Remembered): Tracks {
  return { A: track('A', reported.ipv4, remembered), AAAA: track('AAAA', reported.ipv6, remembered) }
}

/**
 * What was carried over is no change of a gateway's. A hold is known by the address that waits for its end; where none
 * does, it shows again by itself, within the ten minutes that the turns are from.
 */
function track(type: ManagedType, address: string | null, { history, pending }: Remembered): Track {
  const changes = history
    .filter((change) => change.type === type && change.actor !== CARRIED_OVER)
    .toReversed()
  const turns = changes.map((change, i): Turn => ({
    from: changes[i - 1]?.address ?? null,
    to: change.address,
    at: change.at,
  }))
  const waiting = pending.find((one) => one.type === type)
  const hold = waiting?.is_held === true ? { asked: waiting.address, since: waiting.asked_at } : null
  return { address, turns, cooling: hold === null ? (waiting?.address ?? null) : null, hold }
}
