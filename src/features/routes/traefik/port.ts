/** What the proxy says that it runs, normalised from its API (Traefik v3). Only reads. */
import type { Instant } from '../../../kernel/clock.ts'

export interface ProxyApi {
  /** For people: `http://127.0.0.1:8080`. */
  readonly origin: string
  /**
   * Everything at once, whole or not at all. Throws a Failure: `provider_credentials` where we are not let in,
   * `component_unavailable` where nobody answers in time or what comes is no answer of the proxy (with the fact
   * `reason: unreadable`).
   */
  snapshot(signal: AbortSignal): Promise<ProxySnapshot>
}

/** The same with a quick question: what a whole snapshot is too much for, such as waiting for one object to appear. */
export interface SearchableProxy extends ProxyApi {
  /**
   * HTTP middlewares whose name holds the text. Throws as `snapshot` does.
   * @param insists also where the proxy is known not to answer: a deploy waits for it
   */
  middlewaresNamed(text: string, signal: AbortSignal, insists?: boolean): Promise<readonly ProxyMiddleware[]>
  /**
   * Objects that the proxy finds fault with and whose name holds the text; one question where it counts none. Throws as
   * `snapshot` does.
   */
  faultsNamed(text: string, signal: AbortSignal): Promise<readonly ProxyFault[]>
  /** Entry points of its static configuration. Throws as `snapshot` does. */
  entrypoints(signal: AbortSignal): Promise<readonly ProxyEntrypoint[]>
  /** Since when the proxy runs; null where it does not say. Throws as `snapshot` does. */
  startedAt(signal: AbortSignal): Promise<Instant | null>
}

/** An object that the proxy built in part or not at all. */
export interface ProxyFault {
  readonly part: 'router' | 'service' | 'middleware'
  /** With its provider: `plumbline-app@file`. */
  readonly name: string
  readonly status: ProxyStatus
  /** In the proxy's own words; may be empty. */
  readonly errors: readonly string[]
  /** Full names of the routers that name it; of a router, itself. */
  readonly used_by: readonly string[]
}

export interface ProxySnapshot {
  readonly at: Instant
  /** `3.6.2` */
  readonly version: string
  readonly started_at: Instant | null
  readonly entrypoints: readonly ProxyEntrypoint[]
  /** One for each router, however many entrypoints it listens on. */
  readonly routers: readonly ProxyRouter[]
  readonly middlewares: readonly ProxyMiddleware[]
  readonly services: readonly ProxyService[]
}

export interface ProxyEntrypoint {
  readonly name: string
  readonly address: string
  /** Middlewares that the entrypoint puts before those of its routers, as full names. */
  readonly middlewares: readonly string[]
  /**
   * Addresses and networks whose X-Forwarded-* headers it passes on as they came; those of others it writes anew.
   * Where it is set to believe everybody: `0.0.0.0/0` and `::/0`.
   */
  readonly believes: readonly string[]
  /** What every router there gets that has no TLS of its own, as Traefik configures it. Left out: nothing. */
  readonly tls?: Readonly<Record<string, unknown>>
  /** Where any is, routers that name no entry point are on these alone. Left out: it is not. */
  readonly as_default?: true
  /** Sends every request to another entry point or port before a router of ours is asked. Left out: it does not. */
  readonly redirects?: true
}

export type ProxyStatus = 'enabled' | 'warning' | 'disabled'

export interface ProxyRouter {
  readonly kind: 'http' | 'tcp'
  /** With its provider: `plumbline-app@file`. */
  readonly name: string
  readonly provider: string
  readonly rule: string
  readonly entrypoints: readonly string[]
  /** Full names, in order; chains are not expanded. */
  readonly middlewares: readonly string[]
  readonly service: string
  readonly tls: boolean
  /** Of one with TLS: the entrypoints on which it serves plain http all the same. Left out: on none. */
  readonly plain_on?: readonly string[]
  readonly cert_resolver: string | null
  /** TLS options other than the default ones, which may ask for a client's certificate; left out where there are none. */
  readonly tls_options?: string
  /** Its TLS ends at the backend, which may ask for a client's certificate; left out where the proxy ends it. */
  readonly passes_tls?: true
  /** Null: by the length of its rule. Beyond what a number holds exactly, the nearest one. */
  readonly priority: number | null
  readonly status: ProxyStatus
  readonly errors: readonly string[]
}

export interface ProxyMiddleware {
  readonly name: string
  readonly provider: string
  /** `forwardAuth`, `chain` … as in its configuration. */
  readonly type: string
  readonly status: ProxyStatus
  readonly errors: readonly string[]
  /** Members of a chain, as full names; empty for others. */
  readonly members: readonly string[]
  /** Where a forwardAuth asks; null for others. */
  readonly forward_auth_address: string | null
  /** Whether a forwardAuth describes the request by the X-Forwarded-* headers that it came with; false for others. */
  readonly forward_auth_believes: boolean
  /** What stands under its type, of a middleware that bears a name of ours and holds no secret, and of every redirectScheme; else left out. */
  readonly config?: Readonly<Record<string, unknown>>
}

export interface ProxyService {
  readonly kind: 'http' | 'tcp'
  readonly name: string
  readonly provider: string
  readonly status: ProxyStatus
  readonly errors: readonly string[]
  readonly addresses: readonly string[]
  /** What the proxy's own health check says, by address; null where it does none. */
  readonly health: Readonly<Record<string, string>> | null
}

/** Of one file of its dynamic configuration, in the shape in which the proxy would show them. */
export interface FileRoutes {
  /** One that names no entry point is on none here. */
  readonly routers: readonly ProxyRouter[]
  readonly middlewares: readonly ProxyMiddleware[]
}

/** What the proxy has counted, by its metrics. */
export interface ProxyTraffic {
  readonly at: Instant
  /**
   * By the full name of a service, null for one whose counts are no numbers; null as a whole where it counts none. One that was
   * never asked is not in it.
   */
  readonly services: ReadonlyMap<
    string,
    { readonly requests: number; readonly server_errors: number } | null
  > | null
  /** Since when it counts; null where it does not say. */
  readonly since: Instant | null
}

/** Throws a Failure where nobody answers in time, or what comes is no text of metrics. */
export type ReadTraffic = (signal: AbortSignal) => Promise<ProxyTraffic>
