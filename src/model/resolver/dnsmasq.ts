/**
 * dnsmasq 2.86 and later, and Pi-hole, which is built on it.
 *
 * First the names that it knows (hosts files, `host-record`, `cname`), then the longest domain of `address`, `local` and
 * `server` that has something for the type. At one domain: addresses of the type, then the null address, then servers, then
 * "no such name". `address=/*.example.org/` is a longer domain than `address=/example.org/`.
 */
import type { ManagedType } from '../network/dns.ts'
import type { ResolverAnswer, ZoneRule } from './view.ts'
import { addresses, NULL_ADDRESS, type ResolverIndex, upwards, valuesOf } from './resolver-index.ts'

export function dnsmasqAnswer(index: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const via = aliasesOf(index, name)
  const known = valuesOf(index.exact.get(via.at(-1) ?? name), type)
  if (known.length > 0) return addresses(known, via)
  // An alias is the whole answer, also where `address` would have an address for its target.
  return via.length > 0 ? { kind: 'alias', via } : byDomain(index, name, type)
}

/** It refuses to start with a loop, so a loop is only a file that was never loaded. */
function aliasesOf({ exact }: ResolverIndex, name: string): string[] {
  const via: string[] = []
  for (let at = name; ; at = via.at(-1)!) {
    const [target] = valuesOf(exact.get(at), 'CNAME')
    if (target === undefined || target === name || via.includes(target)) return via
    via.push(target)
  }
}

function byDomain(index: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  for (const at of upwards(name))
    for (const scope of ['below', 'subtree'] as const) {
      if (scope === 'below' && at === name) continue
      const answer = atDomain(index, { name, type, at, scope })
      if (answer !== null) return answer
    }
  return { kind: 'forwarded' }
}

interface RulePosition {
  readonly name: string
  readonly type: ManagedType
  readonly at: string
  readonly scope: 'below' | 'subtree'
}

function atDomain(index: ResolverIndex, { name, type, at, scope }: RulePosition): ResolverAnswer | null {
  const overrides = index[scope].get(at)
  const values = valuesOf(overrides, type)
  if (values.length > 0) return addresses(values)
  const zones = (index.zones.get(at) ?? []).filter((zone) => zone.scope === scope)
  const has = (wanted: ZoneRule) => zones.some(({ rule }) => rule === wanted)
  if (has('null')) return addresses([NULL_ADDRESS[type]])
  if (has('forward')) return { kind: 'forwarded' }
  if (!has('nxdomain')) return null
  const is_there = overrides !== undefined || index.exact.has(name) || index.above.has(name)
  return { kind: is_there ? 'nodata' : 'nxdomain' }
}
