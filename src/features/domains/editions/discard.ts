/** Gives up what is saved and not deployed: the record is saved as it is released, as a new revision. Nothing outside moves, and
 * what needs no deploy, such as a note, stays as it is saved. */
import type { PlannedAnswer, SuccessAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { type Change, ONLY_SAVES, type Work } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import { findUnchanged } from '../../../core/find-domain.ts'
import { claimsOf } from '../../../engine/editions/releasable.ts'
import { discardedTogether, ringOfDiscards } from '../../../engine/editions/ring.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, invalid } from '../../../kernel/failure.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import {
  type DomainFields,
  type DomainRecord,
  fieldsOf,
  outsideFields,
} from '../../../model/domain/record.ts'
import { type Intent, rowOf } from '../../../model/intent.ts'
import { checkEdited } from '../../../model/domain/rules.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { deployedRow } from '../change-status.ts'
import type { Deps } from '../deps.ts'
import { rehearsedChange } from '../rehearse-save.ts'
import { changedRecord, type ManyChanged, type ManySaved, savedMany } from './change-many.ts'
import { presentOf, type SeenRecord } from './edit-many.ts'
import { park } from './park.ts'
import type { RehearsedSave } from '../api/save-schemas.ts'

interface Discarded {
  readonly before: DomainRecord
  readonly record: DomainRecord
  readonly moved: readonly (keyof DomainFields)[]
}

/**
 * Throws `not_found`, `revision_mismatch`, `conflict` where nothing is released, `name_taken` where another record has the name by
 * now, and `validation_failed` for what today's rules refuse.
 */
export async function discardEdit(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<SuccessAnswer | RehearsedSave> {
  const work: Work<Discarded> = async (tx, at) => {
    const before = await findUnchanged(tx, domain_id, caller)
    return discarded(deps, tx, { before, working: await tx.intent('working') }, at)
  }
  const committed = await commit(deps, caller, work)
  if (committed.planned) return rehearsedChange(deps, caller, { ...committed, work })
  const { result, warnings } = committed
  const { record, moved } = result
  const message =
    moved.length === 0
      ? `${record.domain} is saved as it is released.`
      : `What was saved of ${record.domain} is discarded: ${moved.join(', ')}.`
  return { success: true, domain_id, message, revision: record.revision, warnings }
}

/** Of many records, all of them or none; in the order of the call. Throws what `discardEdit` throws. */
export async function discardMany(
  deps: Deps,
  seen: readonly SeenRecord[],
  caller: Caller,
): Promise<ManySaved | (ManyChanged & PlannedAnswer)> {
  return savedMany(await commit(deps, caller, workOfMany(deps, seen)))
}

const workOfMany =
  (deps: Pick<Deps, 'offer'>, seen: readonly SeenRecord[]): Work<ManyChanged> =>
  async (tx, at) => {
    const present = await presentOf(tx, seen)
    const working = await tx.intent('working')
    const parked = await parkedAmong(tx, present, at)
    const changes = []
    for (const before of present)
      changes.push(await discarded(deps, tx, { before, working, is_parked: parked.has(before.id) }, at))
    return {
      result: { records: changes.map(({ result }) => changedRecord(result.record, result.moved)) },
      audit: changes.flatMap(({ audit }) => audit),
      ...ONLY_SAVES,
      saves: changes.flatMap(({ saves = [] }) => saves),
      moves: changes.flatMap(({ moves = [] }) => moves),
      warnings: changes.flatMap(({ warnings }) => warnings),
    }
  }

interface Discarding {
  readonly before: DomainRecord
  /** As it was saved before the call. */
  readonly working: Intent
  /** It stands under a name of nobody, to make room for the others. */
  readonly is_parked?: boolean
}

async function discarded(
  { offer }: Pick<Deps, 'offer'>,
  tx: StoreWriter,
  { before, working, is_parked = false }: Discarding,
  at: Instant,
): Promise<Change<Discarded>> {
  const checked = checkEdited(fieldsOf(before), outsideFields(await releasedFields(tx, before)), offer)
  if (!checked.ok) throw invalid(checked.errors)
  const { fields, warnings } = checked
  const moved = movedFields(before, fields)
  const is_same = moved.length === 0 && !is_parked
  const record = is_same ? before : await tookBack(tx, before.id, { fields, working, at })
  const result = { before, record, moved }
  const audit = moved.length === 0 ? [] : [auditOf(result)]
  return { result, audit, ...ONLY_SAVES, saves: [record], moves: moved, warnings }
}

/** What they are to take from each other is free: names may have gone round in a circle since the last deploy. */
async function parkedAmong(
  tx: StoreWriter,
  present: readonly DomainRecord[],
  at: Instant,
): Promise<ReadonlySet<number>> {
  const released = new Map((await tx.intent('released')).rows.map((row) => [row.domain_id, row]))
  const moves = present.flatMap((record) => {
    const fields = released.get(record.id)?.fields
    return fields === undefined ? [] : [{ present: rowOf(record), fields }]
  })
  return park(tx, { moves }, at)
}

interface Released {
  readonly fields: DomainFields
  readonly working: Intent
  readonly at: Instant
}

/** Throws `name_taken` and `entrypoint_taken`, with a way out where the one who has it can give up what is saved, too. */
async function tookBack(
  tx: StoreWriter,
  id: number,
  { fields, working, at }: Released,
): Promise<DomainRecord> {
  try {
    return await tx.reviseDomain(id, { fields }, at)
  } catch (error) {
    const holder_id = error instanceof Failure ? error.details.facts?.['domain_id'] : undefined
    if (!(error instanceof Failure) || typeof holder_id !== 'number') throw error
    const editions = { working, released: await tx.intent('released') }
    const way = wayPast(holder_id, { id, fields }, editions)
    throw way === null ? error : new Failure(error.code, `${error.message} ${way}`, error.details)
  }
}

/** Null where the one who has it is released with it, or not at all. */
function wayPast(
  holder_id: number,
  { id, fields }: { readonly id: number; readonly fields: DomainFields },
  editions: Record<'working' | 'released', Intent>,
): string | null {
  const ring = ringOfDiscards(id, editions)
  if (ring.some(({ domain_id }) => domain_id === holder_id)) {
    const ids = new Set(ring.map(({ domain_id }) => domain_id))
    return discardedTogether(editions.working.rows.filter(({ domain_id }) => ids.has(domain_id)))
  }
  const holder = editions.released.rows.find(({ domain_id }) => domain_id === holder_id)
  const claims = new Set(claimsOf({ fields }))
  return holder === undefined || claimsOf(holder).some((claim) => claims.has(claim))
    ? null
    : `Discard what is saved of domain ${holder_id} first.`
}

/** Throws `conflict` where nothing of it is released. */
async function releasedFields(tx: StoreWriter, { id, domain }: DomainRecord): Promise<DomainFields> {
  const released = await deployedRow(tx, id)
  if (released !== undefined) return released.fields
  throw new Failure('conflict', `Nothing of ${domain} is released, so there is nothing to go back to.`, {
    facts: { domain_id: id },
  })
}

const auditOf = ({ before, record, moved }: Discarded) => ({
  action: 'discard',
  domain_id: record.id,
  domain: record.domain,
  revision_before: before.revision,
  revision_after: record.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: record[name] }])),
})
