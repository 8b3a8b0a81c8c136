/**
 * Routers as they were configured, out of what the proxy made of them. Pure.
 *
 * An entrypoint with settings of its own (middlewares, TLS) puts its middlewares before those of every router on it, and
 * a router on several entrypoints is then split: `app@file` on web and websecure becomes `websecure-app@file` beside the
 * rest of `app@file`. A host whose TLS options disagree becomes `websecure-conflicted-app@file`. Read as they stand, they
 * would all look like drift.
 */
import type { ProxyEntrypoint, ProxyRouter, ProxyStatus } from './port.ts'

export function joinedRouters(
  routers: readonly ProxyRouter[],
  entrypoints: readonly ProxyEntrypoint[],
): readonly ProxyRouter[] {
  const prefixes = new Map(entrypoints.map(({ name, middlewares }) => [name, middlewares]))
  const plain = routers.map((router) => withoutPrefix(router, prefixes))
  const whole = new Map(plain.map((router) => [router.name, router]))
  const parts = new Map<string, ProxyRouter[]>()
  for (const router of plain) {
    const base = baseOf(router)
    if (base !== null) parts.set(base, [...(parts.get(base) ?? []), router])
  }
  for (const [name, some] of parts) {
    const rest = whole.get(name)
    const group = rest === undefined ? some : [rest, ...some]
    // One that stands alone merely begins with the name of its entrypoint.
    const is_split = group.length > 1 || isConflicted(group[0]!)
    if (!is_split || !group.every((one) => isSame(one, group[0]!))) continue
    for (const one of group) whole.delete(one.name)
    whole.set(name, joined(name, group))
  }
  return [...whole.values()]
}

const CONFLICTED = 'conflicted-'

/** The name of what the router would be a part of, or null for one that is nobody's part. */
function baseOf({ name, entrypoints }: ProxyRouter): string | null {
  const [only] = entrypoints
  if (entrypoints.length !== 1 || !name.startsWith(`${only!}-`)) return null
  const rest = name.slice(only!.length + 1)
  return rest.startsWith(CONFLICTED) ? rest.slice(CONFLICTED.length) : rest
}

const isConflicted = ({ name, entrypoints }: ProxyRouter): boolean =>
  name.startsWith(`${entrypoints[0]!}-${CONFLICTED}`)

function withoutPrefix(router: ProxyRouter, prefixes: ReadonlyMap<string, readonly string[]>): ProxyRouter {
  const [only] = router.entrypoints
  const prefix = router.entrypoints.length === 1 ? (prefixes.get(only!) ?? []) : []
  const begins = prefix.length > 0 && prefix.every((name, i) => router.middlewares[i] === name)
  return begins ? { ...router, middlewares: router.middlewares.slice(prefix.length) } : router
}

const isSame = (a: ProxyRouter, b: ProxyRouter): boolean =>
  a.kind === b.kind &&
  a.rule === b.rule &&
  a.service === b.service &&
  a.middlewares.join('\n') === b.middlewares.join('\n')

const BADNESS: Readonly<Record<ProxyStatus, number>> = { enabled: 0, warning: 1, disabled: 2 }

const joined = (name: string, group: readonly ProxyRouter[]): ProxyRouter => ({
  ...group[0]!,
  name,
  entrypoints: [...new Set(group.flatMap(({ entrypoints }) => entrypoints))].sort(),
  tls: group.some(({ tls }) => tls),
  ...plainOn(group),
  cert_resolver: group.find(({ cert_resolver }) => cert_resolver !== null)?.cert_resolver ?? null,
  status: group.map(({ status }) => status).reduce((a, b) => (BADNESS[a] >= BADNESS[b] ? a : b)),
  errors: [...new Set(group.flatMap(({ errors }) => errors))],
})

/** An entrypoint may give TLS to routers that have none of their own. */
function plainOn(group: readonly ProxyRouter[]): Pick<ProxyRouter, 'plain_on'> {
  const plain = group.filter(({ tls }) => !tls).flatMap(({ entrypoints }) => entrypoints)
  return plain.length > 0 && group.some(({ tls }) => tls) ? { plain_on: plain.sort() } : {}
}
