/** A condition index over one key whose passes and callers a test plays. */
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { REVERTS_WITHIN_MS, siegeOf } from '../../../src/engine/pass/fight.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { CallerObservation } from '../../../src/engine/status/caller-observation.ts'
import { ConditionIndex, type ConditionIndexParts } from '../../../src/engine/status/condition-index.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import type { Condition } from '../../../src/model/condition.ts'
import type { ExplainedDifference } from '../../../src/model/drift.ts'
import type { Report } from '../../../src/model/report.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { anIntent } from '../../fixtures.ts'
import { differencesOf, type Items, itemTarget, seenAs } from '../item-target.ts'

export const WANTED: Items = { a: 'new', b: 'new' }
export const EDITED: Items = { a: 'theirs', b: 'new' }
const [A, B] = ['a.example.com', 'b.example.com']
const NAMES: Readonly<Record<string, string>> = { a: A, b: B }
export const EDIT_OF_A: ExplainedDifference = {
  item: 'item a',
  cause: 'edited',
  domains: [A],
  detail: 'by hand',
}

export const aReport = (over: Partial<Report> = {}): Report => ({
  component: 'fake',
  key: 'fake',
  outcome: 'clean',
  differences: 0,
  repaired: 0,
  failure: null,
  refusals: [],
  release: 1,
  observed_at: 7,
  took_ms: 1,
  next_attempt_at: 9,
  ...over,
})
export const DRIFTING = { outcome: 'left_drifting', differences: 1 } as const
export const failure = (code: 'internal' | 'shutting_down' = 'internal', message = 'why') =>
  ({ code, message, retry_after_ms: 0 }) as const

export const aCondition = (over: Partial<Condition> = {}): Condition => ({
  domain_id: 0,
  component: 'fake',
  status: 'true',
  reason: 'in_sync',
  message: 'It is what was released.',
  observed_revision: null,
  last_transition_at: 3,
  ...over,
})
export const brief = (rows: readonly Condition[]) =>
  rows.map(({ domain_id, reason }) => `${domain_id} ${reason}`)

export interface Scene {
  readonly stored?: readonly Condition[]
  readonly rows_moved?: boolean
  /** How often somebody has let in more. */
  readonly sieges?: number
  readonly guarded?: boolean
  readonly target?: Partial<AnyTarget>
}

export async function indexOf({ stored = [], rows_moved, sieges = 0, guarded, target: over }: Scene = {}) {
  const clock = handClock()
  const looks = new ObservationOrder()
  const world = {
    there: WANTED,
    glance: 'g' as string | null,
    looks: [] as unknown[],
    onLook: async (_signal: AbortSignal): Promise<void> => undefined,
    working: anIntent({ domain: A }, { domain: B }),
    store_works: true,
    onWrite: async (): Promise<void> => undefined,
    trails: [] as string[],
    transactions: 0,
    seen_at: 5 as number | null,
  }
  const [written, logged, gauges, looked_by] = [[], [], [], []] as unknown[][] as [
    unknown[][],
    unknown[][],
    unknown[][],
    unknown[][],
  ]
  const at = clock.now() - REVERTS_WITHIN_MS / 2
  const revert = (key: string) => ({ key, observed: JSON.stringify(EDITED), at })
  const tx = {
    saveConditions: async (rows: readonly Condition[]) => void written.push(['save', brief(rows)]),
    dropConditions: async (key: string, ids: readonly number[]) => void written.push(['drop', key, ids]),
  }
  const parts = {
    store: {
      conditions: async () => stored,
      intent: async () => world.working,
      revertsSince: async (key: string, since: number) => {
        world.trails.push(key)
        const is_siege = key === siegeOf('fake')
        if (since !== 0 || (!is_siege && guarded !== true)) return []
        return Array.from({ length: is_siege ? sieges : 3 }, () => revert(key))
      },
      latestRelease: async () => ({ number: 1, digests: { fake: 'd', other: 'd' } }),
      artifactAt: async () => null,
      write: async (work: (writer: typeof tx) => Promise<void>) => {
        if (!world.store_works) throw new Error('full')
        world.transactions++
        await world.onWrite()
        await work(tx)
      },
    },
    editions: {
      working: async () => WANTED,
      released: async () => ({ desired: WANTED, digest: 'd' }),
      rowsMoved: async () => rows_moved === true,
      damageIn: async () => null,
    },
    memory: {
      attempt: () => null,
      applied: () => ({ digest: 'd' }),
      written: () => ({}),
      modeOf: () => ({ mode: 'repair', reason: '', actor: 'a' }),
    },
    refused_items: new RefusedItems(),
    looks,
    clock,
    log: { warn: (...line: unknown[]) => logged.push(line) },
    metrics: {
      gauge: (...gauge: unknown[]) => gauges.push(gauge),
      forget: (name: string, labels: object) => gauges.push([name, null, labels]),
    },
    seenAt: () => world.seen_at,
    lookBy: (...when: unknown[]) => looked_by.push(when),
  } as unknown as ConditionIndexParts
  const aTarget = (key: string, more: Partial<AnyTarget> = {}) =>
    itemTarget({
      key,
      artifact: key,
      glance: () => world.glance,
      observe: async (signal, ask) => {
        world.looks.push([key, ask])
        const { there } = world
        await world.onLook(signal)
        return seenAs(there)
      },
      explain: ({ observed }) => ({
        differences: differencesOf(WANTED, observed as Items).map(({ key: name, item }) => ({
          ...EDIT_OF_A,
          item,
          domains: [NAMES[name]!],
        })),
        unified_diff: null,
        note: null,
      }),
      ...over,
      ...more,
    })
  const target = aTarget('fake')
  const index = new ConditionIndex(parts)
  clock.pass(50)
  const began = clock.now()
  await index.load()
  index.retarget([target])
  const told = async (over_report: Partial<Report> = {}) => {
    clock.pass(1)
    index.note(aReport(over_report))
    await index.settled()
    return brief(index.of('fake')!.rows)
  }
  /** What a caller has found, by a look that begins now where none is said. */
  const found = (over_found: Partial<CallerObservation> = {}): CallerObservation => ({
    turn: looks.begin(),
    at: 70,
    deviates: true,
    unknown_because: null,
    differences: [EDIT_OF_A],
    ...over_found,
  })
  /** A pass begins to look. */
  const passLooks = () => looks.observe(target, new AbortController().signal, { afresh: false })
  return {
    index,
    world,
    clock,
    began,
    target,
    aTarget,
    written,
    logged,
    gauges,
    looked_by,
    told,
    found,
    passLooks,
  }
}

export const isEdited = (labels: unknown) => (labels as { cause: string }).cause === 'edited'
/** The last one of what was edited. */
export const editedIn = (gauges: unknown[][]) => gauges.findLast(([, , labels]) => isEdited(labels))
