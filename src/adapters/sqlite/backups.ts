/** Copies of the database, made before its schema changes. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Instant, isoTime } from '../../kernel/clock.ts'
import type { Connection } from './connection.ts'
import { syncPath } from './durable-file.ts'
import { onStorage } from './failures.ts'

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
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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

/** The full path of the newest backup, or null when none can be seen: an advice must not be what stops a start. */
export function newestBackup(directory: string): string | null {
  try {
    const [newest] = backupsIn(directory)
    return newest === undefined ? null : join(folderOf(directory), newest)
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
