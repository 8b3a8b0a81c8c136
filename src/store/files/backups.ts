/** Copies of the database: one a day, one before its schema changes, and one when its files are lost under the open connection. */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { makeFolder } from '../../kernel/make-folder.ts'
import type { DatabaseCopy } from '../../ports/backups.ts'
import type { Connection } from '../connection.ts'
import { syncPath } from './durable-file.ts'
import { onStorage } from '../failures.ts'

/** Of those before a schema change. */
const KEPT = 5
const NAME = /^plumbline-(\d+|daily)-(\d{8}T\d{9}Z)\.db$/
type Occasion = 'daily' | 'schema'

interface Meant {
  /** Left out: of either occasion. */
  readonly of?: Occasion
  /** Those that bear a later time, as from a clock that was ahead, come behind the others. */
  readonly until?: Instant
  /** None of before, such as those of an installation that stood here earlier; later than `until`, it is of a clock that was ahead, and all count. */
  readonly from?: Instant | null
}

const folderOf = (directory: string): string => join(directory, 'backups')

/** `plumbline-<schema number>-<time in UTC>.db`, for its owner only. Gives the path. Keeps the newest five. */
export function backUp(
  connection: Connection,
  directory: string,
  { schema, at }: { schema: number; at: Instant },
): string {
  const folder = folderOf(directory)
  const path = join(folder, `plumbline-${String(schema).padStart(4, '0')}-${compact(at)}.db`)
  onStorage(path, () => {
    makeFolder(folder, 0o700)
    copyInto(connection, path)
    syncPath(folder)
    forget(directory, { of: 'schema', until: at }, KEPT)
  })
  return path
}

/** Where the copy of a day is made and tried before it has a name: `keepDaily` gives it one. */
export const untriedCopy = (directory: string): string => join(folderOf(directory), 'untried.db.partial')

/** Copies the database to there, beside whoever works on it; it is not flushed yet. Throws what SQLite throws. */
export function copyUntried(connection: Connection, directory: string): string {
  makeFolder(folderOf(directory), 0o700)
  const path = untriedCopy(directory)
  copyTo(connection, path)
  return path
}

interface Keeping {
  readonly at: Instant
  /** How many of them. */
  readonly kept: number
  /** Older ones are of another installation, and stay, unless this is of a clock that was ahead. */
  readonly from: Instant | null
}

/** `plumbline-daily-<time in UTC>.db`: the name says that it was tried. Keeps the newest so many. */
export function keepDaily(directory: string, { at, kept, from }: Keeping): void {
  const folder = folderOf(directory)
  renameSync(untriedCopy(directory), join(folder, `plumbline-daily-${compact(at)}.db`))
  syncPath(folder)
  forget(directory, { of: 'daily', until: at, from }, kept)
}

/** One that cannot be removed is left for the next time. */
function forget(directory: string, meant: Meant, kept: number): void {
  for (const old of backupsIn(directory, meant).slice(kept))
    try {
      rmSync(join(folderOf(directory), old), { force: true })
    } catch {
      continue
    }
}

/** It gets the real name only when it is whole. */
function copyInto(connection: Connection, path: string): void {
  const partial = `${path}.partial`
  copyTo(connection, partial)
  try {
    syncPath(partial)
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** VACUUM INTO neither syncs its copy nor removes it when it fails. */
function copyTo(connection: Connection, path: string): void {
  try {
    rmSync(path, { force: true })
    // VACUUM INTO takes a file that is there if it is empty, and leaves its mode alone.
    closeSync(openSync(path, 'wx', 0o600))
    connection.prepare('VACUUM INTO ?').run(path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Where a copy of the open database may go: `plumbline-saved-<time in UTC>.db` beside it, over nothing that stands there. */
export function freePathBeside(connection: Connection, at: Instant): string {
  const stem = `${connection.name.replace(/\.db$/, '')}-saved-${compact(at)}`
  for (let i = 1; ; i++) {
    const path = i === 1 ? `${stem}.db` : `${stem}-${i}.db`
    if (!existsSync(path)) return path
  }
}

/** Copies what the connection has open, whatever stands at its path by now. Makes the folder anew where it is gone. */
export function saveBeside(connection: Connection, path: string): void {
  makeFolder(dirname(path), 0o700)
  copyInto(connection, path)
  syncPath(dirname(path))
}

/** The full path of the newest backup, or null when none can be seen: an advice must not be what stops a start. */
export function newestBackup(directory: string, meant: Meant = {}): string | null {
  try {
    const [newest] = backupsIn(directory, meant)
    return newest === undefined ? null : join(folderOf(directory), newest)
  } catch {
    return null
  }
}

/** The newest backup with its time and size; null as above. */
export function describeNewestBackup(directory: string, meant: Meant = {}): DatabaseCopy | null {
  const path = newestBackup(directory, meant)
  const [, , time] = (path !== null && NAME.exec(basename(path))) || []
  if (path === null || time === undefined) return null
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  const at = Date.parse(time.replace(COMPACT, '$1-$2-$3T$4:$5:$6.$7Z'))
  return bytes === undefined || Number.isNaN(at) ? null : { path, at, bytes }
}

const COMPACT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/

const SAVED = /^plumbline-saved-(\d{8}T\d{9}Z)(?:-(\d+))?\.db$/

/** The full path of the newest copy that `saveBeside` left in the data directory; null as above. */
export function newestSaved(directory: string): string | null {
  try {
    const [newest] = readdirSync(directory)
      .flatMap((name) => {
        const [, time, nth = '1'] = SAVED.exec(name) ?? []
        return time === undefined ? [] : [{ name, key: `${time}-${nth.padStart(9, '0')}` }]
      })
      .sort((a, b) => (a.key < b.key ? 1 : -1))
    return newest === undefined ? null : join(directory, newest.name)
  } catch {
    return null
  }
}

/** Newest first, by the time in the name. */
function backupsIn(directory: string, { of, until, from = null }: Meant): string[] {
  const folder = folderOf(directory)
  if (!existsSync(folder)) return []
  const isMeant = (name: string) => {
    const occasion = NAME.exec(name)?.[1]
    return occasion !== undefined && (of === undefined || (occasion === 'daily') === (of === 'daily'))
  }
  const last = until === undefined ? '~' : compact(until)
  const first = from === null || compact(from) > last ? '' : compact(from)
  const found = readdirSync(folder)
    .filter((name) => isMeant(name) && timeIn(name) >= first)
    .sort((a, b) => (timeIn(a) < timeIn(b) ? 1 : -1))
  return [...found.filter((name) => timeIn(name) <= last), ...found.filter((name) => timeIn(name) > last)]
}

const timeIn = (name: string): string => NAME.exec(name)?.[2] ?? ''

const compact = (at: Instant): string => isoTime(at).replaceAll(/[-:.]/g, '')
