/** What discovery sees of guests, as far as SSH targets go. */
import { canonicalAddress, isLoopback } from '../../model/network/address.ts'
import { lanHostsOf, placedGuests } from '../discovery/guests.ts'
import { lookAtClusters, lookAtControllers } from '../discovery/looks.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import type { SeenGuests } from './model/sync.ts'

/** A guest with this tag is no target. */
const EXCLUDED = 'no-ssh'

export async function seenGuests(lab: DiscoveryService): Promise<SeenGuests> {
  const [clusters, controllers] = await Promise.all([lookAtClusters(lab), lookAtControllers(lab)])
  const whole = new Set(
    clusters.flatMap(({ name, look }) =>
      look.known && look.state.missing === null && look.state.unreadable === 0 ? [name] : [],
    ),
  )
  return {
    whole,
    complete: clusters.length === 0 ? null : whole.size === clusters.length,
    guests: placedGuests(clusters, lanHostsOf(controllers)).map(({ at, guest }) => ({
      cluster: at,
      vmid: guest.vmid,
      name: guest.name,
      is_running: guest.state === 'running',
      addresses: reachable([...guest.fixed, ...guest.addresses]),
      is_excluded: guest.tags.some((tag) => tag.toLowerCase() === EXCLUDED),
    })),
  }
}

/** Addresses of one link alone, of several, or of none lead nowhere from the gateway. */
const NOWHERE = /^(?:0\.|169\.254\.|22[4-9]\.|2[345]\d\.|::$|fe[89ab]|ff)/

/** IPv4 first: what a guest has of IPv6 is often for a day alone. */
function reachable(all: readonly string[]): readonly string[] {
  const fit = all.flatMap((text) => {
    const address = canonicalAddress(text)
    return address === null || isLoopback(address) || NOWHERE.test(address) ? [] : [address]
  })
  const isSix = (address: string) => address.includes(':')
  return [...new Set([...fit.filter((one) => !isSix(one)), ...fit.filter(isSix)])]
}
