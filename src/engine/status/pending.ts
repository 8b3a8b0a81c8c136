/**
 * What waits for a deploy, key by key, without an observation: the released edition beside what a deploy of everything
 * would make of it. The working edition itself is no measure: it also names records that were never live and concern nobody.
 * Cached until one of them moves, so asking again costs nothing.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { DriftCause } from '../../model/drift.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { type Components, concerns } from '../components.ts'
import { digestOf } from '../editions/derivations.ts'
import { type Editions, pendingBetween } from '../editions/editions.ts'
import type { AnyTarget } from '../target.ts'

export interface PendingKey {
  readonly component: string
  readonly key: string
  /** Null where a deploy would leave the key as it is. */
  readonly waiting: Waiting | null
}

export interface Waiting {
  /** The same word as an observation gives where the world is what was released. */
  readonly cause: Extract<DriftCause, 'pending_deploy' | 'renderer_changed'>
  /** Whose saved state is not the deployed one; empty where settings alone have changed. */
  readonly domains: readonly string[]
}

export interface PendingRelease {
  /** The working edition that this is about. */
  readonly working: Intent
  /** Every key that is released or that a deploy of everything would bring, in the order of work. */
  readonly keys: readonly PendingKey[]
}

export interface PendingParts {
  readonly store: StoreReader
  readonly editions: Editions
  readonly components: Components
}

export class PendingKeys {
  readonly #parts: PendingParts
  #cached: (PendingRelease & { readonly released: Intent; readonly release: number }) | null = null

  constructor(parts: PendingParts) {
    this.#parts = parts
  }

  /** The places of the world may be others. */
  forget(): void {
    this.#cached = null
  }

  async read(): Promise<PendingRelease> {
    const { store, components } = this.#parts
    const working = await store.intent('working')
    const released = await store.intent('released')
    const release = (await store.latestRelease())?.number ?? 0
    const cached = this.#cached
    if (cached?.working === working && cached.released === released && cached.release === release)
      return cached
    const rows = pendingBetween(working, released)
    const before = new Map(released.rows.map((row) => [row.domain_id, row]))
    const deployed = this.#parts.editions.deployed(released, rows)
    const compare = this.#comparison(deployed)
    const keys: PendingKey[] = []
    for (const target of components.targetsFor(released, deployed)) {
      const waiting = (await compare(target)) ? null : waitingFor(target, rows, before)
      keys.push({ component: target.name, key: target.key, waiting })
    }
    this.#cached = { working, released, release, keys }
    return this.#cached
  }

  /** Whether a key is the same after that deploy. A component that many keys share is frozen once. */
  #comparison(deployed: Intent): (target: AnyTarget) => Promise<boolean> {
    const { editions } = this.#parts
    const frozen = new Map<string, { readonly desired: unknown; readonly digest: string }>()
    return async (target) => {
      const { artifact, codec } = target
      const released = await editions.released(target)
      if (released === null || target.constant === true) return true
      let after = frozen.get(artifact)
      if (after === undefined) {
        await othersTurn(deployed.rows.length)
        const desired = await editions.foreseen(target, deployed)
        after = { desired, digest: digestOf(codec, desired) }
        frozen.set(artifact, after)
      }
      if (after.digest === released.digest) return true
      return (
        target.portion !== undefined && target.portion(after.desired) === target.portion(released.desired)
      )
    }
  }
}

function waitingFor(
  target: AnyTarget,
  rows: readonly ReleaseRow[],
  before: ReadonlyMap<number, IntentRow>,
): Waiting {
  const theirs = rows.flatMap(({ domain_id, row }) => {
    const sides = [row, before.get(domain_id) ?? null].filter((side) => side !== null)
    return concerns(target, sides) ? [sides[0]!.fields.domain] : []
  })
  return { cause: rows.length > 0 ? 'pending_deploy' : 'renderer_changed', domains: theirs }
}
