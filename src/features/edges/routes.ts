/**
 * The released routes as edges are served them: exactly what was deployed last, never what is merely saved.
 *
 * A proxy replaces all its routes by what it gets, so there is no empty answer: without a release, without its bytes or
 * without the database the call fails, and the proxy keeps what it has.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { Instant } from '../../kernel/clock.ts'
import { sha256 } from '../../kernel/digest.ts'
import { SingleFlight } from '../../kernel/async/single-flight.ts'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import { ROUTES } from '../releases/read.ts'
import { routesJson } from '../routes/render/as-json.ts'
import type { ReleasedRoutes } from '../routes/target/released.ts'

export interface ServedRoutes {
  /** SHA-256 of `json`. */
  readonly version: string
  /** The newest release with these routes. */
  readonly release: number
  readonly json: string
}

interface Made extends ServedRoutes {
  readonly digest: string
}

export class EdgeRoutes {
  readonly #store: StoreReader
  readonly #released: ReleasedRoutes
  readonly #assertNewest: () => Promise<void>
  #made: Made | null = null
  readonly #making = new SingleFlight(() => this.#make())

  /** @param assertNewest throws while the world is newer than the database, or may be: an edge keeps what it has. */
  constructor(store: StoreReader, released: ReleasedRoutes, assertNewest: () => Promise<void>) {
    this.#store = store
    this.#released = released
    this.#assertNewest = assertNewest
  }

  /** Throws `component_unavailable` where nothing is released, `store_unavailable` where that cannot be known. */
  async current(): Promise<ServedRoutes> {
    await this.#assertNewest()
    const head = await this.#store.latestRelease()
    const digest = head?.digests[ROUTES]
    if (head === null || digest === undefined) throw NOTHING_RELEASED()
    // What was begun for an older release may be under way.
    if (this.#made?.digest !== digest) this.#made = await this.#making.afresh()
    const { version, json, release } = this.#made
    return { version, json, release: this.#made.digest === digest ? head.number : release }
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

  /** When the newest release was made; null without one. */
  async releasedAt(): Promise<Instant | null> {
    return (await this.#store.latestRelease())?.created_at ?? null
  }

  async #make(): Promise<Made> {
    const head = await this.#store.latestRelease()
    const released = await this.#released.newest()
    if (head === null || released === null) throw NOTHING_RELEASED()
    // To render them again takes its time as well.
    await othersTurn()
    const json = await routesJson(released.objects())
    return { digest: released.checksum, version: sha256([json]), json, release: head.number }
  }
}

const UNSERVABLE: readonly FailureCode[] = ['component_unavailable', 'internal', 'restored_from_backup']

const NOTHING_RELEASED = (): Failure =>
  new Failure(
    'component_unavailable',
    'Nothing has been deployed yet, so there are no routes to serve. Deploy first.',
  )
