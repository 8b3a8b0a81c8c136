/** Whose a data directory is: what a command believes in it, and what it may write there, goes by that. */
import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../kernel/failure.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import { userName, userWords } from './user-name.ts'

export const ROOT = 0

/** Undefined where the system knows no users. */
export const ownUser = (): number | undefined => process.geteuid?.()

/** Of what a link leads to. Undefined where nothing is there that this user may see. */
export const ownerOf = (path: string): number | undefined => uidBy(statSync, path)
const ownerOfLink = (path: string): number | undefined => uidBy(lstatSync, path)

function uidBy(look: typeof statSync, path: string): number | undefined {
  try {
    return look(path, { throwIfNoEntry: false })?.uid
  } catch {
    return undefined
  }
}

/**
 * A directory that nobody named is that of the folder in which somebody happens to stand, and its owner may be anybody: the
 * daemon it names would get the key, and its records would be kept true. So it must belong to this user or to root; whose the
 * files in it are proves nothing, since its owner may put any file there under any name. Throws `bad_configuration` with the way
 * round.
 */
export function assertNoStrangers(directory: string): void {
  const owners = [ownerOfLink(directory), ownerOf(directory)]
  const stranger = owners.find((uid) => uid !== undefined && !isOurs(uid))
  if (stranger === undefined) return
  throw new Failure(
    'bad_configuration',
    `${directory} belongs to ${userWords(stranger)}, who could have a command that is run here ask any daemon and give it the ` +
      `key, so nothing in it is believed. Where it is the one you mean, name it: PLUMBLINE_DATA_DIR=${shellWord(directory)}.`,
  )
}

const isOurs = (uid: number | undefined): boolean => uid !== undefined && [ownUser(), ROOT].includes(uid)

/** What root writes beside the files of a daemon of another user is closed to that daemon. Throws `bad_configuration`. */
export function assertNotBesideAnother(directory: string): void {
  const owner = ownerOf(join(directory, 'plumbline.db')) ?? ownerOf(directory)
  if (ownUser() !== ROOT || owner === undefined || owner === ROOT) return
  const name = userName(owner)
  throw new Failure(
    'bad_configuration',
    `The data directory belongs to ${name ?? `the user with the id ${owner}`}, and no daemon runs that could be asked: what root ` +
      `wrote there, that user could not change. Start the daemon, or run it as that user, with the daemon's settings, as ` +
      `"sudo -u ${shellWord(name ?? `#${owner}`)} PLUMBLINE_DATA_DIR=${shellWord(directory)} plumbline …".`,
  )
}
