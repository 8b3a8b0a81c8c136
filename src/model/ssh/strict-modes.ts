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

/** Each with its remedy; empty where sshd reads the file. */
export const strictModesFaults = ({ uid, steps }: WayToFile): readonly string[] =>
  steps.flatMap((step) => {
    const is_strange = step.uid !== uid && step.uid !== ROOT
    return [
      ...(is_strange
        ? [`${step.path} belongs to user id ${step.uid}: chown it to user id ${uid} or root`]
        : []),
      ...((step.mode & EVERYBODY_WRITES) === 0
        ? []
        : [`${step.path} may be written by everybody: chmod o-w ${step.path}`]),
      ...((step.mode & GROUP_WRITES) === 0
        ? []
        : [`${step.path} may be written by its group: chmod g-w ${step.path}`]),
    ]
  })

/** The folders above a path, its own first: to the home where it lies in it, else to the root. */
export function foldersAbove(path: string, home: string | null): readonly string[] {
  const folders: string[] = []
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    folders.push(folder)
    if (folder === home || folder === '/') return folders
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
