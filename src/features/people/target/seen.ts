/** One look at the users file and at the people whom it must agree with. */
import { observed } from '../../../engine/file-target.ts'
import type { Observation } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { AccessFault } from '../../../model/file-access.ts'
import type { FileLook, ManagedFile } from '../../../ports/files.ts'
import type { FileUser, UserFault, UsersDocuments } from '../../../ports/users-file.ts'
import type { PeopleReader, Person } from '../records.ts'

export interface PeopleSeen {
  readonly people: readonly Person[]
  readonly text: string
  /** SHA-256 of the file; null where there is none. */
  readonly digest: string | null
  readonly users: ReadonlyMap<string, FileUser>
  /** For which the provider refuses the whole file. */
  readonly faults: readonly UserFault[]
  /** Characters are spelt so that the provider refuses the whole file; an edit of nothing mends that. */
  readonly is_misspelt?: true
  /** What is wrong with the mode of the file. */
  readonly access?: AccessFault
  /** What stands in the place of the file; all else is what the file held when it was last seen. */
  readonly displaced?: Displaced
  /** The file is closed against ourselves, so nobody knows who is in it. */
  readonly is_closed?: true
  /** Why its provider does not get to it through the folder, with what would help. */
  readonly shut_in?: string
}

/** What no provider should read as our file. */
export type Displaced = Exclude<Extract<FileLook, { kind: 'intruder' }>['what'], 'closed file'>

export interface UsersSource {
  readonly file: Pick<ManagedFile, 'path' | 'look'>
  readonly documents: UsersDocuments
  readonly people: Pick<PeopleReader, 'people'>
  readonly clock: Clock
}

/** A file that cannot be understood is unknown, and nothing is written over it. */
export async function seePeople(parts: UsersSource, signal: AbortSignal): Promise<Observation<PeopleSeen>> {
  const people = await parts.people.people()
  return observed(parts, signal, async () => {
    const state = understood(await parts.file.look(signal), people, parts)
    if (typeof state === 'string') throw new Failure('component_unavailable', state)
    return { state, digest: stampOf(state) }
  })
}

function stampOf({ digest, displaced, access, is_closed, shut_in }: PeopleSeen): string {
  if (displaced !== undefined) return `intruder:${displaced}`
  const wrong = [is_closed === true ? 'closed' : undefined, access?.what, shut_in]
  return [digest ?? 'absent', ...wrong.filter((one) => one !== undefined)].join(' ')
}

/** What was seen, or why it says nothing. */
function understood(
  look: FileLook,
  people: readonly Person[],
  { file: { path }, documents }: UsersSource,
): PeopleSeen | string {
  if (look.kind === 'intruder' && look.what !== 'closed file')
    return displaced(look, people, { path, documents })
  if (look.kind === 'absent') {
    const lost = people.some(({ written_at, origin }) => written_at !== null || origin === 'file')
    if (lost) return `${path} is gone, with everybody in it. Put it back from a backup.`
    return `${path} does not exist. Make it, or name the provider's own in PLUMBLINE_SSO_USERS_FILE.`
  }
  if (look.kind === 'oversize') return `${path} has ${look.size} bytes and is not read.`
  if (look.kind === 'intruder')
    return { people, text: '', digest: null, users: new Map(), faults: [], is_closed: true }
  const content = contentOf(look.bytes, { path, documents })
  if (typeof content === 'string') return content
  const { digest, access, shut_in } = look
  return {
    people,
    ...content,
    digest,
    ...(access !== undefined && { access }),
    ...(shut_in !== undefined && { shut_in }),
  }
}

interface Reading {
  readonly path: string
  readonly documents: UsersDocuments
}

function contentOf(
  bytes: Uint8Array,
  { path, documents }: Reading,
): Pick<PeopleSeen, 'text' | 'users' | 'faults' | 'is_misspelt'> | string {
  const text = textOf(bytes)
  if (text === null) return `${path} is no UTF-8 text.`
  const read = documents.read(text)
  if (!read.ok) return `${path} ${read.msg}.`
  const { users, faults, is_misspelt } = read
  return { text, users, faults, ...(is_misspelt === true && { is_misspelt: true as const }) }
}

/** Never followed. Who is in the file is not ours alone to say, so it is put back as it was, or not at all. */
function displaced(
  { what, before, behind }: Extract<FileLook, { kind: 'intruder' }>,
  people: readonly Person[],
  reading: Reading,
): PeopleSeen | string {
  if (what === 'closed file' || before === undefined)
    return (
      `${reading.path} is a ${what} and no file, and what stood there before is not known. Put the file itself in ` +
      'its place, or name the real one in PLUMBLINE_SSO_USERS_FILE.'
    )
  const content = contentOf(before, reading)
  if (typeof content === 'string') return content
  const lacked = behind === undefined ? [] : lackedThere(behind, content.users, { people, reading })
  return lacked.length === 0
    ? { people, ...content, digest: null, displaced: what }
    : `${reading.path} is a ${what}, and what it held before would let in again: ${lacked.join(', ')}. Put the file itself in ` +
        'its place, or name the real one in PLUMBLINE_SSO_USERS_FILE.'
}

/** What no provider takes for a users file keeps everybody out, which is nobody's wish. */
function lackedThere(
  behind: Uint8Array,
  before: PeopleSeen['users'],
  { people, reading }: { readonly people: readonly Person[]; readonly reading: Reading },
): readonly string[] {
  const found = contentOf(behind, reading)
  return typeof found === 'string' ? [] : lackedBehind(found.users, before, people)
}

function textOf(bytes: Uint8Array): string | null {
  try {
    // The mark at the start is part of what is kept.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

// Where a link stands in the place of the users file, its provider reads what the link leads to. What was last seen is put back
// only where nobody gets in by that who does not get in now: somebody may have been taken out of the file behind the link. Pure.
//
//   behind the link                                       then
//   somebody more, or somebody with a group more          put back: the link lets them in
//   else somebody less who is not ours, somebody          left, and told with the names
//     disabled, or somebody with a group less
//   the same people; nothing that can be read             put back

type Users = ReadonlyMap<string, FileUser>

/** Whom putting back would let in again. */
export function lackedBehind(behind: Users, before: Users, people: readonly Person[]): readonly string[] {
  if ([...behind].some(([username, user]) => isMore(user, before.get(username)))) return []
  const ours = new Map(people.map((person) => [person.username, person]))
  return [...before]
    .filter(([username, user]) => isLess(behind.get(username), user, ours.get(username)))
    .map(([username]) => username)
}

const isMore = (now: FileUser, before: FileUser | undefined): boolean =>
  !now.disabled &&
  (before === undefined || before.disabled || now.groups.some((group) => !before.groups.includes(group)))

/**
 * Of ours the database says whether they are to be there, and in which groups; nobody is ever enabled by it, and who was revoked
 * is disabled in what is put back.
 */
function isLess(now: FileUser | undefined, before: FileUser, ours: Person | undefined): boolean {
  if (before.disabled || (ours !== undefined && ours.revoked_at !== null)) return false
  if (now === undefined) return ours === undefined
  if (now.disabled) return true
  const has_groups = ours !== undefined && ours.groups !== null
  return !has_groups && before.groups.some((group) => !now.groups.includes(group))
}
