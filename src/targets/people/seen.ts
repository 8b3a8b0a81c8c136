/** One look at the users file and at the people whom it must agree with. */
import type { Observation } from '../../engine/target.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { FileLook, ManagedFile } from '../../ports/files.ts'
import type { PeopleReader, Person } from '../../ports/people-records.ts'
import type { FileUser, UserFault, UsersDocuments } from '../../ports/users-file.ts'

export interface PeopleSeen {
  readonly people: readonly Person[]
  readonly text: string
  /** SHA-256 of the file; null where there is none. */
  readonly digest: string | null
  readonly users: ReadonlyMap<string, FileUser>
  /** For which the provider refuses the whole file. */
  readonly faults: readonly UserFault[]
}

export interface Sight {
  readonly file: Pick<ManagedFile, 'path' | 'look'>
  readonly documents: UsersDocuments
  readonly people: Pick<PeopleReader, 'people'>
  readonly clock: Clock
}

/** A file that cannot be understood is unknown, and nothing is written over it. */
export async function seePeople(sight: Sight, signal: AbortSignal): Promise<Observation<PeopleSeen>> {
  const people = await sight.people.people()
  const at = sight.clock.now()
  try {
    const seen = understood(await sight.file.look(signal), people, sight)
    if (typeof seen === 'string') return { known: false, reason: 'unreadable', detail: seen, at }
    return { known: true, state: seen, digest: seen.digest ?? 'absent', at }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { known: false, reason: 'unreadable', detail: error.message, at }
  }
}

/** What was seen, or why it says nothing. */
function understood(
  look: FileLook,
  people: readonly Person[],
  { file: { path }, documents }: Sight,
): PeopleSeen | string {
  if (look.kind === 'absent') {
    const lost = people.some(({ written_at, origin }) => written_at !== null || origin === 'file')
    if (lost) return `${path} is gone, with everybody in it. Put it back from a backup.`
    return { people, text: '', digest: null, users: new Map(), faults: [] }
  }
  if (look.kind === 'oversize') return `${path} has ${look.size} bytes and is not read.`
  if (look.kind === 'intruder') return `${path} is a ${look.what} and no file.`
  const text = textOf(look.bytes)
  if (text === null) return `${path} is no UTF-8 text.`
  const read = documents.read(text)
  if (!read.ok) return `${path} ${read.msg}.`
  return { people, text, digest: look.digest, users: read.users, faults: read.faults }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    // The mark at the start is part of what is kept.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
