/**
 * Who holds the lock, as a file for people and commands. It proves nothing, the lock does, and it is no more than the word of
 * whoever wrote it: commands send their key to where it says that the daemon listens.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import type { Holder } from '../../ports/lock.ts'
import { onStorage } from '../failures.ts'
import { replaceFile } from './durable-file.ts'
import { ownerOf, ownUser, ROOT } from './owner.ts'
import { userWords } from './user-name.ts'

/** No link is followed, and no pipe waited for. */
const SAFE_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const holderPath = (directory: string): string => join(directory, 'holder.json')

export const writeHolderFile = (directory: string, holder: Holder): void =>
  replaceFile(holderPath(directory), `${JSON.stringify(holder)}\n`)

export const forgetHolder = (directory: string): void =>
  onStorage(holderPath(directory), () => rmSync(holderPath(directory), { force: true }))

/**
 * Null when there is none, or none that can be understood. Whoever may write to the directory could lay one there, so it must
 * be a plain file of this user, of the directory's owner or of root. Throws `bad_configuration` with the cure.
 */
export function believedHolder(directory: string): Holder | null {
  const path = holderPath(directory)
  const text = onStorage(path, () => readOwn(path, directory))
  return text === null ? null : parsed(text)
}

/** The same for words alone: null where it is not believed, too. */
export function namedHolder(directory: string): Holder | null {
  try {
    return believedHolder(directory)
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_configuration') return null
    throw error
  }
}

function readOwn(path: string, directory: string): string | null {
  const file = opened(path)
  if (file === null) return null
  try {
    const seen = fstatSync(file)
    if (!seen.isFile()) throw planted(path, 'is no plain file')
    if (![ownUser(), ROOT, ownerOf(directory)].includes(seen.uid))
      throw planted(path, `belongs to ${userWords(seen.uid)}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, SAFE_READ)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    if (systemErrorCode(error) === 'ELOOP') throw planted(path, 'is a link')
    throw error
  }
}

const planted = (path: string, what: string): Failure =>
  new Failure(
    'bad_configuration',
    `${path} ${what}, so whoever put it there chooses which daemon would be asked, and it is not believed. Remove it, see ` +
      'that nobody else may write to its folder (chmod 700), and start the daemon again, which writes a new one.',
  )

function parsed(text: string): Holder | null {
  try {
    const { pid, listen, since } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>
    if (typeof pid !== 'number' || typeof since !== 'string') return null
    return { pid, listen: typeof listen === 'string' ? listen : null, since }
  } catch {
    return null
  }
}
