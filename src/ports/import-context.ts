/** What an import must know of the installation that the records are for. */
import type { Environment } from '../model/domain/record.ts'
import type { Offer } from '../model/domain/rules.ts'
import type { ResponseHeader } from '../model/domain/response-headers.ts'

export interface ImportContext {
  /** `http` serves plain HTTP, `https` HTTPS, `tcp` is for TCP routes alone. */
  readonly entrypoints: readonly ImportEntrypoint[]
  /** Which Traefik the files are for, as far as the installation says: rules of a later one are not at work. */
  readonly traefik_version: readonly [number, number, number]
  /** Traefik's own configuration at its start; null where it was not given. */
  readonly static_setup: StaticSetup | null
  /** The same by the API of the installation's proxy, where that answers: of use where it has all that the files name. */
  readonly proxy_setup?: StaticSetup | null
  /** What records may refer to; every record that is made passes the rules under it. */
  readonly offer: Offer
  /** Catalogue entries with their configuration, so that equal middlewares are recognised. */
  readonly catalogue: readonly CatalogueMiddleware[]
  /** What the proxy sets on the answers of a record with these catalogue entries. */
  readonly headersOf: (extras: readonly string[], tls: boolean) => readonly ResponseHeader[]
  /** Middleware names that stand for the SSO here, besides what looks like Authelia or authentik. */
  readonly sso_names: readonly string[]
  /** Addresses of the SSO's forward-auth endpoint, besides those. */
  readonly sso_addresses: readonly string[]
  /** The access rules that the installation writes, which then stand instead of the SSO's own; null where it writes none. */
  readonly access_rules: {
    /** Of a record that is not named. */
    readonly default_policy: string
    /** Domains with an entry in the policies file. */
    readonly named: ReadonlySet<string>
  } | null
  /** By which records with TLS get their certificates; null where the installation names none. */
  readonly cert_resolver: string | null
  /** Whether the proxy's API is known, so that the plan can name routers of others. */
  readonly sees_proxy: boolean
  /** The text of a file that Traefik reads by an absolute path, such as the certificate of an authority; null where it cannot be read. */
  readonly readAuthority: (path: string) => string | null
  readonly environment: Environment
  /** Names a plain TCP route, which has no host of its own: `db` becomes `db.home.example`. Null: as most hosts read. */
  readonly base_domain: string | null
}

export interface ImportEntrypoint {
  readonly name: string
  readonly port: number
  readonly kind: 'http' | 'https' | 'tcp'
  /** What the installation calls it, where the files call it by another name. */
  readonly ours?: string
}

export interface CatalogueMiddleware {
  readonly name: string
  /** Traefik's name of the type: `rateLimit`. */
  readonly type: string
  /** What stands under the type. */
  readonly config: unknown
}

/** Traefik's configuration at its start, as far as it says what a router means. */
export interface StaticSetup {
  readonly entrypoints: readonly StaticEntrypoint[]
  /** Where routers listen that name no entrypoint. */
  readonly defaults: readonly string[]
  /** Rules are of version 2 where their router does not say otherwise. */
  readonly reads_v2: boolean
}

export interface StaticEntrypoint {
  readonly name: string
  /** Null where the address is none. */
  readonly port: number | null
  readonly as_default: boolean
  /** What every router without TLS of its own gets there; undefined where that is none. */
  readonly tls: Readonly<Record<string, unknown>> | undefined
  /** Every request is sent to another entrypoint. */
  readonly redirects: boolean
  /** Put before those of every router there. */
  readonly middlewares: readonly string[]
}
