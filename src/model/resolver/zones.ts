/** A resolver that is authoritative for zones of its own, as Technitium is: RFC 1034 §4.3.2 with wildcards (RFC 4592). */
import type { ManagedType } from '../network/dns.ts'
import type { Override, ResolverAnswer, ResolverZone } from './view.ts'
import { addresses, type ResolverIndex, upwards, valuesOf, zoneAround } from './resolver-index.ts'

/** How many aliases are followed. */
const MAX_ALIASES = 8

export function zonesAnswer(index: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const via: string[] = []
  for (let at = name; ; at = via.at(-1)!) {
    const zone = zoneAround(index, at)
    if (zone === null) return via.length === 0 ? { kind: 'forwarded' } : { kind: 'alias', via }
    const data = dataFor(index, zone, at)
    const values = valuesOf(data ?? [], type)
    if (values.length > 0) return addresses(values, via)
    const [target] = valuesOf(data ?? [], 'CNAME')
    if (target === undefined) return via.length === 0 ? nothing(zone, data !== null) : { kind: 'alias', via }
    if (via.includes(target) || via.length === MAX_ALIASES) return { kind: 'alias', via }
    via.push(target)
  }
}

/** The records that answer for a name: its own, or those of the wildcard; null when the name is not there. */
function dataFor(index: ResolverIndex, zone: ResolverZone, name: string): readonly Override[] | null {
  const own = index.exact.get(name)
  if (own !== undefined) return own
  if (name === zone.name || index.above.has(name)) return []
  for (const encloser of upwards(name)) {
    if (encloser === name) continue
    const wild = index.below.get(encloser)
    if (wild !== undefined) return wild
    if (encloser === zone.name || index.exact.has(encloser) || index.above.has(encloser)) return null
  }
  return null
}

function nothing({ rule }: ResolverZone, is_there: boolean): ResolverAnswer {
  if (rule === 'static') return { kind: is_there ? 'nodata' : 'nxdomain' }
  return { kind: 'forwarded' }
}
