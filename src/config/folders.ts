/**
 * The folders that settings name and that must be there: a misspelt path would else become a folder that nobody reads. What lies
 * in the data directory is made.
 */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { Failure, type FieldError, fieldError, systemErrorCode } from '../kernel/failure.ts'

export interface NamedFolder {
  /** Of the setting. */
  readonly name: string
  readonly folder: string
}

export const isMade = (folder: string, data_dir: string): boolean =>
  `${folder}${sep}`.startsWith(`${data_dir}${sep}`)

/** What we may not look into may be there. */
function stateOf(folder: string): 'there' | 'missing' | 'no folder' {
  try {
    return statSync(folder).isDirectory() ? 'there' : 'no folder'
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '') ? 'missing' : 'there'
  }
}

const faultsOf = (folders: readonly NamedFolder[]): readonly FieldError[] =>
  folders.flatMap(({ name, folder }) => {
    const state = stateOf(folder)
    if (state === 'there') return []
    const words =
      state === 'no folder'
        ? `leads to ${folder}, which is no folder. Correct the path`
        : `leads to the folder ${folder}, which does not exist. Correct the path, or make it: mkdir -p ${folder}`
    return [fieldError([name], words, 'config')]
  })

/** Throws `bad_configuration` for a data directory where nothing can be kept. */
export const assertDataFolder = (data_dir: string): void => assertNone(placeFaults(data_dir))

/** Throws `bad_configuration` with a line per folder outside the data directory that is missing. */
export const assertFolders = (named: readonly NamedFolder[], data_dir: string): void =>
  assertNone(faultsOf(named.filter(({ folder }) => !isMade(folder, data_dir))))

/** The kernel's own: below them a folder cannot be made, nothing stays, and Node may wait for ever. `/dev/shm` is memory. */
const PSEUDO = /^\/(?:proc|sys|dev)(?:\/|$)(?!shm(?:\/|$))/

function placeFaults(data_dir: string): readonly FieldError[] {
  const place = realPlace(data_dir)
  if (!PSEUDO.test(place)) return []
  const words = `leads to ${place}, where the kernel shows itself and nothing can be kept. Name a folder on a disk`
  return [fieldError(['PLUMBLINE_DATA_DIR'], words, 'config')]
}

/** With every link on the way to it followed; what is not there yet stays as it is named. Links of `/proc` are followed by nobody. */
function realPlace(path: string): string {
  if (PSEUDO.test(path)) return path
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPlace(parent), path.slice(parent.length))
  }
}

function assertNone(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}
