/** The people in Authelia's users file. Only names, groups and whether they are disabled are taken from it, never a password. */
import { readFile, stat } from 'node:fs/promises'
import { Failure } from '../../kernel/failure.ts'
import type { Documents } from '../../ports/documents.ts'
import type { KnownUser, PeopleDirectory } from '../../ports/people-directory.ts'

const MOST_BYTES = 2 * 1024 * 1024

export function usersFile(path: string, documents: Documents): PeopleDirectory {
  return {
    async users(signal) {
      const text = await textOf(path, signal)
      const read = documents.read(text, { most_bytes: MOST_BYTES })
      if (!read.ok) throw unreadable(path, `line ${read.line ?? '?'} ${read.msg}`)
      const users = isMap(read.data) ? read.data['users'] : undefined
      if (!isMap(users)) throw unreadable(path, 'has no users')
      return Object.entries(users)
        .map(([username, entry]) => userOf(username, entry))
        .toSorted((a, b) => (a.username < b.username ? -1 : 1))
    },
  }
}

async function textOf(path: string, signal: AbortSignal): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw unreadable(path, `has more than ${MOST_BYTES} bytes`)
    return await readFile(path, { encoding: 'utf8', signal })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (cause instanceof Failure) throw cause
    throw unreadable(path, `cannot be read (${(cause as Error).message})`)
  }
}

/** A user of whom nothing can be told is in no group. */
function userOf(username: string, entry: unknown): KnownUser {
  const { groups, disabled } = isMap(entry) ? entry : {}
  const names = Array.isArray(groups) ? (groups as readonly unknown[]) : []
  return {
    username,
    groups: names.filter((group) => typeof group === 'string'),
    disabled: disabled === true,
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unreadable = (path: string, why: string): Failure =>
  new Failure('component_unavailable', `The users file ${path} ${why}.`)
