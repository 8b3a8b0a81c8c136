/**
 * What the name servers of a zone answer for a name, asked directly and without recursion: a witness beside the provider.
 *
 * Contract: never what a wildcard makes up. A server that is silent, or not in charge of the zone, says nothing and holds
 * nobody up for longer than some seconds; so an empty answer proves nothing. Waits end by the signal.
 */
import type { ListedRrset } from '../../../model/network/dns.ts'
import type { NamedTypes } from '../providers/port.ts'

export interface ServedRecords {
  at(zone: string, wanted: NamedTypes, signal: AbortSignal): Promise<readonly ServedRrset[]>
}

export interface ServedRrset extends Pick<ListedRrset, 'name' | 'type' | 'ttl' | 'values'> {
  /** The server that answered it: `192.0.2.53:53`. */
  readonly server: string
}
