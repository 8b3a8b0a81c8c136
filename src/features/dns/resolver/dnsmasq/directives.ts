/** What one line of dnsmasq's configuration does to answers (dnsmasq(8)). Pure. */
import { isIP } from 'node:net'
import { canonicalAddress } from '../../../../model/network/address.ts'
import type { Override, ResolverZone, ZoneRule } from '../../../../model/resolver/view.ts'
import { plainName } from '../plain-name.ts'
import type { DnsmasqLine } from './lines.ts'

export type Effect =
  | { readonly kind: 'override'; readonly override: Override }
  | { readonly kind: 'zone'; readonly zone: ResolverZone }
  | {
      readonly kind: 'include'
      readonly what: Include
      readonly path: string
      readonly endings: readonly string[]
    }
  | { readonly kind: 'domain'; readonly name: string }
  | { readonly kind: 'expand_hosts' }
  | { readonly kind: 'no_hosts' }
  /** Answers may come from here that are not known. */
  | { readonly kind: 'gap'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }

export type Include = 'conf_file' | 'conf_folder' | 'hosts'

type Reader = (value: string, source: string) => readonly Effect[]

export function effectsOf({ keyword, value, number }: DnsmasqLine, path: string): readonly Effect[] {
  const source = `${path}:${number}`
  return READERS[keyword]?.(value, source) ?? []
}

const unmodelled =
  (keyword: string): Reader =>
  (_value, source) => [{ kind: 'gap', text: `${source}: ${keyword} is not understood here` }]

const READERS: Readonly<Record<string, Reader>> = {
  address,
  local: server,
  server,
  'host-record': hostRecord,
  cname,
  'addn-hosts': (path) => [{ kind: 'include', what: 'hosts', path, endings: [] }],
  hostsdir: (path) => [{ kind: 'include', what: 'hosts', path, endings: [] }],
  'conf-file': (path) => [{ kind: 'include', what: 'conf_file', path, endings: [] }],
  'servers-file': (path) => [{ kind: 'include', what: 'conf_file', path, endings: [] }],
  'conf-dir': (value) => {
    const [path = '', ...endings] = value.split(',').map((part) => part.trim())
    return [{ kind: 'include', what: 'conf_folder', path, endings }]
  },
  domain,
  'expand-hosts': () => [{ kind: 'expand_hosts' }],
  'no-hosts': () => [{ kind: 'no_hosts' }],
  'dhcp-range': (_value, source) => [
    { kind: 'note', text: `${source}: names of DHCP leases are answered too and not looked at` },
  ],
  ...Object.fromEntries(
    [
      'auth-zone',
      'conf-script',
      'dynamic-host',
      'filter-a',
      'filter-aaaa',
      'interface-name',
      'synth-domain',
    ].map((keyword) => [keyword, unmodelled(keyword)]),
  ),
}

interface Domain {
  readonly name: string
  readonly scope: 'subtree' | 'below'
}

/** `/one/two/rest`. Domains that are not understood become gaps. */
function slashed(value: string, source: string): { domains: Domain[]; rest: string; gaps: Effect[] } | null {
  if (!value.startsWith('/')) return null
  const parts = value.slice(1).split('/')
  const rest = (parts.pop() ?? '').trim()
  const domains: Domain[] = []
  const gaps: Effect[] = []
  for (const text of parts.map((part) => part.trim())) {
    // Names of one label, which no host of a route is.
    if (text === '') continue
    const name = text === '#' ? '' : plainName(text.replace(/^\*\./, '').replace(/^\./, ''))
    if (name === null)
      gaps.push({ kind: 'gap', text: `${source}: the domain ${text} is not understood here` })
    else domains.push({ name, scope: text.startsWith('*.') ? 'below' : 'subtree' })
  }
  return { domains, rest, gaps }
}

/** Nothing behind the domains: no such name. `#`: the null address of either family. */
function address(value: string, source: string): readonly Effect[] {
  const read = slashed(value, source)
  if (read === null) return malformed('address', source)
  const zoned = (rule: ZoneRule) =>
    read.domains.map((at): Effect => ({ kind: 'zone', zone: { ...at, rule } }))
  if (read.rest === '') return [...zoned('nxdomain'), ...read.gaps]
  if (read.rest === '#') return [...zoned('null'), ...read.gaps]
  const literal = canonicalAddress(read.rest)
  if (literal === null) return malformed('address', source)
  return [...read.domains.map((at) => overriding(at, literal, source)), ...read.gaps]
}

const overriding = (at: Pick<Override, 'name' | 'scope'>, value: string, source: string): Effect => ({
  kind: 'override',
  override: { ...at, type: isIP(value) === 4 ? 'A' : 'AAAA', value, source },
})

/** Also `local`: the same without a server means that nobody else is asked. */
function server(value: string, source: string): readonly Effect[] {
  const read = slashed(value, source)
  if (read === null) return []
  const rule = read.rest === '' ? 'nxdomain' : 'forward'
  return [...read.domains.map((at): Effect => ({ kind: 'zone', zone: { ...at, rule } })), ...read.gaps]
}

/** `name[,name…][,IPv4][,IPv6][,TTL]`: of two addresses of a family the later holds. */
function hostRecord(value: string, source: string): readonly Effect[] {
  const parts = value.split(',').map((part) => part.trim())
  const addresses = parts.map(canonicalAddress).filter((literal) => literal !== null)
  const names = parts
    .filter((part, at) => canonicalAddress(part) === null && !(at > 0 && /^\d+$/.test(part)))
    .flatMap((part) => plainName(part) || [])
  const literals = [4, 6].flatMap((family) => addresses.findLast((literal) => isIP(literal) === family) ?? [])
  return names.flatMap((name) =>
    literals.map((literal) => overriding({ name, scope: 'exact' }, literal, source)),
  )
}

/** `alias[,alias…],target[,TTL]`. */
function cname(value: string, source: string): readonly Effect[] {
  const parts = value.split(',').map((part) => part.trim())
  if (/^\d+$/.test(parts.at(-1) ?? '')) parts.pop()
  const target = plainName(parts.pop() ?? '')
  if (target === null || target === '' || parts.length === 0) return malformed('cname', source)
  return parts.map((alias): Effect => {
    if (alias.startsWith('*.'))
      return { kind: 'note', text: `${source}: the alias ${alias} counts in zones of auth-zone only` }
    const name = plainName(alias)
    if (name === null || name === '')
      return { kind: 'note', text: `${source}: the alias ${alias} is no name` }
    return { kind: 'override', override: { name, scope: 'exact', type: 'CNAME', value: target, source } }
  })
}

function domain(value: string, source: string): readonly Effect[] {
  if (value.includes(','))
    return [{ kind: 'note', text: `${source}: a domain for some addresses only is passed over` }]
  const name = plainName(value)
  return name === null || name === '' ? [] : [{ kind: 'domain', name }]
}

const malformed = (keyword: string, source: string): readonly Effect[] => [
  { kind: 'gap', text: `${source}: ${keyword} is not written as dnsmasq reads it` },
]
