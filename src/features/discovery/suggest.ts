/** A ready body for `POST /api/domains` for what is not exposed yet. Pure; what it had to guess it says. */
import { isIPv4 } from 'node:net'
import { parseDomainName } from '../../model/domain/hostname.ts'
import type { Guest } from './model/guests-port.ts'
import type { Container, LanHost } from './model/lab-port.ts'
import type { Suggestion } from './views.ts'

/** Ports whose protocol is known and is not HTTP: a route to them would be of another kind. */
const NOT_HTTP: ReadonlySet<number> = new Set([
  21, 22, 23, 25, 53, 110, 139, 143, 389, 445, 465, 587, 636, 853, 993, 995, 1433, 1521, 1883, 2049, 3306,
  3389, 4222, 5060, 5432, 5672, 6379, 6443, 8883, 9042, 11211, 25565, 27017, 51820,
])
const USUAL_WEB_PORTS: readonly number[] = [80, 8080, 3000, 8000, 443, 8443]

export const isWebPort = (port: number): boolean => USUAL_WEB_PORTS.includes(port)
export const mayBeWeb = (port: number): boolean => !NOT_HTTP.has(port)

/** @param host_address where published ports are reached; null where that is not known */
export function suggestForContainer(
  container: Container,
  host_address: string | null,
  suffix: string,
): Suggestion | null {
  const web = container.ports
    .filter(({ protocol, private_port }) => protocol === 'tcp' && mayBeWeb(private_port))
    .toSorted((a, b) => rank(a.private_port) - rank(b.private_port))
  const published = web.find(({ public_port }) => public_port !== null)
  const place = published?.address ?? host_address
  const [own] = container.networks.flatMap(({ addresses }) => addresses)
  const named = hostRuleOf(container.labels)
  const assumed = named === null ? (['domain'] as const) : []
  if (published?.public_port && place !== null)
    return suggestion(named ?? nameOf(container.name, suffix), [place, published.public_port], assumed)
  const inner = web[0]
  if (inner === undefined || own === undefined) return null
  return suggestion(
    named ?? nameOf(container.name, suffix),
    [own, inner.private_port],
    [...assumed, 'backend_host'],
  )
}

/** A cluster knows no ports either. */
export function suggestForGuest({ name, addresses }: Guest, suffix: string): Suggestion | null {
  const address = addresses.find((one) => isIPv4(one)) ?? addresses[0]
  if (address === undefined) return null
  return suggestion(nameOf(name, suffix), [address, 80], ['domain', 'backend_port'])
}

/** A controller knows no ports, so 80 is assumed. */
export function suggestForLanHost({ address, hostname, name }: LanHost, suffix: string): Suggestion | null {
  if (address === null) return null
  return suggestion(nameOf(hostname ?? name, suffix), [address, 80], ['domain', 'backend_port'])
}

const rank = (port: number): number => {
  const usual = USUAL_WEB_PORTS.indexOf(port)
  return usual === -1 ? USUAL_WEB_PORTS.length : usual
}

function suggestion(
  domain: string | null,
  [backend_host, backend_port]: readonly [string, number],
  assumed: Suggestion['assumed'],
): Suggestion | null {
  if (domain === null) return null
  const body = {
    domain,
    service_type: 'http',
    environment: 'production',
    backend_host,
    backend_port,
  } as const
  return { body, assumed }
}

/** The one name that somebody had written on the container for a proxy that reads labels. */
export function hostRuleOf(labels: Readonly<Record<string, string>>): string | null {
  for (const [key, rule] of Object.entries(labels)) {
    if (!/^traefik\.http\.routers\.[^.]+\.rule$/.test(key)) continue
    const [, host = ''] = /Host\(\s*[`"]([^`"]+)[`"]\s*\)/.exec(rule) ?? []
    const parsed = parseDomainName(host)
    if (parsed.ok) return parsed.value
  }
  return null
}

function nameOf(name: string, suffix: string): string | null {
  const label = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')
  const parsed = label === '' ? null : parseDomainName(`${label}.${suffix}`)
  return parsed?.ok === true ? parsed.value : null
}

/** The ending that most names have: `example.com` of `a.example.com`. `home.arpa` (RFC 8375) where there is none. */
export function commonSuffix(domains: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const domain of domains) {
    const parent = domain.split('.').slice(1).join('.')
    if (parent.includes('.')) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
  return most?.[0] ?? 'home.arpa'
}
