/**
 * Saves what a hand made of a record's routes as an edit of the record, which waits for its deploy like every other. Nothing
 * outside moves by it: until that deploy, a repair puts the released state back as ever.
 */
import type { SavedAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { findUnchanged } from '../../../core/find-domain.ts'
import { hasSameDigest } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { visible } from '../../../kernel/text/visible.ts'
import type { DomainFields, DomainRecord } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { updateDomain } from '../../domains/update.ts'
import { domainOfItem } from '../../routes/render/objects.ts'
import { ROUTES_KEY } from '../../routes/target/diff.ts'
import type { Deps } from '../deps.ts'
import type { RehearsedSave } from '../../domains/api/save-schemas.ts'

/**
 * Throws `not_found` where nothing differs under that name, and `conflict` for what no record can say, for what lets in more
 * than what was released, and for a field that is saved otherwise meanwhile; `revision_mismatch` where the record is not, or
 * is no longer, at the revision that the caller has seen. Then nothing is saved at all.
 */
export async function saveTheirs(
  deps: Deps,
  item: string,
  caller: Caller,
): Promise<SavedAnswer | RehearsedSave> {
  const { row, seen } = await edited(deps, item, caller.signal)
  const { domain } = row.fields
  const theirs = await deps.proxy.theirsOf({ row, seen }, caller.signal)
  if (!theirs.ok) throw refused(domain, `${theirs.reasons.map(visible).join('; ')}.`)
  if ((await deps.store.domain(row.domain_id)) === null)
    throw refused(domain, 'its record is deleted, and waits for the deploy of that.')
  const record = await findUnchanged(deps.store, row.domain_id, caller)
  assertFree(record, row.fields, theirs.fields)
  const answer = await saved(deps, { record, fields: theirs.fields }, caller)
  if ('dry_run' in answer) {
    const warnings = [...answer.plan.warnings, UNTIL_DEPLOYED]
    return { ...answer, plan: { ...answer.plan, warnings } }
  }
  const names = Object.keys(theirs.fields).join(', ')
  const message = `Saved ${record.domain} as it stands there: ${names}. The change is pending until it is deployed.`
  return { ...answer, message, warnings: [...answer.warnings, UNTIL_DEPLOYED] }
}

const UNTIL_DEPLOYED =
  'Until it is deployed, what is released stays what is wanted: in the mode repair the hand edit is undone meanwhile.'

interface Edited {
  readonly row: IntentRow
  /** The stamp of the file that differs. */
  readonly seen: string
}

/** The released record whose routes a hand was at. */
async function edited(deps: Deps, item: string, signal: AbortSignal): Promise<Edited> {
  const found = await deps.engine.ignorable(item, signal)
  if (found === null)
    throw new Failure('not_found', `Nothing that is kept true differs under the name ${item}.`)
  const { target, cause, opens, seen } = found
  if (target.key !== ROUTES_KEY)
    throw refused(item, `only routes are read back, and this is ${target.name}; change the record instead.`)
  if (cause === 'lost') throw refused(item, 'it is gone; deactivate the domain, if that is what is meant.')
  if (cause !== 'edited' && cause !== 'edited_and_pending')
    throw refused(item, 'no hand was at it, as far as is known.')
  const domain = domainOfItem(item)
  if (domain === null) throw refused(item, 'it belongs to no single record.')
  if (opens)
    throw refused(
      domain,
      'what stands in the file may let in somebody whom the released state keeps out. Put it back, and change the record if that is meant.',
    )
  const { rows } = await deps.store.intent('released')
  const row = rows.find(({ fields, live }) => live && fields.domain === domain)
  if (row === undefined) throw refused(domain, 'no release says that it is served.')
  return { row, seen }
}

const refused = (what: string, why: string): Failure =>
  new Failure('conflict', `What stands there of ${what} is not saved: ${why}`)

/** An edit that somebody saved is never lost to a hand. */
function assertFree(record: DomainRecord, released: DomainFields, theirs: Partial<DomainFields>): void {
  const isMoved = (name: keyof DomainFields) =>
    !hasSameDigest(record[name], released[name]) && !hasSameDigest(record[name], theirs[name])
  const taken = (Object.keys(theirs) as (keyof DomainFields)[]).filter(isMoved)
  if (taken.length > 0)
    throw refused(
      record.domain,
      `${taken.join(', ')} is saved otherwise and waits for a deploy. Give up what is saved first, or deploy it.`,
    )
}

interface Edit {
  readonly record: DomainRecord
  readonly fields: Partial<DomainFields>
}

/** What the rules refuse, such as a middleware that no catalogue has, is said of what stands there. */
async function saved(deps: Deps, { record, fields }: Edit, caller: Caller) {
  try {
    return await updateDomain(deps, record.id, fields, { ...caller, if_match: record.revision })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'validation_failed') throw error
    throw refused(record.domain, error.message)
  }
}
