/**
 * The last look at the proxy, shared by whoever asks: one reading at a time, kept for a moment, and never waited for
 * longer than a caller can bear. A look that failed is an answer too and is kept alike, so that a proxy that hangs is not
 * asked anew by every call.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Cached } from '../../../kernel/async/cached.ts'
import { Failure } from '../../../kernel/failure.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { ProxySnapshot, SearchableProxy } from '../traefik/port.ts'

export type ProxyObservation =
  | { readonly known: true; readonly snapshot: ProxySnapshot; readonly at: Instant }
  | {
      readonly known: false
      readonly reason: ProxyFailure
      readonly detail: string
      readonly at: Instant
    }

export const PROXY_FAILURES = ['unreachable', 'refused', 'unreadable'] as const
/** Nobody answers in time; we are not let in; what comes is no answer of the proxy. */
export type ProxyFailure = (typeof PROXY_FAILURES)[number]

/** The proxy itself takes changes at most every two seconds (`providersThrottleDuration`). */
const FRESH_MS: Milliseconds = 2000
/** An answer to a caller is due within two seconds. */
const LOOK_TIMEOUT_MS: Milliseconds = 1500
/** Of whoever would go on without an answer where one may forbid it. */
const INSIST_TIMEOUT_MS: Milliseconds = 5000
/** A reading may go on for the next caller: 10,000 domains take a while. */
const READING_MS: Milliseconds = 10_000

export class ProxyWatch {
  readonly api: SearchableProxy
  readonly #clock: Clock
  readonly #closing = new AbortController()
  readonly #observations: Cached<ProxyObservation>
  #index: { readonly of: ProxySnapshot; readonly routers: RouterIndex } | null = null

  readonly #marker_prefix: string
  readonly #seen: (() => void)[] = []

  constructor(
    api: SearchableProxy,
    { clock, marker_prefix }: { readonly clock: Clock; readonly marker_prefix: string },
  ) {
    this.api = api
    this.#clock = clock
    this.#marker_prefix = marker_prefix
    this.#observations = new Cached({
      clock,
      ask: () => this.#observe(),
      keepFor: () => FRESH_MS,
      kept: () => this.#seen.forEach((seen) => seen()),
    })
  }

  /** At most two seconds old. Ends within 1.5 s, and with the signal, whose reason is thrown. */
  look(signal: AbortSignal): Promise<ProxyObservation> {
    return this.#within(LOOK_TIMEOUT_MS, signal, () => this.#observations.get())
  }

  /** The same, within 5 s, and a failure is no older than the call: what did not answer a moment ago is asked once more. */
  insist(signal: AbortSignal): Promise<ProxyObservation> {
    return this.#within(INSIST_TIMEOUT_MS, signal, async () => {
      const before = this.#observations.last
      const seen = await this.#observations.get()
      if (seen.known || seen !== before) return seen
      this.#observations.forget()
      return this.#observations.get()
    })
  }

  #within(
    ms: Milliseconds,
    signal: AbortSignal,
    ask: () => Promise<ProxyObservation>,
  ): Promise<ProxyObservation> {
    return withTimeout({ clock: this.#clock, ms, signal }, ask, (): ProxyObservation => ({
      known: false,
      reason: 'unreachable',
      detail: `${this.api.origin} did not answer within ${ms} ms.`,
      at: this.#clock.now(),
    }))
  }

  /** What was seen last, however old; null before the first look. */
  get last(): ProxyObservation | null {
    return this.#observations.last
  }

  /** Calls `seen` whenever the proxy was asked anew, whoever asked. */
  onObserved(seen: () => void): void {
    this.#seen.push(seen)
  }

  /** The same by name, made once for each look. */
  routersOf(snapshot: ProxySnapshot): RouterIndex {
    if (this.#index?.of !== snapshot)
      this.#index = { of: snapshot, routers: indexOf(snapshot, this.#marker_prefix) }
    return this.#index.routers
  }

  /** Something was deployed: what was seen before says nothing any more, nor does what is being read. */
  forget(): void {
    this.#observations.forget()
  }

  /** Ends with the daemon. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  async close(): Promise<void> {
    this.#closing.abort(new Failure('shutting_down', 'The proxy is not asked any more.'))
    await this.#observations.asking?.catch(() => undefined)
  }

  async #observe(): Promise<ProxyObservation> {
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(READING_MS)])
      const snapshot = await this.api.snapshot(signal)
      return { known: true, snapshot, at: snapshot.at }
    } catch (error) {
      const detail = wordsOf(error, this.api.origin)
      return { known: false, reason: failureOf(error), detail, at: this.#clock.now() }
    }
  }
}

/** By kind and full name: `http plumbline-site_app.example.com@file`. */
export interface RouterIndex {
  readonly routers: ReadonlyMap<string, ProxySnapshot['routers'][number]>
  readonly services: ReadonlyMap<string, ProxySnapshot['services'][number]>
  /** Those that name our renderings. */
  readonly middlewares: ProxySnapshot['middlewares']
}

const indexOf = ({ routers, services, middlewares }: ProxySnapshot, marker_prefix: string): RouterIndex => ({
  middlewares: middlewares.filter(({ name }) => name.startsWith(marker_prefix)),
  routers: new Map(routers.map((router) => [`${router.kind} ${router.name}`, router])),
  services: new Map(services.map((service) => [`${service.kind} ${service.name}`, service])),
})

function failureOf(error: unknown): ProxyFailure {
  if (!(error instanceof Failure)) return 'unreachable'
  if (error.code === 'provider_credentials') return 'refused'
  return error.details.facts?.['reason'] === 'unreadable' ? 'unreadable' : 'unreachable'
}

/** A bug of ours must not look like a proxy that is down. */
export function wordsOf(error: unknown, origin: string): string {
  if (error instanceof Failure) return error.message
  if (error instanceof DOMException) return `${origin} did not answer in time.`
  throw error
}
