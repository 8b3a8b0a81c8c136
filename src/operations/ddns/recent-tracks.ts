/** What the flap guard has to know after a restart, from the history of a host. Pure. */
import { CARRIED_OVER, type ManagedType, type ReportedAddress } from '../../model/dns.ts'
import type { AddressChange } from '../../ports/dns-records.ts'
import type { Track, Tracks, Turn } from './flap-guard.ts'

/** @param history newest first, as the store gives it */
export function tracksOf(reported: ReportedAddress, history: readonly AddressChange[]): Tracks {
  return { A: track('A', reported.ipv4, history), AAAA: track('AAAA', reported.ipv6, history) }
}

/** What was carried over is no change of a gateway's. That it was flapping is not kept: it shows again by itself, within the ten minutes that the turns are from. */
function track(type: ManagedType, address: string | null, history: readonly AddressChange[]): Track {
  const changes = history
    .filter((change) => change.type === type && change.actor !== CARRIED_OVER)
    .toReversed()
  const turns = changes.map((change, i): Turn => ({
    from: changes[i - 1]?.address ?? null,
    to: change.address,
    at: change.at,
  }))
  return { address, turns, hold: null }
}
