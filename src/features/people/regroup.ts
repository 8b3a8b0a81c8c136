/** Puts an invited person into other groups. Groups of users who are not ours belong to whoever wrote them. */
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { parseGroups } from '../../model/network/mailbox.ts'
import { peopleRecords, type Person } from './records.ts'
import type { StoreReader } from '../../ports/store.ts'
import { type PlannedAnswer, planned } from '../../core/answers.ts'
import { commit } from '../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { usersOf } from './service.ts'
import { putInForce, reachFacts } from './in-force.ts'
import { personAudit } from './person-audit.ts'
import { plannedChange } from './planned-change.ts'
import { reachOf } from './reach.ts'
import { readUser, notInvited } from './read.ts'
import type { UserChanged } from './view.ts'

export interface RegroupRequest {
  readonly username: string
  readonly groups: readonly string[]
}

/** Throws `not_found`, `record_disabled`, `validation_failed`, and what keeps the file from saying it. */
export async function regroupUser(
  deps: Deps,
  { username, groups }: RegroupRequest,
  caller: Caller,
): Promise<UserChanged | PlannedAnswer> {
  const names = parseGroups(groups)
  if (!names.ok) throw invalid([fieldError(['body', 'groups'], names.msg, names.type)])
  usersOf(deps.people)
  const warnings = reachOf(await reachFacts(deps, { username, change: 'regrouped' }, caller.signal))
  let is_new = false
  const committed = await commit(deps, caller, async (tx, at) => {
    const person = await invitedPerson(tx, username)
    const changed = { ...person, groups: names.value, updated_at: at }
    const none = { result: changed, audit: [], ...ONLY_SAVES, warnings }
    if (JSON.stringify(person.groups) === JSON.stringify(changed.groups)) return none
    await tx.of(peopleRecords).savePerson(changed)
    is_new = true
    const audit = [personAudit('regroup_user', changed)]
    return { ...none, audit, actions: plannedChange(person, changed) }
  })
  if (committed.planned) return planned(committed.plan)
  deps.people.changed()
  const where = names.value.length === 0 ? 'no group' : names.value.join(', ')
  const read = await putInForce(deps, { username, what: `${username} is in ${where}`, is_new }, caller.signal)
  const user = await readUser(deps, username, caller.signal)
  return { success: true, message: `${username} is in ${where}.`, warnings, username, user, read }
}

/** Somebody whom we invited and who is not revoked. Throws `not_found` or `record_disabled`. */
export async function invitedPerson(tx: StoreReader, username: string): Promise<Person> {
  const person = await tx.of(peopleRecords).person(username)
  if (person?.revoked_at !== undefined && person.revoked_at !== null)
    throw new Failure('record_disabled', `${username} is revoked for good.`)
  if (person?.origin === 'invited') return person
  throw notInvited(username)
}
