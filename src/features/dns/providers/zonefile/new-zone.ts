/** The first text of a zone: SOA and NS, nothing else. */
import { Failure } from '../../../../kernel/failure.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { absoluteName, isBelow, nameToWire, normalName } from '../domain-name.ts'
import { RecordFault } from '../record-fault.ts'
import { dateSerial } from './serial.ts'

// Secondaries ask every three hours and again after one, serve on for two weeks; a name that is missing is asked for
// again after five minutes, since names appear by deploys (RFC 2308 §5).
const TIMERS = '10800 3600 1209600 300'

export interface NewZone {
  readonly zone: string
  /** Host names, at least one. */
  readonly nameservers: readonly string[]
  /** Mailbox as a name, `hostmaster.example.com`; null for that of the zone itself. */
  readonly contact: string | null
}

/** Throws `provider_refused` where no server would load the outcome. */
export function newZoneText({ zone, nameservers, contact }: NewZone, now: Instant): string {
  const servers = [...new Set(nameservers.map((server) => written(server, zone)))]
  const [primary] = servers
  if (primary === undefined) throw refused(zone, 'no name server is set for new zones')
  const inside = servers.find((server) => isBelow(server, zone))
  if (inside !== undefined)
    throw refused(
      zone,
      `its name server ${inside} lies in the zone itself and needs an address record there. Write the file once by hand`,
    )
  const mailbox = contact === null ? `hostmaster.${zone}` : written(contact, zone)
  return [
    `$TTL 3600`,
    `@\tIN\tSOA\t${absoluteName(primary)} ${absoluteName(mailbox)} ${dateSerial(now)} ${TIMERS}`,
    ...servers.map((server) => `@\tIN\tNS\t${absoluteName(server)}`),
    '',
  ].join('\n')
}

function written(name: string, zone: string): string {
  try {
    const normal = normalName(name.endsWith('.') ? name : `${name}.`, '.')
    nameToWire(normal)
    return normal
  } catch (error) {
    throw error instanceof RecordFault ? refused(zone, `a name in its settings ${error.message}`) : error
  }
}

const refused = (zone: string, why: string): Failure =>
  new Failure('provider_refused', `zonefile: the zone ${zone} cannot be made: ${why}.`)
