/** When each machine showed its host key last, as long as this process runs: what is known is no older than it seems. */
import type { Clock, Instant } from '../../kernel/clock.ts'
import type { ContactHost, HostPlace } from './contact-port.ts'

export interface LastContacts {
  readonly contact: ContactHost
  /** Null where it showed none since the start. */
  readonly at: (place: Pick<HostPlace, 'host' | 'port'>) => Instant | null
}

export function lastContacts(contact: ContactHost, clock: Clock): LastContacts {
  const seen = new Map<string, Instant>()
  const keyOf = ({ host, port }: Pick<HostPlace, 'host' | 'port'>): string => `${port} ${host}`
  return {
    contact: async (place, signal) => {
      const found = await contact(place, signal)
      if (found.known) seen.set(keyOf(place), clock.now())
      return found
    },
    at: (place) => seen.get(keyOf(place)) ?? null,
  }
}
