/**
 * Sends an invitation's mail once more, because a person asks for it: under a new key, so it is a new mail. Where the call fails
 * the mail is saved and goes by itself; whoever asks again then hears of that one.
 */
import type { Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { asSentence } from '../../../kernel/text/sentence.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { type Change, ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { asInFile, entryOf } from '../target/as-in-file.ts'
import type { Deps } from '../deps.ts'
import { mailerOf } from '../../mail/send.ts'
import { personAudit } from '../person-audit.ts'
import { readUser } from '../read.ts'
import { invitedPerson } from '../regroup.ts'
import { type Invitation, type MailState, peopleRecords, type Person } from '../records.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { FileUser } from '../../../ports/users-file.ts'
import { stepAfter } from './steps.ts'
import type { UserAnswer } from '../view.ts'

/** Throws `not_found`, `record_disabled`, `component_unavailable`, and what keeps the mail from being sent: then it is saved. */
export async function resendInvitation(
  deps: Deps,
  username: string,
  caller: Caller,
): Promise<UserAnswer | PlannedAnswer> {
  mailerOf(deps.mail)
  const entry = await entryOf(username, deps.people.users, caller.signal)
  const committed = await commit(deps, caller, (tx, at) => wantMail(deps, username, { tx, at, entry }))
  if (committed.planned) return planned(committed.plan)
  const { mail, detail } = await carriedOut(deps, username, committed.result)
  const user = await readUser(deps, username, caller.signal)
  const warnings = [...committed.warnings, ...(detail === null ? [] : [detail])]
  return { success: true, message: wordsOf(username, mail), warnings, username, user }
}

interface InTransaction {
  readonly tx: StoreWriter
  readonly at: Instant
  readonly entry: FileUser | undefined
}

/** Answers with the key of the mail. */
async function wantMail(
  { people: { invitations } }: Deps,
  username: string,
  { tx, at, entry }: InTransaction,
): Promise<Change<string>> {
  const person = asInFile(await invitedPerson(tx, username), entry)
  const invitation = await tx.of(peopleRecords).invitation(username)
  if (invitation === null) throw new Failure('internal', `${username} was invited without an invitation.`)
  const wanted = {
    ...ONLY_SAVES,
    audit: [personAudit('resend_invitation', person)],
    actions: plannedMail(person),
  }
  // One that is not done has not sent its mail yet, and goes on.
  if (invitation.step !== 'done') return { ...wanted, result: invitation.mail_key, warnings: [] }
  if (invitations.unheard.get(username) === invitation.mail_key)
    return { ...ONLY_SAVES, result: invitation.mail_key, audit: [], warnings: [ASKED_BEFORE] }
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
  return { ...wanted, result: mail_key, warnings: [] }
}

async function carriedOut(
  { people: { invitations } }: Deps,
  username: string,
  mail_key: string,
): Promise<Invitation> {
  try {
    const invitation = await invitations.carryOut(username)
    invitations.unheard.delete(username)
    return invitation
  } catch (error) {
    invitations.unheard.set(username, mail_key)
    if (!(error instanceof Failure)) throw error
    const message = `The mail to ${username} is saved, but it is not out yet: ${asSentence(error.message)} It is tried again by itself.`
    throw new Failure(error.code, message, { ...error.details, facts: { username, saved: true } })
  }
}

const ASKED_BEFORE =
  'This is the mail that was asked for before: it was tried again by itself meanwhile. Ask once more for another one.'

function wordsOf(username: string, mail: MailState | null): string {
  if (mail === 'sent') return `The invitation of ${username} was sent again.`
  return mail === 'not_known'
    ? `Whether the invitation of ${username} was sent again is not known.`
    : `The invitation of ${username} was not sent again.`
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
