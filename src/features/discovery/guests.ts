/**
 * Guests with what others know of them: a network controller sees the address of a card by its MAC, also where the guest
 * itself cannot be asked. Pure.
 */
import type { Guest, Guests } from './model/guests-port.ts'
import type { ControllerState, LabLook, LanHost } from './model/lab-port.ts'

export interface PlacedGuest {
  /** Of the cluster. */
  readonly at: string
  readonly guest: Guest
}

export interface NamedLook<State> {
  readonly name: string
  readonly look: LabLook<State>
}

export const lanHostsOf = (looks: readonly NamedLook<ControllerState>[]): readonly LanHost[] =>
  looks.flatMap(({ look }) => (look.known ? look.state.sites.flatMap(({ hosts }) => hosts) : []))

export function placedGuests(
  looks: readonly NamedLook<Guests>[],
  hosts: readonly LanHost[],
): readonly PlacedGuest[] {
  const by_mac = new Map(hosts.map(({ mac, address }) => [mac, address]))
  return looks.flatMap(({ name: at, look }) =>
    look.known ? look.state.guests.map((guest) => ({ at, guest: withSeen(guest, by_mac) })) : [],
  )
}

function withSeen(guest: Guest, by_mac: ReadonlyMap<string, string | null>): Guest {
  const seen = guest.macs.flatMap((mac) => by_mac.get(mac) ?? [])
  if (seen.length === 0) return guest
  const addresses = [...new Set([...guest.addresses, ...seen])]
  return { ...guest, addresses, detail: null }
}
