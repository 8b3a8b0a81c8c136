/**
 * Invites a person: a unique user name, a password that nobody knows, the users file, the provider, the mail. The name
 * is taken in one transaction; everything outside follows step by step (`invitations.ts`).
 *
 * Asking again for the same mail address goes on with an invitation that is not done, and is a conflict after that, or where
 * other groups or another name to show are asked for: a caller who has lost the answer never makes a second user.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CoreParts } from '../../../core/parts.ts'
import { type FieldError, Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import { mailboxKey, parseGroups, parseMailAddress, personNameFault } from '../../../model/network/mailbox.ts'
import { uniqueUsername, usernameFrom } from '../username.ts'
import { peopleRecords, type Person } from '../records.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import { planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import { type FileUsers, refusedWords } from '../../../ports/users-file.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { usersOf } from '../service.ts'
import { asInFile } from '../target/as-in-file.ts'
import { notInForce } from '../in-force.ts'
import { instructionsFor } from './instructions.ts'
import { personAudit } from '../person-audit.ts'
import { plannedChange } from '../planned-change.ts'
import { readUser } from '../read.ts'
import type { UserView, InviteAnswer, InvitePlanned } from '../view.ts'

export interface InviteRequest {
  /** From which the user name is made; the display name where it is left out. */
  readonly username?: string | undefined
  readonly display_name: string
  readonly email: string
  readonly groups?: readonly string[] | undefined
}

/** Throws `validation_failed`, `conflict`, `component_unavailable` and whatever keeps the file from being written. */
export async function inviteUser(
  deps: Deps,
  request: InviteRequest,
  caller: Caller,
): Promise<InviteAnswer | InvitePlanned> {
  const wanted = checked(request)
  const file = await usersOf(deps.people).look(caller.signal)
  assertThere(file, usersOf(deps.people).path)
  assertTaken(file, usersOf(deps.people).path)
  const committed = await commit(deps, caller, async (tx, at) => {
    const people = (await tx.of(peopleRecords).people()).map((person) =>
      asInFile(person, file.users.get(person.username)),
    )
    const open = await unfinished(tx, people, wanted.email)
    if (open !== null) {
      assertSame(open, wanted)
      return { result: open, audit: [], ...ONLY_SAVES, warnings: [] }
    }
    const { twin, warnings } = sameMailbox(people, file, wanted.email)
    if (twin !== null)
      throw new Failure('conflict', `${wanted.email} is the address of the user ${twin} already.`, {
        facts: { username: twin },
      })
    const taken = new Set([...file.users.keys(), ...people.map(({ username }) => username)])
    const username = uniqueUsername(wanted.username, new Set([...taken].map((name) => name.toLowerCase())))
    const person = newPerson({ ...wanted, username }, at)
    await addPerson(tx, person)
    const actor = caller.actor.name
    const message = `${username} was invited.`
    await tx.addEvent({ at, kind: 'user', message, facts: { username, actor } })
    const empty = caller.dry_run ? emptyGroups(people, file, wanted.groups) : []
    const audit = [personAudit('invite_user', person)]
    return {
      result: person,
      audit,
      ...ONLY_SAVES,
      warnings: [...warnings, ...empty],
      actions: plannedChange(null, person),
    }
  })
  if (committed.planned) {
    const { username } = committed.result
    const instructions = instructionsFor(committed.result, deps.people.portal_url)
    return { ...planned(committed.plan), username, instructions }
  }
  deps.people.changed()
  deps.events.added()
  return answer(deps, committed.result.username, { warnings: committed.warnings, caller })
}

interface Wanted {
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly groups: readonly string[]
}

/** What is wrong with a request by its grammar. */
export function inviteFaults(request: InviteRequest): readonly FieldError[] {
  const read = readRequest(request)
  return read.ok ? [] : read.errors
}

function checked(request: InviteRequest): Wanted {
  const read = readRequest(request)
  if (!read.ok) throw invalid(read.errors)
  return read.wanted
}

type ReadRequest =
  | { readonly ok: true; readonly wanted: Wanted }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

function readRequest({ username, display_name, email, groups = [] }: InviteRequest): ReadRequest {
  const errors: FieldError[] = []
  const name = usernameFrom(username ?? display_name)
  if (!name.ok)
    errors.push(
      fieldError(['body', username === undefined ? 'display_name' : 'username'], name.msg, name.type),
    )
  const fault = personNameFault(display_name)
  if (fault !== null) errors.push(fieldError(['body', 'display_name'], fault, 'text'))
  const address = parseMailAddress(email)
  if (!address.ok) errors.push(fieldError(['body', 'email'], address.msg, address.type))
  const names = parseGroups(groups)
  if (!names.ok) errors.push(fieldError(['body', 'groups'], names.msg, names.type))
  if (!name.ok || !address.ok || !names.ok || errors.length > 0) return { ok: false, errors }
  const wanted = {
    username: name.value,
    display_name: display_name.trim(),
    email: address.value,
    groups: names.value,
  }
  return { ok: true, wanted }
}

/** A file that nobody reads invites nobody: most likely the path is not the one that the provider has. */
function assertThere({ digest }: FileUsers, path: string): void {
  if (digest !== null) return
  throw new Failure(
    'component_unavailable',
    `${path} does not exist, so nobody is invited and nothing was written. Correct PLUMBLINE_SSO_USERS_FILE, or let the SSO ` +
      'provider make the file (Authelia does at its first start).',
  )
}

/** A file that its provider refuses as a whole takes nobody in. */
function assertTaken({ faults }: FileUsers, path: string): void {
  const fault = faults.find(({ username }) => username !== null)
  if (fault === undefined) return
  throw new Failure('conflict', refusedWords(path, fault), { facts: { username: fault.username } })
}

