/**
 * What hands have made of a user's entry in the users file: that is shown, mailed to, and put back where the entry is lost.
 * Groups are ours alone, and whom the file does not hold yet is as we say.
 */
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Store } from '../../../ports/store.ts'
import { parseMailAddress } from '../../../model/network/mailbox.ts'
import type { FileUser, FileUsers, UsersView } from '../../../ports/users-file.ts'
import { peopleRecords, type Person } from '../records.ts'

/** An entry that names nothing, or that has no mail address in the place of one, leaves what was named before. Pure. */
export function asInFile(person: Person, user: FileUser | undefined): Person {
  if (user === undefined || person.written_at === null || person.revoked_at !== null) return person
  return {
    ...person,
    display_name: user.display_name ?? person.display_name,
    email: addressIn(user) ?? person.email,
    disabled: user.disabled,
  }
}

/** What cannot be mailed to must not come to stand for what can. */
function addressIn({ email }: FileUser): string | null {
  const parsed = email === null ? null : parseMailAddress(email)
  return parsed?.ok === true ? parsed.value : null
}

/** Undefined where the file does not say, also where it cannot be read: then as it was last seen counts. */
export async function entryOf(
  username: string,
  users: UsersView | null,
  signal: AbortSignal,
): Promise<FileUser | undefined> {
  try {
    return (await users?.look(signal))?.users.get(username)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return undefined
  }
}

export interface FilePeople {
  readonly people: readonly Person[]
  readonly users: FileUsers['users']
}

/**
 * Keeps what the file says of ours, for when it is lost. False where it cannot be kept, which holds up nobody who is to be
 * disabled.
 */
export async function keepAsInFile(
  { people, users }: FilePeople,
  { store, log }: { readonly store: Pick<Store, 'write'>; readonly log: Log },
): Promise<boolean> {
  const edited = people.filter((person) => isEdited(person, users.get(person.username)))
  if (edited.length === 0) return true
  try {
    await store.write(async (tx) => {
      for (const { username } of edited) {
        const person = await tx.of(peopleRecords).person(username)
        if (person !== null && isEdited(person, users.get(username)))
          await tx.of(peopleRecords).savePerson(asInFile(person, users.get(username)))
      }
    })
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.warn('edits in the users file not kept', { users: edited.length, error })
    return false
  }
}

const isEdited = (person: Person, user: FileUser | undefined): boolean =>
  !isDeepStrictEqual(asInFile(person, user), person)
