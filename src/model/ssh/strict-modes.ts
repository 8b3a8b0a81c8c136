/**
 * What sshd takes offence at before it reads a key file (sshd_config(5), StrictModes; `safe_path` in OpenSSH's misc.c): the
 * file and every folder above it, up to the user's home, must belong to the user or to root and be writable by nobody else.
 * A sticky bit helps nothing; Debian's sshd lets a group pass that has no other member. Where it takes offence, nobody logs in, and it says so only in its own log.
 */
export interface PathFacts {
  readonly path: string
  readonly uid: number
  /** Permission bits; the bits of the kind may be among them. */
  readonly mode: number
}

/** From the file upwards: its folder, and so on to the home; to the root where it lies elsewhere. Links are resolved. */
export interface WayToFile {
  /** The user for whom sshd reads the file. */
  readonly uid: number
  readonly steps: readonly PathFacts[]
}

const ROOT = 0
const EVERYBODY_WRITES = 0o002
const GROUP_WRITES = 0o020

/** Who has more of a file than sshd allows. That its group may write to it, some sshd let pass. */
export const OFFENDERS = ['owner', 'everybody', 'group'] as const

export interface Offence {
  readonly by: (typeof OFFENDERS)[number]
  /** Path and fault: a clause without an end. */
  readonly fault: string
  readonly remedy: string
}

/** Empty where sshd reads the file. */
export const strictModesOffences = ({ uid, steps }: WayToFile): readonly Offence[] =>
  steps.flatMap(({ path, uid: owner, mode }): Offence[] => {
    const strange: Offence = {
      by: 'owner',
      fault: `${path} belongs to user id ${owner}`,
      remedy: `chown it to user id ${uid} or root`,
    }
    const writable = (by: 'everybody' | 'group', whose: string, change: string): Offence => ({
      by,
      fault: `${path} may be written by ${whose}`,
      remedy: `chmod ${change} ${path}`,
    })
    return [
      ...(owner !== uid && owner !== ROOT ? [strange] : []),
      ...((mode & EVERYBODY_WRITES) === 0 ? [] : [writable('everybody', 'everybody', 'o-w')]),
      ...((mode & GROUP_WRITES) === 0 ? [] : [writable('group', 'its group', 'g-w')]),
    ]
  })

export const offenceWords = ({ fault, remedy }: Offence): string => `${fault}: ${remedy}`

/** Each with its remedy, for people. */
export const strictModesFaults = (way: WayToFile): readonly string[] =>
  strictModesOffences(way).map(offenceWords)

/** The folders above a path, its own first: to the home where it lies in it, else to the root. */
export function foldersAbove(path: string, home: string | null): readonly string[] {
  const folders: string[] = []
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    folders.push(folder)
    if (folder === home || folder === '/') return folders
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
