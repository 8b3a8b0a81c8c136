/** A key that is observed for an answer: its world, both its editions, and what the engine remembers of it. */
import { REVERTS_WITHIN_MS } from '../../../src/engine/pass/fight.ts'
import type { IgnoredDifferences } from '../../../src/engine/pass/ignored.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { observeKey, type ObserveParts } from '../../../src/engine/status/observed-key.ts'
import type { AnyTarget, Sides } from '../../../src/engine/target.ts'
import type { DriftCause, ExplainedDifference } from '../../../src/model/drift.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { Refusal } from '../../../src/model/report.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { differencesOf, type Items, itemTarget, refusalOf, seenAs } from '../item-target.ts'

export const RELEASED: Items = { a: 'new', b: 'new' }
export const EDITED: Items = { a: 'theirs', b: 'new' }
export const { stringify } = JSON
export const signal = new AbortController().signal
export const ATTEMPT = { key: 'fake', failures: 2, failed_at: 0, next_attempt_at: 9, message: 'no room' }
export const explained = (item: string, cause: DriftCause = 'edited'): ExplainedDifference => ({
  item,
  cause,
  domains: [],
  detail: 'by hand',
})

export interface Scene {
  /** Null: it cannot be read. */
  readonly there?: Items | null
  readonly working?: Items
  readonly released?: Items | null
  /** What was applied last; left out: what is released. Null: nothing was, ever. */
  readonly applied?: Items | null
  /** Something of ours was put there once, at another place if nothing is there. */
  readonly was_written?: boolean
  readonly attempt?: typeof ATTEMPT | null
  readonly mode?: Mode
  readonly damaged?: string
  readonly rows_moved?: boolean
  readonly refused?: readonly string[]
  /** How often somebody has put back what is there. */
  readonly reverts?: number
  /** What the newest release froze; left out: what is released. */
  readonly newest?: Items | null
  readonly ignored?: IgnoredDifferences
  readonly explains?: readonly ExplainedDifference[]
  readonly target?: Partial<AnyTarget>
  readonly parts?: Partial<ObserveParts>
}

export function scene({ released = RELEASED, applied = released, ...given }: Scene) {
  const { there = RELEASED, working = RELEASED, newest = released } = given
  const clock = handClock()
  const told: Sides<unknown, unknown>[] = []
  const asks: unknown[] = []
  const target = itemTarget({
    observe: async (_signal, ask) => {
      asks.push(ask)
      if (there !== null) return seenAs(there)
      return { known: false, reason: 'unreachable', detail: 'nobody answers', at: 1_000 }
    },
    explain: (sides) => {
      told.push(sides)
      return { differences: given.explains ?? [], unified_diff: '- a', note: 'shortened' }
    },
    ...given.target,
  })
  const refused_items = new RefusedItems()
  const refused = new Map(
    differencesOf(released ?? {}, there ?? {}).flatMap((one): [typeof one, Refusal][] =>
      given.refused?.includes(one.key) === true ? [[one, refusalOf(one.key)]] : [],
    ),
  )
  refused_items.note(target, refused, { untried: new Map(), now: 0, random: 0 })
  const written =
    applied === null
      ? null
      : {
          key: 'fake',
          release: 1,
          place: 'memory',
          digest: stringify(applied),
          observed: stringify(applied),
          at: 0,
        }
  const observed = stringify(there)
  const reverts = Array.from({ length: given.reverts ?? 0 }, () => ({
    key: 'fake',
    observed,
    at: clock.now() - REVERTS_WITHIN_MS / 2,
  }))
  const parts = {
    store: {
      revertsSince: async (key: string, since: number) => (key === 'fake' && since === 0 ? reverts : []),
      latestRelease: async () =>
        newest === null ? null : { number: 1, digests: { fake: stringify(newest) } },
      artifactAt: async () => null,
    },
    editions: {
      working: async () => working,
      released: async () => (released === null ? null : { desired: released, digest: stringify(released) }),
      rowsMoved: async () => given.rows_moved === true,
      damageIn: async () => given.damaged ?? null,
    },
    memory: {
      applied: () => written,
      written: () => written,
      wasEverWritten: () => given.was_written ?? written !== null,
      attempt: () => given.attempt ?? null,
      modeOf: () => ({
        scope: '*',
        mode: given.mode ?? 'repair',
        reason: '',
        actor: 'alice',
        expires_at: null,
      }),
    },
    refused_items,
    clock,
    ...(given.ignored && { ignored: given.ignored }),
    ...given.parts,
  } as unknown as ObserveParts
  return { target, parts, told, asks, refused_items }
}

export function observed(given: Scene) {
  const { target, parts } = scene(given)
  return observeKey(target, parts, signal)
}
