/** Sends an invitation's mail once more, because a person asks for it: under a new key, so it is a new mail. */
import { Failure } from '../../../kernel/failure.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { type Change, ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { mailerOf } from '../../mail/send.ts'
import { personAudit } from '../person-audit.ts'
import { readUser } from '../read.ts'
import { invitedPerson } from '../regroup.ts'
import { peopleRecords, type Person } from '../records.ts'
import { stepAfter } from './steps.ts'
import type { UserAnswer } from '../view.ts'

/** Throws `not_found`, `record_disabled`, `component_unavailable`, and what keeps the mail from being sent. */
export async function resendInvitation(
  deps: Deps,
  username: string,
  caller: Caller,
): Promise<UserAnswer | PlannedAnswer> {
  mailerOf(deps.mail)
  const committed = await commit(deps, caller, async (tx, at) => {
    const person = await invitedPerson(tx, username)
    const invitation = await tx.of(peopleRecords).invitation(username)
    if (invitation === null) throw new Failure('internal', `${username} was invited without an invitation.`)
    // One that is not done has not sent its mail yet, and goes on.
    if (invitation.step === 'done') {
      const mail_key = nextKey(invitation.mail_key)
      await tx.of(peopleRecords).saveInvitation({
        ...invitation,
        step: stepAfter(invitation.step, 'mail_wanted_again'),
        mail_key,
        detail: null,
        mail: null,
        failures: 0,
        updated_at: at,
      })
    }
    const audit = [personAudit('resend_invitation', person)]
    return { result: person, audit, ...ONLY_SAVES, actions: plannedMail(person), warnings: [] }
  })
  if (committed.planned) return planned(committed.plan)
  const { detail } = await deps.people.invitations.carryOut(username)
  const user = await readUser(deps, username, caller.signal)
  const warnings = detail === null ? [] : [detail]
  return { success: true, message: `The invitation of ${username} was sent again.`, warnings, username, user }
}

const plannedMail = ({ username, email }: Person): Change<unknown>['actions'] => [
  {
    component: 'mail',
    verb: 'create',
    item: `to ${email ?? username}`,
    before: null,
    after: 'the invitation once more',
    reason: 'release',
  },
]

/** `invitation/bob/1` becomes `invitation/bob/2`. */
function nextKey(key: string): string {
  const cut = key.lastIndexOf('/') + 1
  return `${key.slice(0, cut)}${Number(key.slice(cut)) + 1}`
}
