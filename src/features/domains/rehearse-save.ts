/** The dry run of a save: the record as it is and as it would be, and what bringing that out would do afterwards. */
import type { RehearsedSave } from './api/save-schemas.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { becameOf } from '../../model/domain/became.ts'
import { movedFields } from '../../model/domain/field-changes.ts'
import { type DomainRecord, FIELD_NAMES, fieldsOf, isLive } from '../../model/domain/record.ts'
import { rowOf } from '../../model/intent.ts'
import type { Plan } from '../../model/plan.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { planned } from '../../core/answers.ts'
import { opening, type Work } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import { rehearse } from '../../core/commit/rehearse.ts'
import { changeStatus } from './change-status.ts'

type SavedRecord = RehearsedSave['after']

/** The call that brings the saved record out, and what it would do: its plan, or why it would be refused. */
type WouldBeDeployed = NonNullable<RehearsedSave['deploy']>

interface Rehearsal {
  readonly before: DomainRecord | null
  readonly after: DomainRecord
  /** Of the save alone: it moves nothing, and has its warnings. */
  readonly plan: Plan
  /** Saves within a transaction that is taken back. */
  readonly save: (tx: StoreWriter, at: Instant) => Promise<DomainRecord>
}

export async function rehearsedSave(
  deps: CoreParts,
  caller: Caller,
  { before, after, plan, save }: Rehearsal,
): Promise<RehearsedSave> {
  const changed = before === null ? FIELD_NAMES : movedFields(before, after)
  return {
    ...planned(plan),
    before: before === null ? null : savedRecord(before),
    after: savedRecord(after),
    changed,
    deploy: after.status === 'disabled' ? null : await deployedThen(deps, caller, { after, save }),
  }
}

/** Of work that moves a record: it is done again, and taken back. */
export const rehearsedChange = (
  deps: CoreParts,
  caller: Caller,
  { result, plan, work }: RehearsedWork,
): Promise<RehearsedSave> =>
  rehearsedSave(deps, caller, {
    before: result.before,
    after: result.record,
    plan,
    save: async (tx, at) => (await work(tx, at)).result.record,
  })

interface Moved {
  readonly before: DomainRecord
  readonly record: DomainRecord
}

interface RehearsedWork extends Pick<Rehearsal, 'plan'> {
  readonly result: Moved
  readonly work: Work<Moved>
}

const savedRecord = (record: DomainRecord): SavedRecord => {
  const { id, status, revision } = record
  return { ...fieldsOf(record), id, status, revision }
}

async function deployedThen(
  deps: CoreParts,
  caller: Caller,
  { after, save }: Pick<Rehearsal, 'after' | 'save'>,
): Promise<WouldBeDeployed> {
  const by = isLive(after) ? 'deploy' : 'activate'
  try {
    const { plan } = await rehearse(deps, caller, workThen(by, save))
    return { by, plan, refused: null }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'internal') throw error
    return { by, plan: null, refused: { code: error.code, message: error.message } }
  }
}

const workThen = (by: WouldBeDeployed['by'], save: Rehearsal['save']): Work<null> =>
  opening('one', async (tx, at) => {
    const saved = await save(tx, at)
    const record = by === 'deploy' ? saved : await changeStatus(tx, saved, 'activate', at)
    const release = [{ domain_id: record.id, row: rowOf(record) }]
    const becomes = becameOf(saved, record)
    return { result: null, audit: [], release, becomes, reason: `${by} ${record.domain}`, warnings: [] }
  })
