/** A plan over targets in memory, both editions as a test has them. */
import { expect } from 'vitest'
import { Components, type Source } from '../../src/engine/components.ts'
import { Editions } from '../../src/engine/editions/editions.ts'
import { ObservationOrder } from '../../src/engine/observation.ts'
import { RefusedItems } from '../../src/engine/pass/refused-items.ts'
import { makePlan, type PlanRequest } from '../../src/engine/plan.ts'
import type { PlanParts } from '../../src/engine/status/planned-target.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import type { DriftCause } from '../../src/model/drift.ts'
import type { Intent } from '../../src/model/intent.ts'
import type { ModeSetting } from '../../src/ports/store.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { anIntent, aRow, type RowWish } from '../fixtures.ts'
import { type Items, itemTarget, seenAs } from './item-target.ts'

export const A = { domain_id: 1, domain: 'a.example.com', backend_port: 81 }
export const B = { domain_id: 2, domain: 'b.example.com', backend_port: 82 }
export const C = { domain_id: 3, domain: 'c.example.com', backend_port: 83 }
export const clock = handClock()
export const moves = (...rows: readonly RowWish[]) =>
  rows.map((row) => ({ domain_id: row.domain_id!, row: aRow({ revision: 2, ...row }) }))

/** An item for each live record, named as the items of a fake: its port. */
const desire = ({ rows }: Intent): Items =>
  Object.fromEntries(
    rows
      .filter(({ live }) => live)
      .map((row) => ['abc'[row.domain_id - 1]!, String(row.fields.backend_port)]),
  )

export const explained = (item: string, cause: DriftCause, ...domains: readonly string[]) => ({
  item,
  cause,
  domains,
  detail: 'why',
})

export interface Scene extends Partial<PlanRequest> {
  readonly released?: readonly RowWish[]
  readonly working?: readonly RowWish[]
  /** Left out: nothing was released yet. */
  readonly release?: number
  readonly sources?: readonly Source[]
  readonly protection?: PlanParts['protection']
}

export const aTarget = (there: Items, over: Partial<AnyTarget> = {}) =>
  itemTarget({ desire, observe: async () => seenAs(there), ...over })
/** One that is never to be looked at. */
export const unasked = (key: string, over: Partial<AnyTarget> = {}) =>
  aTarget({}, { name: key, key, observe: () => expect.unreachable(`${key} was looked at`), ...over })

export function planOf({
  released = [],
  working = released,
  release,
  sources,
  protection,
  ...request
}: Scene) {
  const editions = { released: anIntent(...released), working: anIntent(...working) }
  const frozen = aTarget({}).codec.freeze(desire(editions.released))
  const head = release === undefined ? null : { number: release, digests: { fake: frozen.digest } }
  const store = {
    installation_id: 'here',
    intent: async (edition: 'released' | 'working') => editions[edition],
    latestRelease: async () => head,
    artifact: async () => (head === null ? null : frozen),
  }
  const parts = {
    store,
    editions: new Editions(store as never),
    protection: protection ?? (() => null),
    clock,
    looks: new ObservationOrder(),
    memory: {
      modeOf: () => ({ scope: '*', mode: 'repair', reason: '', actor: 'settings', expires_at: null }),
      modeWith: (set: ModeSetting) => set,
      written: () => ({}),
      applied: () => null,
    },
    refused_items: new RefusedItems(),
    seen: async () => undefined,
  } as unknown as PlanParts
  const wanted = {
    scope: { kind: 'all' },
    reach: { records: 'all' },
    rows: [],
    warnings: [],
    ...request,
  } as const
  return makePlan(new Components(sources ?? [aTarget({})]), parts, wanted, AbortSignal.timeout(60_000))
}
