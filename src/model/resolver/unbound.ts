/** Unbound: the zone with the longest name decides what `local-data` counts for (unbound.conf(5), `local-zone`). */
import type { ManagedType } from '../network/dns.ts'
import type { ResolverAnswer, ResolverZone, ZoneRule } from './view.ts'
import { addresses, NULL_ADDRESS, type ResolverIndex, valuesOf, zoneAround } from './resolver-index.ts'

export function unboundAnswer(index: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const zone = zoneAround(index, name)
  const always = zone === null ? undefined : ALWAYS[zone.rule]
  if (always !== undefined) return always
  const data = index.exact.get(zone?.rule === 'redirect' ? zone.name : name)
  const values = valuesOf(data, type)
  if (values.length > 0) return addresses(values)
  const [target] = valuesOf(data, 'CNAME')
  // Given as it is: other local data is not looked at for the target.
  if (target !== undefined) return { kind: 'alias', via: [target] }
  return withoutData(index, { name, type, zone, is_there: data !== undefined })
}

/** These rules hold whatever data there is. */
const ALWAYS: Readonly<Partial<Record<ZoneRule, ResolverAnswer>>> = {
  always_forward: { kind: 'forwarded' },
  always_refuse: { kind: 'refused' },
  always_deny: { kind: 'dropped' },
  always_nxdomain: { kind: 'nxdomain' },
  always_nodata: { kind: 'nodata' },
}

/** And these where there is no data of the type; `static` and the transparent ones depend on the name. */
const WITHOUT_DATA: Readonly<Partial<Record<ZoneRule, ResolverAnswer>>> = {
  refuse: { kind: 'refused' },
  deny: { kind: 'dropped' },
  redirect: { kind: 'nodata' },
  typetransparent: { kind: 'forwarded' },
}

interface Nothing {
  readonly name: string
  readonly type: ManagedType
  readonly zone: ResolverZone | null
  /** True when the name has data of another type. */
  readonly is_there: boolean
}

function withoutData(index: ResolverIndex, { name, type, zone, is_there }: Nothing): ResolverAnswer {
  if (zone?.rule === 'always_null') return addresses([NULL_ADDRESS[type]])
  const fixed = zone === null ? undefined : WITHOUT_DATA[zone.rule]
  if (fixed !== undefined) return fixed
  if (zone?.rule !== 'static') return { kind: is_there ? 'nodata' : 'forwarded' }
  return { kind: is_there || isAbove(index, name, zone) ? 'nodata' : 'nxdomain' }
}

/** Data of a zone further down does not make names in this one. */
function isAbove(index: ResolverIndex, name: string, zone: ResolverZone): boolean {
  if (!index.above.has(name)) return false
  for (const below of index.exact.keys())
    if (below !== name && below.endsWith(`.${name}`) && zoneAround(index, below) === zone) return true
  return false
}

/** The zones that Unbound has by itself; those for addresses are of no interest here. */
export const UNBOUND_DEFAULTS: readonly ResolverZone[] = [
  { name: 'localhost', scope: 'subtree', rule: 'redirect' },
  ...['test', 'invalid', 'onion', 'home.arpa'].map((name): ResolverZone => ({
    name,
    scope: 'subtree',
    rule: 'static',
  })),
]