async function unfinished(tx: StoreReader, people: readonly Person[], email: string): Promise<Person | null> {
  const key = mailboxKey(email)
  const open = new Set((await tx.of(peopleRecords).openInvitations()).map(({ username }) => username))
  const isTheirs = (person: Person) => person.revoked_at === null && mailboxKey(person.email) === key
  return people.find((person) => open.has(person.username) && isTheirs(person)) ?? null
}

/** A repeat that asks for something else is no repeat: it would be answered as if that had been done. */
function assertSame({ username, display_name, groups }: Person, wanted: Wanted): void {
  const ours = [...(groups ?? [])].toSorted()
  const is_same =
    isDeepStrictEqual(ours, [...wanted.groups].toSorted()) && display_name === wanted.display_name
  if (is_same) return
  throw new Failure(
    'conflict',
    `${wanted.email} was invited already as ${username} (${display_name}${ours.length === 0 ? ', in no group' : `, in ${ours.join(', ')}`}), and that goes on. Ask again with these, or change the groups of ${username}.`,
    { facts: { username } },
  )
}

/** Whose address it is already, as far as that user can sign in. */
function sameMailbox(
  people: readonly Person[],
  { users }: FileUsers,
  email: string,
): { readonly twin: string | null; readonly warnings: readonly string[] } {
  const key = mailboxKey(email)
  const ours = people.filter((person) => mailboxKey(person.email) === key)
  const theirs = [...users].filter(([, user]) => user.email !== null && mailboxKey(user.email) === key)
  const twin =
    ours.find(({ revoked_at }) => revoked_at === null)?.username ??
    theirs.find(([, { disabled }]) => !disabled)?.[0] ??
    null
  const disabled = theirs.map(([name]) => `${name}, who is disabled, has the same mail address.`)
  return { twin, warnings: disabled }
}

/** A group that nobody is in is likely a slip: where others are known, it is named before the press. */
function emptyGroups(
  people: readonly Person[],
  { users }: FileUsers,
  groups: readonly string[],
): readonly string[] {
  const known = new Set([
    ...[...users.values()].flatMap((user) => user.groups),
    ...people.flatMap((person) => person.groups ?? []),
  ])
  if (known.size === 0) return []
  return groups
    .filter((group) => !known.has(group))
    .map((group) => `Nobody is in the group ${group} so far: see that it is spelled as the rules spell it.`)
}

const newPerson = ({ username, display_name, email, groups }: Wanted, at: number): Person => ({
  username,
  origin: 'invited',
  display_name,
  email,
  groups,
  revoked_at: null,
  password_hash: null,
  written_at: null,
  disabled: false,
  created_at: at,
  updated_at: at,
})

async function addPerson(tx: StoreWriter, person: Person): Promise<void> {
  const { username, created_at } = person
  await tx.of(peopleRecords).savePerson(person)
  await tx.of(peopleRecords).saveInvitation({
    username,
    step: 'planned',
    mail_key: `invitation/${username}/1`,
    detail: null,
    mail: null,
    failures: 0,
    updated_at: created_at,
  })
}

async function answer(
  deps: Deps,
  username: string,
  { warnings, caller }: { readonly warnings: readonly string[]; readonly caller: Caller },
): Promise<InviteAnswer> {
  const failed = await deps.people.invitations.carryOut(username).then(
    ({ detail }) => (detail === null ? [] : [detail]),
    (error: unknown) => failureWarnings(deps, username, error),
  )
  const user = await readUser(deps, username, caller.signal)
  const person = await deps.store.of(peopleRecords).person(username)
  return {
    success: true,
    message: wordsOf(user),
    warnings: [...warnings, ...failed],
    username,
    user,
    read: isReached(user) ? deps.people.reloader.proven : false,
    instructions: instructionsFor(person!, deps.people.portal_url),
  }
}

/** Whoever has no mail yet is not invited yet. */
function wordsOf({ username, invitation }: UserView): string {
  if (invitation?.mail === 'sent') return `${username} was invited.`
  return invitation?.mail === 'not_known'
    ? `${username} was taken in; whether the mail went out is not known.`
    : `${username} was taken in; the mail has not gone out.`
}

/**
 * Once the file holds the user, the rest is only late. Before that the call has failed: a name that is not in use
 * outside yet is given back; otherwise the answer says that the invitation goes on by itself. Asking again goes on with it, too.
 */
async function failureWarnings(
  deps: CoreParts,
  username: string,
  error: unknown,
): Promise<readonly string[]> {
  const person = await deps.store.of(peopleRecords).person(username)
  const invitation = await deps.store.of(peopleRecords).invitation(username)
  if (person !== null && person.written_at !== null && error instanceof Failure)
    return [`${error.message} It is tried again by itself.`]
  const foreign = error instanceof Failure && error.code === 'foreign_owner'
  if (invitation?.step === 'planned' || foreign)
    await deps.store.write((tx) => giveBack(tx, username, foreign))
  if (foreign)
    throw new Failure('name_taken', `${username} has come into the users file meanwhile. Ask again.`)
  if (invitation?.step === 'planned' || !(error instanceof Failure)) throw error
  throw notInForce(error, { username, what: `${username} is invited` })
}

const isReached = ({ invitation }: UserView): boolean =>
  invitation?.step === 'loaded' || invitation?.step === 'done'

/** Unless somebody has revoked the user meanwhile, which stays, or the invitation has gone on by itself. */
async function giveBack(tx: StoreWriter, username: string, foreign: boolean): Promise<void> {
  const person = await tx.of(peopleRecords).person(username)
  const invitation = await tx.of(peopleRecords).invitation(username)
  const unused = person?.written_at === null && (foreign || invitation?.step === 'planned')
  if (unused && person.revoked_at === null) await tx.of(peopleRecords).dropPerson(username)
}
