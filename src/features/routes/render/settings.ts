/** What the installation decides about the routes file, as opposed to what its records say. */
import type { ServiceType } from '../../../model/domain/record.ts'

/** Major, minor, patch. */
export type Version = readonly [number, number, number]

/** A tree of plain data as it stands in a Traefik file: no null, no empty map, whole numbers or finite ones. */
export type Plain = string | number | boolean | readonly Plain[] | PlainMap
export interface PlainMap {
  readonly [key: string]: Plain
}

/** Where a catalogue entry stands in a router's list: outside the SSO check or behind it. */
export const POSITIONS = ['before_sso', 'after_sso'] as const
export type Position = (typeof POSITIONS)[number]

/** An entry of the operator's own catalogue file, checked by `parseOwnMiddlewares`. */
export interface OwnMiddleware {
  readonly description: string
  readonly position: Position
  /** Reasons as the end of a sentence, by the service type that must not use it. */
  readonly unfit_for: Partial<Record<ServiceType, string>>
  /** Traefik's name of the type: `rateLimit`. */
  readonly type: string
  /** The first Traefik version that knows every key of `config`; an older one gets no such entry. */
  readonly since: Version
  /** The backend may get another path than the one that was sent. */
  readonly changes_path: boolean
  readonly config: PlainMap
}

export const isPlainMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && !Array.isArray(value)

export interface RoutesSettings {
  /** No key newer than this is rendered: one unknown key makes Traefik refuse every file of its provider. */
  readonly traefik_version: Version
  /** Traefik's certificate resolver for public names, or null where certificates come from elsewhere. */
  readonly cert_resolver: string | null
  readonly http_entrypoint: string
  readonly https_entrypoint: string
  readonly sso_forward_auth_url: string
  /** Where the https entrypoint is reached from outside. */
  readonly https_port: number
  /** By domain: the paths that are open to everybody although the domain is protected; see `isBypassPath`. */
  readonly open_paths: ReadonlyMap<string, readonly string[]>
  /** By the name that a record's `ca_name` says: certificates as PEM. */
  readonly backend_authorities: ReadonlyMap<string, string>
  /** By catalogue name. One of these takes the place of a built-in entry of the same name. */
  readonly own_middlewares: ReadonlyMap<string, OwnMiddleware>
}

export function atLeast(version: Version, floor: Version): boolean {
  for (const [i, part] of floor.entries()) if (version[i] !== part) return version[i]! > part
  return true
}
