/**
 * The released routes as edges are served them: what the proxy here is to serve of them, and never what is merely saved. A
 * route that is kept out of its file, because it would stand open, is kept from edges as well.
 *
 * A proxy replaces all its routes by what it gets, so there is no empty answer: without a release, without its bytes, without
 * the database, or where what is to be kept out is not found out in time, the call fails, and the proxy keeps what it has.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { SingleFlight } from '../../kernel/async/single-flight.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { sha256 } from '../../kernel/digest.ts'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { Servable } from '../routes/opens/exclude-routes.ts'
import { routesJson } from '../routes/render/as-json.ts'
import { ROUTES_KEY } from '../routes/target/diff.ts'
import type { RoutesDesired } from '../routes/target/desire.ts'
import type { ReleasedRoutes } from '../routes/target/released.ts'

export interface ServedRoutes {
  /** SHA-256 of `json`. */
  readonly version: string
  /** The newest release with these routes. */
  readonly release: number
  readonly json: string
}

export interface EdgeRoutesParts {
  readonly store: StoreReader
  readonly clock: Clock
  readonly released: ReleasedRoutes
  readonly servable: Servable
  /** Throws while the world is newer than the database, or may be: an edge keeps what it has. */
  readonly assertNewest: () => Promise<void>
}

/** To find out what is to be kept out, the SSO provider may be asked. */
const MAX_LOOK_MS: Milliseconds = 5000
/** Of many releases in a row. */
const MAX_TRIES = 3

export class EdgeRoutes {
  readonly #parts: EdgeRoutesParts
  #made: { readonly of: RoutesDesired; readonly json: string; readonly version: string } | null = null
  /** What is kept out may be other routes than before without a release. */
  #changed_at: Instant = 0
  // What was begun for an older release may be under way, so nobody joins it.
  readonly #making = new SingleFlight(() => this.#make())

  constructor(parts: EdgeRoutesParts) {
    this.#parts = parts
  }

  /** Throws `component_unavailable` where nothing is released, `store_unavailable` where that cannot be known. */
  async current(): Promise<ServedRoutes> {
    await this.#parts.assertNewest()
    return this.#making.afresh()
  }

  /** Null where there is none that could be served; a list of edges is told all the same. */
  async version(): Promise<string | null> {
    try {
      return (await this.current()).version
    } catch (error) {
      if (error instanceof Failure && UNSERVABLE.includes(error.code)) return null
      throw error
    }
  }

  /** Since when they are to be served as they are now, as far as this process knows; null without a release. */
  async changedAt(): Promise<Instant | null> {
    const released_at = (await this.#parts.store.latestRelease())?.created_at ?? null
    return released_at === null ? null : Math.max(released_at, this.#changed_at)
  }

  async #make(tries = 1): Promise<ServedRoutes> {
    const { store, clock, released, servable } = this.#parts
    const head = await store.latestRelease()
    const newest = head?.digests[ROUTES_KEY] === undefined ? null : await released.newest()
    if (head === null || newest === null) throw NOTHING_RELEASED()
    const of = await withTimeout(
      { clock, ms: MAX_LOOK_MS },
      (signal) => servable(newest, signal),
      () => {
        throw NOT_KNOWN()
      },
    )
    // What is kept out was found out for the newest release, which may be another by now.
    const newer = (await store.latestRelease())?.digests[ROUTES_KEY]
    if (newer !== head.digests[ROUTES_KEY]) {
      if (tries >= MAX_TRIES) throw NOT_KNOWN()
      return this.#make(tries + 1)
    }
    if (this.#made?.of !== of) {
      // To render them again takes its time as well.
      await othersTurn()
      const json = await routesJson(of.objects())
      const version = sha256([json])
      if (this.#made !== null && this.#made.version !== version) this.#changed_at = clock.now()
      this.#made = { of, json, version }
    }
    const { json, version } = this.#made
    return { json, version, release: head.number }
  }
}

const UNSERVABLE: readonly FailureCode[] = ['component_unavailable', 'internal', 'restored_from_backup']

const NOTHING_RELEASED = (): Failure =>
  new Failure(
    'component_unavailable',
    'Nothing has been deployed yet, so there are no routes to serve. Deploy first.',
  )

const NOT_KNOWN = (): Failure =>
  new Failure(
    'component_unavailable',
    'Which routes are kept out is not known: the SSO provider has not answered in time. The edge keeps what it has.',
  )
