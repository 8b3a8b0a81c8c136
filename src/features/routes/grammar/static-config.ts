/**
 * Traefik's static configuration, as far as it says what a router means: where it listens when it names no entrypoint, where TLS
 * stands at the entrypoint, and what an entrypoint does to every request.
 */
import type { ProxyEntrypoint } from '../traefik/port.ts'
import type { StaticEntrypoint, StaticSetup } from '../../../ports/import-context.ts'
import { flagOf, isMapping, listOf, textOf } from './tree.ts'

/** @returns null for what has no entrypoints, which is no static configuration. */
export function staticSetup(data: unknown): StaticSetup | null {
  const named = entriesOf(field(data, 'entryPoints'))
  if (named.length === 0) return null
  const entrypoints = named
    .filter(([, value]) => !isUdp(textOf(field(value, 'address'))))
    .map(([name, value]) => entrypoint(name, value))
  const reads_v2 = textOf(field(field(data, 'core'), 'defaultRuleSyntax'))?.toLowerCase() === 'v2'
  return { ...setupOf(entrypoints), reads_v2 }
}

const setupOf = (entrypoints: readonly StaticEntrypoint[]): Omit<StaticSetup, 'reads_v2'> => {
  const chosen = entrypoints.filter(({ as_default }) => as_default)
  const all = entrypoints.filter(({ name }) => name !== INTERNAL)
  return { entrypoints, defaults: (chosen.length > 0 ? chosen : all).map(({ name }) => name) }
}

/** For the proxy's own API: no router is there unless it says so. */
const INTERNAL = 'traefik'

/** The same by the proxy's API, which does not show the rule syntax; null where it has no entrypoint. */
export function shownSetup(shown: readonly ProxyEntrypoint[]): StaticSetup | null {
  const entrypoints = shown
    .filter(({ address }) => !isUdp(address))
    .map(({ name, address, as_default, tls, redirects, middlewares }) => ({
      name,
      port: portOf(address),
      as_default: as_default === true,
      tls,
      redirects: redirects === true,
      middlewares,
    }))
  return entrypoints.length === 0 ? null : { ...setupOf(entrypoints), reads_v2: false }
}

function entrypoint(name: string, value: unknown): StaticEntrypoint {
  const http = field(value, 'http')
  const tls = field(http, 'tls')
  return {
    name,
    port: portOf(textOf(field(value, 'address')) ?? ''),
    as_default: flagOf(field(value, 'asDefault')) === true,
    // `tls: true` stands for an empty one.
    tls: isMapping(tls) ? tls : flagOf(tls) === true ? {} : undefined,
    redirects: textOf(field(field(field(http, 'redirections'), 'entryPoint'), 'to')) !== null,
    middlewares: listOf(field(http, 'middlewares')) ?? [],
  }
}

const portOf = (address: string): number | null => {
  const port = /:([0-9]{1,5})(?:\/tcp)?$/i.exec(address)?.[1]
  return port === undefined ? null : Number(port)
}

const isUdp = (address: string | null): boolean => /\/udp$/i.test(address ?? '')

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isMapping(value) ? Object.entries(value) : []

/** Names of fields are in any case. */
const field = (value: unknown, name: string): unknown =>
  entriesOf(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
