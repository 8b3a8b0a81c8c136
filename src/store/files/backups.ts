/** Copies of the database: made before its schema changes, or when its files are lost under the open connection. */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { makeFolder } from '../../kernel/make-folder.ts'
import type { Connection } from '../connection.ts'
import { syncPath } from './durable-file.ts'
import { onStorage } from '../failures.ts'

const KEPT = 5
const NAME = /^plumbline-\d+-(\d{8}T\d{9}Z)\.db$/

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
    for (const old of backupsIn(directory).slice(KEPT)) rmSync(join(folder, old))
  })
  return path
}

/** VACUUM INTO neither syncs its copy nor removes it when it fails, so it gets the real name only when it is whole. */
function copyInto(connection: Connection, path: string): void {
  const partial = `${path}.partial`
  try {
    rmSync(partial, { force: true })
    // VACUUM INTO takes a file that is there if it is empty, and leaves its mode alone.
    closeSync(openSync(partial, 'wx', 0o600))
    connection.prepare('VACUUM INTO ?').run(partial)
    syncPath(partial)
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
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
export function newestBackup(directory: string): string | null {
  try {
    const [newest] = backupsIn(directory)
    return newest === undefined ? null : join(folderOf(directory), newest)
  } catch {
    return null
  }
}

/** The newest backup with its time (RFC 3339) and size, or null as above. */
export function describeNewestBackup(
  directory: string,
): Readonly<{ path: string; at: string; bytes: number }> | null {
  const path = newestBackup(directory)
  const [, time] = (path !== null && NAME.exec(basename(path))) || []
  if (path === null || time === undefined) return null
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  return bytes === undefined ? null : { path, at: time.replace(COMPACT, '$1-$2-$3T$4:$5:$6.$7Z'), bytes }
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
function backupsIn(directory: string): string[] {
  const folder = folderOf(directory)
  if (!existsSync(folder)) return []
  const timeOf = (name: string) => NAME.exec(name)?.[1] ?? ''
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
}

const compact = (at: Instant): string => isoTime(at).replaceAll(/[-:.]/g, '')
