/**
 * What waits for a deploy, key by key, without a look at the world: the released edition beside what a deploy of everything
 * would make of it. The working edition itself is no measure: it also names records that were never live and concern nobody.
 * Kept until one of them moves, so asking again costs nothing.
 */
import type { DriftCause } from '../../model/drift.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow, StoreReader } from '../../ports/store.ts'
import { type Components, concerns } from '../components.ts'
import { type Editions, pendingBetween, withRows } from '../editions/editions.ts'
import type { AnyTarget } from '../target.ts'

export interface AwaitingKey {
  readonly component: string
  readonly key: string
  /** Null where a deploy would leave the key as it is. */
  readonly waits: Waits | null
}

export interface Waits {
  /** The same word as a look gives where the world is what was released. */
  readonly cause: Extract<DriftCause, 'pending_deploy' | 'renderer_changed'>
  /** Whose saved state is not the deployed one; empty where settings alone have changed. */
  readonly domains: readonly string[]
}

export interface AwaitingRelease {
  /** The working edition that this is about. */
  readonly working: Intent
  /** Every key of either edition, in the order of work. */
  readonly keys: readonly AwaitingKey[]
}

export interface AwaitingParts {
  readonly store: StoreReader
  readonly editions: Editions
  readonly components: Components
}

export class Awaiting {
  readonly #parts: AwaitingParts
  #kept: (AwaitingRelease & { readonly released: Intent; readonly release: number }) | null = null

  constructor(parts: AwaitingParts) {
    this.#parts = parts
  }

  /** The places of the world may be others. */
  forget(): void {
    this.#kept = null
  }

  async read(): Promise<AwaitingRelease> {
    const { store, components } = this.#parts
    const working = await store.intent('working')
    const released = await store.intent('released')
    const release = (await store.latestRelease())?.number ?? 0
    const kept = this.#kept
    if (kept?.working === working && kept.released === released && kept.release === release) return kept
    const rows = pendingBetween(working, released)
    const before = new Map(released.rows.map((row) => [row.domain_id, row]))
    const compare = this.#comparison(rows.length === 0 ? released : withRows(released, rows))
    const keys: AwaitingKey[] = []
    for (const target of components.targetsFor(released, working)) {
      const waits = (await compare(target)) ? null : waitsOf(target, rows, before)
      keys.push({ component: target.name, key: target.key, waits })
    }
    this.#kept = { working, released, release, keys }
    return this.#kept
  }

  /** Whether a key is the same after that deploy. A component that many keys share is frozen once. */
  #comparison(deployed: Intent): (target: AnyTarget) => Promise<boolean> {
    const { editions } = this.#parts
    const frozen = new Map<string, { readonly desired: unknown; readonly digest: string }>()
    return async (target) => {
      const { artifact, codec } = target
      const released = await editions.released(target)
      if (released === null || target.constant === true) return true
      const after = frozen.get(artifact) ?? frozenFrom(target.desire(deployed), codec)
      frozen.set(artifact, after)
      if (after.digest === released.digest) return true
      return (
        target.portion !== undefined && target.portion(after.desired) === target.portion(released.desired)
      )
    }
  }
}

const frozenFrom = (desired: unknown, codec: AnyTarget['codec']) => ({
  desired,
  digest: codec.freeze(desired).digest,
})

function waitsOf(
  target: AnyTarget,
  rows: readonly ReleaseRow[],
  before: ReadonlyMap<number, IntentRow>,
): Waits {
  const theirs = rows.flatMap(({ domain_id, row }) => {
    const sides = [row, before.get(domain_id) ?? null].filter((side) => side !== null)
    return concerns(target, sides) ? [sides[0]!.fields.domain] : []
  })
  return { cause: rows.length > 0 ? 'pending_deploy' : 'renderer_changed', domains: theirs }
}
