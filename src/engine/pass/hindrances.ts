/**
 * What keeps records from being deployed at all: asked of the world before the first write of any component, so that a
 * record that cannot be carried out whole is not carried out in part.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { RefusedRow } from '../../model/plan.ts'
import type { RefusedRepair } from '../../model/report.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { observeWithin, callerTimeout } from '../observation.ts'
import { type Components, concerns } from '../components.ts'
import { type Editions, movedRows } from '../editions/editions.ts'
import type { AnyTarget } from '../target.ts'

export interface HindranceParts {
  readonly store: StoreReader
  readonly editions: Editions
  readonly components: Components
  readonly clock: Clock
}

export interface Candidates {
  readonly rows: readonly ReleaseRow[]
  /** Also what would not move: who asks for one record asks whether that stands. */
  readonly all: boolean
}

/** Whoever deploys waits for the questions that are asked beyond a look. */
const MAX_ASKING_MS = 10_000

/**
 * Those of the rows that must not be released now, each with the first reason. What could not be looked at hinders
 * whoever takes a name that was not its own: it may be somebody else's. Whoever keeps its name goes on.
 */
export async function hindrancesOf(
  { store, editions, components, clock }: HindranceParts,
  { rows, all }: Candidates,
  signal: AbortSignal,
): Promise<readonly RefusedRow[]> {
  const released = await store.intent('released')
  const candidates = all ? rows : movedRows(rows, released)
  const moving = candidates.flatMap(({ row }) => (row?.live === true ? [row] : []))
  if (moving.length === 0) return []
  const { intent, desired } = await editions.prospect(store, components.blueprints, rows)
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const asked = components
    .targetsFor(released, intent)
    .filter((target) => target.hindrances !== undefined && concerns(target, moving))
  await othersTurn(rows.length)
  const found = await Promise.all(
    asked.map(async (target) => {
      const theirs = moving.filter((row) => target.concerns?.(row) ?? true)
      const wanted = desired.get(target.artifact)
      return hindrancesAt(target, { wanted, theirs, before }, { clock, signal })
    }),
  )
  const first = new Map<number, RefusedRow>()
  for (const one of found.flat()) if (!first.has(one.domain_id)) first.set(one.domain_id, one)
  return [...first.values()]
}

interface HindranceQuestion {
  readonly wanted: unknown
  readonly theirs: readonly IntentRow[]
  readonly before: ReadonlyMap<number, IntentRow>
}

async function hindrancesAt(
  target: AnyTarget,
  { wanted, theirs, before }: HindranceQuestion,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly RefusedRow[]> {
  const unknown = (detail: string): RefusedRow[] =>
    theirs.flatMap((row) => {
      const old = before.get(row.domain_id)
      const { domain } = row.fields
      const is_new = old?.live !== true
      if (!is_new && old.fields.domain === domain) return []
      const then = is_new ? 'it is not deployed' : `${old.fields.domain} stays as it is`
      const message = `Whether ${domain} is free is not known, so ${then}. ${detail}`
      return [refused(row, { code: 'component_unavailable', message })]
    })
  const look = await observeWithin(target, { clock, max_ms: callerTimeout(target) }, signal)
  if (!look.known) return unknown(look.detail)
  const ids = theirs.map(({ domain_id }) => domain_id)
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_ASKING_MS)])
    const found = await target.hindrances!({ desired: wanted, observed: look.state, ids }, bounded)
    return theirs.flatMap((row) => {
      const hindrance = found.find(({ domain_ids }) => domain_ids.includes(row.domain_id))
      return hindrance === undefined ? [] : [refused(row, hindrance.failure)]
    })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure) return unknown(error.message)
    if (error instanceof DOMException) return unknown(`${target.key} did not answer in time.`)
    throw error
  }
}

const refused = (
  { domain_id, fields }: IntentRow,
  { code, message }: Pick<RefusedRepair, 'code' | 'message'>,
): RefusedRow => ({ domain_id, domain: fields.domain, code, message })
