/**
 * AdGuard Home's rewrites.
 *
 * Aliases come before addresses, exact names before wildcards, long wildcards before short ones; of wildcards only the
 * first counts. An alias onto itself is an exception: the upstream is asked. A type that has no address in a name that is
 * rewritten is answered with nothing.
 */
import type { ManagedType } from '../network/dns.ts'
import type { Override, ResolverAnswer } from './view.ts'
import { addresses, type ResolverIndex, upwards } from './resolver-index.ts'

export function adguardAnswer(index: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const via: string[] = []
  let found = rewritesFor(index, name, type)
  if (!found.matched) return { kind: 'forwarded' }
  for (let at = name; found.rewrites[0]?.type === 'CNAME';) {
    const [rewrite] = found.rewrites
    const target = rewrite.value ?? ''
    if (target === name || target === writtenName(rewrite)) return { kind: 'forwarded' }
    if (target === at && rewrite.scope === 'below') break
    if (via.includes(target)) return { kind: 'nodata' }
    via.push(target)
    at = target
    found = rewritesFor(index, at, type)
  }
  return evaluated(found, type, via)
}

interface HostMatch {
  readonly matched: boolean
  readonly rewrites: readonly Override[]
}

/** `*.example.org` as it was typed. */
const writtenName = ({ name, scope }: Override): string => (scope === 'below' ? `*.${name}` : name)

function rewritesFor({ exact, below }: ResolverIndex, name: string, type: ManagedType): HostMatch {
  const wild = [...upwards(name)].filter((at) => at !== name).flatMap((at) => below.get(at) ?? [])
  const all = [...(exact.get(name) ?? []), ...wild]
  const rewrites = all
    .filter((entry) => entry.type === 'CNAME' || entry.type === type || entry.value === null)
    .sort((a, b) => rank(a) - rank(b) || b.name.length - a.name.length)
  const first_wild = rewrites.findIndex(({ scope }) => scope === 'below')
  return {
    matched: all.length > 0,
    rewrites: first_wild === -1 ? rewrites : rewrites.slice(0, Math.max(1, first_wild)),
  }
}

const rank = ({ type, scope }: Override): number => (type === 'CNAME' ? 0 : 2) + (scope === 'below' ? 1 : 0)

function evaluated({ rewrites }: HostMatch, type: ManagedType, via: readonly string[]): ResolverAnswer {
  const own = rewrites.filter((entry) => entry.type === type)
  if (own.some(({ value }) => value === null))
    return via.length > 0 ? { kind: 'alias', via } : { kind: 'forwarded' }
  const values = own.flatMap(({ value }) => value ?? [])
  if (values.length > 0) return addresses([...new Set(values)], via)
  return via.length > 0 ? { kind: 'alias', via } : { kind: 'nodata' }
}
