/**
 * Whose data directory this is. The marker file says that a database must be here, so that a lost or emptied one is not
 * taken for a new installation, whose empty intent would take the public surface down.
 *
 *   marker   database                      then
 *   no       none, or without tables       a new installation
 *   no       with an installation id       the marker is written again
 *   yes      with the same id              open
 *   yes      anything else                 `database_missing`
 *   damaged  with an installation id       the marker is written again
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import { readFileIfAny, replaceFile } from './durable-file.ts'

export interface Installation {
  readonly id: string
  readonly created_at: Instant
}

/** `id` is null when the file is there but says nothing that can be read. */
export interface Marker {
  readonly id: string | null
  /** Null when it says none that can be read. */
  readonly created_at: Instant | null
}

/** What was found where the database should be. */
export type DirectoryContent = 'nothing' | 'no tables' | 'a foreign database' | Installation

const markerPath = (directory: string): string => join(directory, 'installation.json')

/** Whether a daemon was started there before. */
export const hasInstallation = (directory: string): boolean => existsSync(markerPath(directory))

export function readMarker(directory: string): Marker | null {
  const text = readFileIfAny(markerPath(directory))
  if (text === null) return null
  try {
    const { id, created_at } = JSON.parse(text) as { id?: unknown; created_at?: unknown }
    const since = typeof created_at === 'string' ? Date.parse(created_at) : NaN
    return { id: typeof id === 'string' ? id : null, created_at: Number.isNaN(since) ? null : since }
  } catch {
    return { id: null, created_at: null }
  }
}

/** Only after the database's first commit: a marker without a database stops every later start. */
export function writeMarker(directory: string, { id, created_at }: Installation): void {
  replaceFile(markerPath(directory), `${JSON.stringify({ id, created_at: isoTime(created_at) })}\n`)
}

/** A data directory as it is found before the database is opened. */
export interface DirectoryState {
  readonly directory: string
  readonly marker: Marker | null
  /** Full path, null when there is none. */
  readonly newest_backup: string | null
  /** Full path of the newest copy that was made when the database was lost under the daemon, null when there is none. */
  readonly newest_saved: string | null
}

/** Throws `database_missing` or `database_corrupt` unless the table above says that the database may be used. */
export function assertOurs(place: DirectoryState, found: DirectoryContent): void {
  const { directory, marker } = place
  const fault = faultOf(marker, found)
  if (fault === null) return
  const path = join(directory, 'plumbline.db')
  if (marker === null)
    throw new Failure(
      'database_corrupt',
      `${path} ${fault}. Move it away, or choose another PLUMBLINE_DATA_DIR.`,
    )
  throw new Failure(
    'database_missing',
    `${markerPath(directory)} says that this is installation ${marker.id ?? '(unreadable)'}, but ${path} ${fault}. ` +
      `Nothing was changed. ${restoreAdvice(place)}` +
      // Nobody is told to start anew beside what holds everything that was acknowledged.
      (place.newest_saved === null ? ' Or remove installation.json to start anew with nothing.' : ''),
  )
}

function faultOf(marker: Marker | null, found: DirectoryContent): string | null {
  if (found === 'a foreign database') return 'is the database of something else'
  if (found === 'nothing') return marker === null ? null : 'is missing'
  if (found === 'no tables') return marker === null ? null : 'is empty'
  if (marker === null || marker.id === null || marker.id === found.id) return null
  return `belongs to installation ${found.id}`
}

/** The way back from damage. A log that belongs to the damaged file must not be replayed into the restored one. */
export function restoreAdvice({ directory, newest_backup, newest_saved }: DirectoryState): string {
  if (newest_saved !== null) {
    const path = shellWord(join(directory, 'plumbline.db'))
    return (
      `${newest_saved} holds what was saved until the database was lost then` +
      `${newest_backup === null ? '' : `; the newest backup is ${newest_backup}`}. To put it in place: ` +
      `rm -f ${path} ${path}-wal ${path}-shm && cp -p ${shellWord(newest_saved)} ${path}`
    )
  }
  if (newest_backup === null) return `There is no backup in ${join(directory, 'backups')}.`
  return (
    `Restore a backup: remove plumbline.db, plumbline.db-wal and plumbline.db-shm, and copy ${newest_backup} ` +
    'to plumbline.db.'
  )
}
