/**
 * Which protected routes can be proven closed, and by which questions; for the others, why not. Pure.
 *
 *   HTTPS                         `/` over https; where the plain door can be asked, there too, for somebody else's router
 *   plain http (ssl_enabled off)  `/` and a path that nobody has, over http: the provider refuses plain http as a whole
 *   spa                           a page and a file named by its content besides: other routers serve them
 *   a name with a star            one name that it stands for
 *   internal                      as the others; but a 403 may come from its list of addresses
 *   TCP                           has no sign-in
 *   all of it a bypass path       is open because its policy says so
 */
import { isProtected } from '../../../model/access/applies.ts'
import { sampleHost } from '../../../model/access/hosts.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Door } from '../probe-port.ts'

export interface ProvenRoute {
  readonly domain: string
  readonly domain_id: number
  readonly host: string
  /** All of them are asked; the worst answer decides. */
  readonly asks: readonly Ask[]
  /** It turns people away by their address before they are asked to sign in. */
  readonly by_address: boolean
  /** It has another check before that one, which refuses as the provider does. */
  readonly by_own_check: boolean
}

export interface Ask {
  readonly door: Door
  /** A path that the policy opens to nobody. */
  readonly path: string
}

export interface Unprovable {
  readonly domain: string
  readonly domain_id: number
  /** `no_door`: it takes a setting. `no_sign_in`: there is nothing that could be proven. */
  readonly cause: 'no_door' | 'no_sign_in'
  /** A sentence. */
  readonly detail: string
  readonly cure: string
}

export interface ProofSettings {
  /** Doors of the proxy that can be asked. */
  readonly doors: ReadonlySet<Door>
  /** Whether the policy of a record opens a path to everybody. */
  readonly isOpenPath: (fields: DomainFields, path: string) => boolean
  /** Names of the catalogue that turn people away by their address before they are asked to sign in. */
  readonly by_address: ReadonlySet<string>
  /** Names of the catalogue that may answer 401 or 403 for another reason, before as well. */
  readonly by_own_check: ReadonlySet<string>
}

export interface Provability {
  readonly routes: readonly ProvenRoute[]
  readonly not_provable: readonly Unprovable[]
}

/** No backend has it, and it tells whoever reads a log what it is. */
const NOBODYS = 'plumbline-asks-without-signing-in'
/** One path for each router of an `spa` but that of its documents, which serves `/`. */
const SPA_PATHS = [
  [`/${NOBODYS}`, `/static/${NOBODYS}`],
  [`/assets/${NOBODYS}-0123456789abcdef.js`, `/static/${NOBODYS}-0123456789abcdef.js`],
]

export function provability(intent: Intent, settings: ProofSettings): Provability {
  const routes: ProvenRoute[] = []
  const not_provable: Unprovable[] = []
  for (const { domain_id, live, fields } of intent.rows) {
    if (!live || !fields.auth_required || fields.service_type === 'manual') continue
    const { domain } = fields
    const found = asksFor(fields, settings)
    if ('cause' in found) not_provable.push({ domain, domain_id, ...found })
    else {
      const has = (names: ReadonlySet<string>): boolean =>
        fields.middleware_config.extra_middlewares.some((name) => names.has(name))
      routes.push({
        domain,
        domain_id,
        host: sampleHost(domain),
        asks: found.asks,
        by_address: fields.service_type === 'internal' || has(settings.by_address),
        by_own_check: has(settings.by_own_check),
      })
    }
  }
  return { routes, not_provable }
}

type Reason = Pick<Unprovable, 'cause' | 'detail' | 'cure'>

function asksFor(fields: DomainFields, settings: ProofSettings): { asks: readonly Ask[] } | Reason {
  if (!isProtected(fields)) return NO_SIGN_IN
  const { doors, isOpenPath } = settings
  const door: Door = fields.ssl_enabled ? 'tls' : 'plain'
  if (!doors.has(door)) return NO_DOOR[door]
  const isClosed = (path: string): boolean => !isOpenPath(fields, path)
  if (!isClosed('/')) return OPEN_BY_POLICY
  const parts = fields.service_type === 'spa' ? SPA_PATHS : []
  const paths = parts.flatMap((all) => all.filter(isClosed).slice(0, 1))
  return {
    asks: [
      { door, path: '/' },
      ...(door === 'plain' && parts.length === 0 && isClosed(`/${NOBODYS}`)
        ? [{ door, path: `/${NOBODYS}` }]
        : []),
      ...paths.map((path) => ({ door, path })),
      ...(door === 'tls' && doors.has('plain') ? [{ door: 'plain', path: '/' } as const] : []),
    ],
  }
}

const NO_SIGN_IN: Reason = {
  cause: 'no_sign_in',
  detail: 'auth_required does not apply to a TCP route: whoever reaches the entrypoint reaches the backend.',
  cure: 'Keep strangers from the entrypoint by other means, and set auth_required to false.',
}

const OPEN_BY_POLICY: Reason = {
  cause: 'no_sign_in',
  detail: 'Its policy opens every path to everybody.',
  cure: 'Take / out of its bypass paths, or set auth_required to false.',
}

const NO_DOOR: Readonly<Record<Door, Reason>> = {
  tls: {
    cause: 'no_door',
    detail: 'Nobody asks routes over HTTPS.',
    cure: 'Set PLUMBLINE_SSO_PROBE.',
  },
  plain: {
    cause: 'no_door',
    detail: 'It is served over plain http (ssl_enabled is false), and nobody asks there.',
    cure: 'Set PLUMBLINE_SSO_PROBE_HTTP.',
  },
}
