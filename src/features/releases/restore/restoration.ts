/**
 * What restoring an edition does to each record of today. Pure.
 *
 *   live in the edition, today …        live or inactive → its fields, live      disabled → stays so, skipped
 *                                       deleted → created anew
 *   not live in the edition, today …    live → inactive, fields kept             else → stays as it is
 *
 * A row that was not live then tells nothing about its fields: the record may have been edited after it went off line.
 * Nothing is ever deleted. A name or an entrypoint that is wanted and that another record keeps is a conflict.
 */
import { isSameIn } from '../../../model/domain/field-changes.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import { claimsOf } from '../../../engine/editions/releasable.ts'

export interface RestoreFacts {
  /** The released edition as it was then. */
  readonly edition: Intent
  readonly working: Intent
  readonly disabled: ReadonlySet<number>
  /** By the id that the edition knows: the record of today that was created in place of the deleted one. */
  readonly stand_ins: ReadonlyMap<number, number>
  /** Ids of today, or that the edition knows: all others stay as they are. Null, and left out: every record. */
  readonly only?: ReadonlySet<number> | null
}

export interface Restoration {
  readonly restore: readonly RestoredRow[]
  readonly deactivate: readonly IntentRow[]
  readonly create: readonly IntentRow[]
  readonly skipped: readonly SkippedRecord[]
  readonly conflicts: readonly RestoreConflict[]
}

export interface RestoredRow {
  /** As it is today. */
  readonly present: IntentRow
  /** As they were then. */
  readonly fields: DomainFields
}

export interface SkippedRecord {
  readonly domain_id: number
  readonly domain: string
  readonly reason: string
}

export interface RestoreConflict {
  /** Id and name that the edition knows. */
  readonly domain_id: number
  readonly domain: string
  /** The record of today that keeps what is wanted. */
  readonly held_by: number
  readonly message: string
}

export function restorationOf(facts: RestoreFacts): Restoration {
  const { working, disabled, only = null } = facts
  const { wanted, create } = match(facts)
  const isMeant = ({ domain_id }: IntentRow): boolean =>
    only === null || only.has(domain_id) || only.has(wanted.get(domain_id)?.domain_id ?? domain_id)
  const restore: RestoredRow[] = []
  const deactivate: IntentRow[] = []
  const skipped: SkippedRecord[] = []
  const names = new Set<string>()
  for (const present of working.rows.filter(isMeant)) {
    const then = wanted.get(present.domain_id)
    if (then === undefined) {
      if (present.live) deactivate.push(present)
      // What was live under its name then is what was asked for, and cannot come back beside it.
      names.add(present.fields.domain)
    } else if (disabled.has(present.domain_id)) skipped.push(skip(present))
    else if (!present.live || !isSameIn(present.fields, then.fields))
      restore.push({ present, fields: then.fields })
  }
  const created = create.filter((row) => isMeant(row) || names.has(row.fields.domain))
  return { restore, deactivate, create: created, skipped, conflicts: conflictsOf(facts, restore, created) }
}

/** Live rows of the edition by the record of today that they mean; those without one are to be created. */
function match({ edition, working, stand_ins }: RestoreFacts): {
  wanted: ReadonlyMap<number, IntentRow>
  create: readonly IntentRow[]
} {
  const present = new Set(working.rows.map(({ domain_id }) => domain_id))
  const wanted = new Map<number, IntentRow>()
  const create: IntentRow[] = []
  for (const row of edition.rows.filter(({ live }) => live)) {
    const id = present.has(row.domain_id) ? row.domain_id : stand_ins.get(row.domain_id)
    if (id === undefined) create.push(row)
    else wanted.set(id, row)
  }
  return { wanted, create }
}

/** Live rows of one edition never hold the same thing, so only records that stay where they are can be in the way. */
function conflictsOf(
  { working, disabled }: RestoreFacts,
  restore: readonly RestoredRow[],
  create: readonly IntentRow[],
): RestoreConflict[] {
  const moving = new Set(restore.map(({ present }) => present.domain_id))
  const held = new Map<string, IntentRow>()
  for (const row of working.rows.filter(({ domain_id }) => !moving.has(domain_id)))
    for (const thing of heldBy(row, disabled)) held.set(thing, row)
  const wanting = [
    ...restore.map(({ present, fields }) => ({ domain_id: present.domain_id, fields })),
    ...create,
  ]
  return wanting.flatMap((row) =>
    claimsOf(row).flatMap((thing) => {
      const holder = held.get(thing)
      return holder === undefined ? [] : [conflict(row, thing, holder)]
    }),
  )
}

/** A disabled record keeps its name, and nothing else. */
const heldBy = (row: IntentRow, disabled: ReadonlySet<number>): readonly string[] =>
  disabled.has(row.domain_id) ? claimsOf(row).slice(0, 1) : claimsOf(row)

function conflict(
  { domain_id, fields }: Pick<IntentRow, 'domain_id' | 'fields'>,
  thing: string,
  holder: IntentRow,
): RestoreConflict {
  const { domain } = fields
  const { domain_id: held_by } = holder
  const message =
    `${domain} (domain ${domain_id} then): the ${thing} is held by domain ${held_by}` +
    `${holder.fields.domain === domain ? '' : ` (${holder.fields.domain})`}.`
  return { domain_id, domain, held_by, message }
}

const skip = ({ domain_id, fields }: IntentRow): SkippedRecord => ({
  domain_id,
  domain: fields.domain,
  reason: 'It is disabled, which is final.',
})
