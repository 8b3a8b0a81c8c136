/**
 * Restores an older release: the records are put back as they stood in it, and one new release makes the world follow.
 * History is never rewritten, a disabled record never revived, and nothing deleted.
 */
import { inPieces } from '../../../kernel/async/in-pieces.ts'
import { othersTurn } from '../../../kernel/async/others-turn.ts'
import { wholeBecameOf } from '../../../model/domain/became.ts'
import { isSameIn } from '../../../model/domain/field-changes.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { pendingBetween } from '../../../engine/editions/editions.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, type FieldError, invalid } from '../../../kernel/failure.ts'
import { checkNew, type Offer } from '../../../model/domain/rules.ts'
import type { Intent } from '../../../model/intent.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../../core/answers.ts'
import { outcomeAudited } from '../../../core/audit/failed.ts'
import { type AuditFacts, OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { commit } from '../../../core/commit/commit.ts'
import { type Change, opening } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { carryOut, type CarriedOut, type Moved } from './carry-out.ts'
import type { NamedRow } from '../diff-editions.ts'
import { type Restoration, restorationOf, type SkippedRecord } from './restoration.ts'
import { standIns } from './stand-ins.ts'

export interface RestoreLists {
  /** With the names of the fields that moved; `status` is one of them. */
  readonly restored: readonly (NamedRow & { readonly changed: readonly string[] })[]
  readonly deactivated: readonly NamedRow[]
  /** Deleted since and created anew, under a new id. */
  readonly created: readonly (NamedRow & { readonly replaces: number })[]
  readonly skipped: readonly SkippedRecord[]
}

export type RestoreAnswer = RestoreLists & DeploymentResult
export type RestorePlan = RestoreLists & PlannedAnswer

export interface Restore {
  readonly number: number
  /** Ids of the records that are put back; null, and left out: all. */
  readonly only?: ReadonlySet<number> | null
}

/** Throws `not_found`, `validation_failed` for what today's rules refuse, `conflict` for what others hold by now. */
export async function restoreRelease(
  deps: Deps,
  { number, only = null }: Restore,
  caller: Caller,
): Promise<RestoreAnswer | RestorePlan> {
  const work = opening('each', (tx, at) => restoreWork(deps, tx, { number, only, at }))
  const committed = await commit(deps, caller, work)
  const { lists, domain_ids } = committed.result
  if (committed.planned) return { ...lists, ...planned(committed.plan) }
  const { head, warnings, refused, renamed } = committed
  const message = messageOf(number, lists)
  const change = { message, domain_ids, head, warnings, refused, renamed, progress: caller.progress }
  const deploy = () => deps.deploy({ ...change, direction: 'open' })
  return { ...lists, ...(await outcomeAudited(deps, { caller, action: 'restore' }, deploy)) }
}

interface Restored {
  readonly lists: RestoreLists
  readonly domain_ids: readonly number[]
}

async function restoreWork(
  { offer }: CoreParts,
  tx: StoreWriter,
  { number, only = null, at }: Restore & { readonly at: Instant },
): Promise<Change<Restored>> {
  const edition = await tx.releasedAt(number)
  const [working, released] = [await tx.intent('working'), await tx.intent('released')]
  const disabled = await disabledIds(tx)
  const stand_ins = await standIns(tx, edition, working)
  if (only !== null) assertKnown(number, only, [edition, working])
  // Of thousands of records each step takes its time, and who calls meanwhile does not wait for all of them.
  const turn = () => othersTurn(edition.rows.length + working.rows.length)
  await turn()
  const restoration = restorationOf({ edition, working, disabled, stand_ins, only })
  await turn()
  const allowed = await assertAllowed(restoration, offer)
  await turn()
  const warnings = [...allowed, ...lostEdits(restoration, released)]
  assertFree(number, restoration)
  const done = await carryOut(tx, restoration, { at, release: number })
  // All that is live by now is what the edition names, so whatever is pending belongs to the restore; of chosen ones theirs alone.
  const goes = new Map(done.deactivated.map(({ after, row }) => [after.id, row]))
  const pending = pendingBetween(await tx.intent('working'), released).map(({ domain_id, row }) => ({
    domain_id,
    row: goes.get(domain_id) ?? row,
  }))
  const theirs = new Set([
    ...(only ?? []),
    ...done.created.map(({ after }) => after.id),
    ...stoodIn(stand_ins, only),
  ])
  const rows = only === null ? pending : pending.filter(({ domain_id }) => theirs.has(domain_id))
  return {
    result: {
      lists: listsOf(done, restoration.skipped),
      domain_ids: rows.map(({ domain_id }) => domain_id),
    },
    audit: auditsOf(done, number),
    release: rows,
    becomes: [...done.restored, ...done.deactivated, ...done.created].flatMap(({ before, after }) =>
      wholeBecameOf(before, after),
    ),
    reason: only === null ? `restore release ${number}` : `restore ${only.size} of release ${number}`,
    warnings,
  }
}

/** Records of today in place of chosen ones that the edition knows. */
const stoodIn = (
  stand_ins: ReadonlyMap<number, number>,
  only: ReadonlySet<number> | null,
): readonly number[] => [...(only ?? [])].flatMap((id) => stand_ins.get(id) ?? [])

function assertKnown(number: number, only: ReadonlySet<number>, editions: readonly Intent[]): void {
  const known = new Set(editions.flatMap(({ rows }) => rows.map(({ domain_id }) => domain_id)))
  const unknown = [...only].filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new Failure(
      'not_found',
      `There is no domain with id ${unknown.slice(0, 10).join(', ')}, neither today nor in release ${number}.`,
    )
}

export async function disabledIds(reader: StoreReader): Promise<ReadonlySet<number>> {
  const ids = new Set<number>()
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { status: 'disabled', sort: 'id', limit: 1000 } as const
    const page = await reader.domains(cursor === undefined ? query : { ...query, cursor })
    for (const { id } of page.records) ids.add(id)
    cursor = page.next
  }
  return ids
}

