/** What a zone holds for single domains, a line for each set. Pure. */
import type { Excerpt } from '../../../engine/target.ts'
import { isInZone, type ListedRrset } from '../../../model/network/dns.ts'
import type { DnsDesired, WantedRow } from './desire.ts'
import { typeOf } from './marks/marker.ts'
import { plain } from './marks/set-text.ts'
import type { ZoneState } from './zones/zone-state.ts'

const SHOWN_TYPES = new Set(['A', 'AAAA', 'CNAME'])

export const zoneExcerpt = (zone: string): Excerpt<DnsDesired, ZoneState> => ({
  desired: ({ wanted }, domains) =>
    linesOf(wanted.filter(({ name }) => domains.includes(name) && isInZone(name, zone)).flatMap(wishLines)),
  observed: ({ rrsets }, domains) =>
    linesOf(
      rrsets.filter(({ name, type }) => domains.includes(name) && SHOWN_TYPES.has(type)).flatMap(setLines),
    ),
})

const linesOf = (lines: readonly string[]): string | null =>
  lines.length === 0 ? null : `${[...lines].sort().join('\n')}\n`

const line = (name: string, ttl: string, rest: string): string => `${name} ${ttl} ${rest}`

const setLines = ({ name, type, ttl, values, proxied }: ListedRrset): string[] =>
  values.map((value) =>
    plain(line(name, `${ttl ?? 'automatic'}`, `${type} ${value}${proxied === true ? ' proxied' : ''}`)),
  )

/** Reported addresses are not part of what was released: only who reports them is. */
function wishLines({ name, ttl, proxied, fixed, reported_by, fallback }: WantedRow): string[] {
  const time = `${ttl ?? 'automatic'}`
  const edge = proxied === true ? ' proxied' : ''
  const addressLine = (address: string) => line(name, time, `${typeOf(address)} ${address}${edge}`)
  const hosts = reported_by.map((host) => line(name, time, `as reported for ${host}${edge}`))
  return fixed !== null ? fixed.map(addressLine) : [...hosts, ...fallback.map(addressLine)]
}
