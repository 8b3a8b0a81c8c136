/**
 * Ends a person's access: the user is disabled in the users file and stays so, whoever writes it. Nobody is deleted: the name
 * is never given to somebody else, who would inherit the second factors that the provider keeps by name. A repeat finds
 * the user revoked and sees to it that the file says so.
 */
import { peopleRecords, type Person } from '../records.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { usersOf } from '../service.ts'
import { putInForce, reachFacts } from '../in-force.ts'
import { personAudit } from '../person-audit.ts'
import { plannedChange } from '../planned-change.ts'
import { afterRevocation, reachOf } from '../reach.ts'
import { readUser, unknownUser } from '../read.ts'
import { strangerOf } from '../stranger.ts'
import type { UserChanged } from '../view.ts'

const isUnwritten = ({ origin, written_at }: Person): boolean => origin === 'invited' && written_at === null

/** Throws `not_found`, and what keeps the file from saying it; then it is saved and comes into the file by itself. */
export async function revokeUser(
  deps: Deps,
  username: string,
  caller: Caller,
): Promise<UserChanged | PlannedAnswer> {
  const view = usersOf(deps.people)
  const known = await deps.store.of(peopleRecords).person(username)
  // Somebody whom only the file knows must be found there; for one of ours the file may be unreadable right now.
  const file = known === null ? await view.look(caller.signal) : null
  const reach = await reachFacts(deps, { username, change: 'revoked' }, caller.signal)
  const warnings = [...reachOf(reach), ...afterRevocation(reach)]
  // Whom the file never knew the provider never knew.
  const is_new = known === null || (known.revoked_at === null && !isUnwritten(known))
  const committed = await commit(deps, caller, async (tx, at) => {
    const user = file?.users.get(username) ?? null
    const person =
      (await tx.of(peopleRecords).person(username)) ?? (user === null ? null : strangerOf(username, user, at))
    if (person === null) throw unknownUser(username)
    const none = { result: person, audit: [], ...ONLY_SAVES, warnings }
    if (person.revoked_at !== null) return none
    const revoked = { ...person, revoked_at: at, updated_at: at }
    await tx.of(peopleRecords).savePerson(revoked)
    const message = `${username} was revoked.`
    await tx.addEvent({ at, kind: 'user', message, facts: { username, actor: caller.actor.name } })
    const audit = [personAudit('revoke_user', person)]
    return { ...none, audit, actions: plannedChange(person, revoked), goes_on: 'unread' }
  })
  if (committed.planned) return planned(committed.plan)
  deps.people.changed()
  deps.events.added()
  const read = await putInForce(deps, { username, what: `${username} is revoked`, is_new }, caller.signal)
  const user = await readUser(deps, username, caller.signal)
  return { success: true, message: `${username} was revoked.`, warnings, username, user, read }
}