/** The rules of today judge what was allowed then. Answers their warnings, throws `validation_failed` with all faults. */
async function assertAllowed({ restore, create }: Restoration, offer: Offer): Promise<readonly string[]> {
  const errors: FieldError[] = []
  const warnings: string[] = []
  await inPieces([...restore, ...create], ({ fields }) => {
    const checked = checkNew({ ...fields }, offer)
    if (checked.ok) warnings.push(...checked.warnings.map((warning) => `${fields.domain}: ${warning}`))
    else
      errors.push(
        ...checked.errors.map((e) => ({ ...e, loc: ['release', fields.domain, ...e.loc.slice(1)] })),
      )
  })
  if (errors.length > 0) throw invalid(errors)
  return warnings
}

function assertFree(number: number, { conflicts }: Restoration): void {
  if (conflicts.length === 0) return
  const named = conflicts.slice(0, 10).map(({ message }) => message)
  const more = conflicts.length > named.length ? ` And ${conflicts.length - named.length} more.` : ''
  throw new Failure(
    'conflict',
    `Release ${number} cannot be restored: ${named.join(' ')}${more} Rename or delete what stands in the way.`,
    { facts: { conflicts } },
  )
}

/** Edits that were saved and never deployed are in no release: what replaces them is told, and the audit trail keeps them. */
export function lostEdits({ restore }: Pick<Restoration, 'restore'>, released: Intent): readonly string[] {
  const deployed = new Map(released.rows.map((row) => [row.domain_id, row]))
  return restore.flatMap(({ present }) => {
    const row = deployed.get(present.domain_id)
    // A discard is a revision of its own, and saves what is released.
    const is_other = row !== undefined && !isSameIn(row.fields, present.fields)
    const lost = present.live && is_other
    return lost ? [`${present.fields.domain}: a saved change that was never deployed is replaced.`] : []
  })
}

const listsOf = (
  { restored, deactivated, created }: CarriedOut,
  skipped: readonly SkippedRecord[],
): RestoreLists => ({
  restored: restored.map((moved) => ({ ...named(moved), changed: changedIn(moved) })),
  deactivated: deactivated.map(named),
  created: created.map((moved) => ({ ...named(moved), replaces: moved.audit.detail!['replaces'] as number })),
  skipped,
})

const named = ({ after }: Moved): NamedRow => ({ domain_id: after.id, domain: after.domain })

const changedIn = ({ audit }: Moved): string[] =>
  Object.keys(audit.detail ?? {}).filter((name) => name !== 'release')

/** One entry for each record that moves. A restore that finds everything in place is noted as such. */
function auditsOf({ restored, deactivated, created }: CarriedOut, release: number): readonly AuditFacts[] {
  const entries = [...restored, ...deactivated, ...created].map(({ audit }) => audit)
  if (entries.length > 0) return entries
  return [{ ...OF_NO_RECORD, action: 'restore', detail: { release } }]
}

function messageOf(number: number, { restored, deactivated, created, skipped }: RestoreLists): string {
  const moved = restored.length + created.length + deactivated.length
  const left = skipped.length === 0 ? '' : ` ${skipped.length} skipped.`
  return moved === 0
    ? `Nothing was restored: the records stand already as they did in release ${number}.${left}`
    : `Release ${number} is restored: ${restored.length} restored, ${created.length} created, ` +
        `${deactivated.length} deactivated, ${skipped.length} skipped.`
}
