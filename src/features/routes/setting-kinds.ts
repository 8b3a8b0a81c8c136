/** Grammars of what the proxy was started with: its version, its entrypoints and their roles, its certificate resolver. */
import { Wrong, textual, wrong } from '../../config/kinds/refine.ts'

export type TraefikVersion = readonly [major: number, minor: number, patch: number]

/** `3.0.0`, `v3.7.1`, `3.7`. */
export const traefikVersion = textual<TraefikVersion>((text) => {
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/.exec(text)
  if (match === null) return wrong('must be a version such as 3.7 or v3.7.1')
  const [major, minor, patch] = match.slice(1).map((part) => Number(part ?? 0))
  return major === 3 ? [3, minor!, patch!] : wrong('must be a 3.x version; other proxies read other files')
})

export const showVersion = (version: TraefikVersion): string => version.join('.')

/** What stands on an entrypoint: routes over plain HTTP, over HTTPS, or TCP routes alone. */
export const ENTRYPOINT_ROLES = ['http', 'https', 'tcp'] as const
export type EntrypointRole = (typeof ENTRYPOINT_ROLES)[number]

export interface Entrypoint {
  readonly name: string
  /** Where callers reach it, which need not be the port of its address in the proxy: a container's `:8443` is public as 443. */
  readonly port: number
  readonly role: EntrypointRole
}

type Said = Omit<Entrypoint, 'role'> & { readonly role: EntrypointRole | null }

/** By which an entrypoint has a role that nobody has said: the name says more than the port. */
const USUAL = [
  { role: 'http', names: ['web', 'http'], port: 80 },
  { role: 'https', names: ['websecure', 'https'], port: 443 },
] as const
const MOST = 100

/**
 * `web=80,websecure=443,ssh=2222` or, with roles, `in=80/http,out=443/https`: names and ports are unique, and HTTP and HTTPS
 * have one each at least. The first of a role is the one on which routers stand.
 *
 * Where no role is said, the first of these that is there has it, and the others are for TCP: `web`, `http`, port 80;
 * `websecure`, `https`, port 443.
 */
export const entrypoints = textual<readonly Entrypoint[]>((text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > MOST) return wrong(`must have at most ${MOST} entries`)
  const found: Said[] = []
  for (const part of parts) {
    const entry = parseEntrypoint(part)
    if (entry instanceof Wrong) return entry
    const twin = found.find((other) => other.name === entry.name || other.port === entry.port)
    if (twin !== undefined)
      return wrong(`has "${twin.name}=${twin.port}" and "${part}", which share a name or a port`)
    found.push(entry)
  }
  const list = withRoles(found)
  const missing = USUAL.filter(({ role }) => !list.some((entry) => entry.role === role))
  if (missing.length > 0) return wrong(missingRoles(missing.map(({ role }) => role)))
  const odd = list.find(({ name, role }) => role === 'tcp' && !TCP_NAME.test(name))
  return odd === undefined
    ? list
    : wrong(
        `has the entrypoint "${odd.name}" for TCP, which records name by lower-case letters, digits and hyphens`,
      )
})

/** As `tcp_entrypoint` of a record. */
const TCP_NAME = /^[a-z][a-z0-9-]*$/

const missingRoles = (roles: readonly string[]): string =>
  `has no entrypoint for ${roles.join(' and ')}: say which of the proxy's it is, by ${roles.map((role) => `name=port/${role}`).join(' and ')}`

function parseEntrypoint(text: string): Said | Wrong {
  const match = /^([A-Za-z][A-Za-z0-9_-]{0,31})=(\d{1,5})(?:\/(http|https|tcp))?$/.exec(text)
  const port = Number(match?.[2])
  return match === null || port < 1 || port > 65_535
    ? wrong(
        `has the entry "${text}", which is not name=port such as web=80, nor name=port/http, /https or /tcp`,
      )
    : { name: match[1]!, port, role: (match[3] ?? null) as EntrypointRole | null }
}

function withRoles(list: readonly Said[]): readonly Entrypoint[] {
  const unsaid = list.filter(({ role }) => role === null)
  const roles = new Map(
    USUAL.flatMap(({ role, names, port }) => {
      const named = names.map((name) => unsaid.find((entry) => entry.name.toLowerCase() === name))
      const first = named.find((entry) => entry !== undefined) ?? unsaid.find((entry) => entry.port === port)
      return first === undefined ? [] : [[first, role] as const]
    }),
  )
  return list.map((entry) => ({ ...entry, role: entry.role ?? roles.get(entry) ?? 'tcp' }))
}

/** With roles where those do not follow from the names and ports. */
export function showEntrypoints(list: readonly Entrypoint[]): string {
  const derived = withRoles(list.map((entry) => ({ ...entry, role: null })))
  const follow = derived.every(({ role }, i) => role === list[i]!.role)
  return list.map(({ name, port, role }) => `${name}=${port}${follow ? '' : `/${role}`}`).join(',')
}

/** The first of a role. */
export const entrypointFor = (list: readonly Entrypoint[], role: 'http' | 'https'): Entrypoint =>
  list.find((entry) => entry.role === role)!

/** The key under `certificatesResolvers` in the proxy's own configuration. */
export const resolverName = textual((text) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)
    ? text
    : wrong('must be a resolver name of letters, digits, dots, hyphens and underscores'),
)
