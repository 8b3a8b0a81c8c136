/** Takes back a new installation that is not to be: its data directory is as it was before. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemErrorCode } from '../../kernel/failure.ts'
import { holdLock } from './lock.ts'

/** What an installation lays into its directory before it looks at anything outside, with what SQLite puts beside its files. */
const LAID = /^(?:api-key|ballast|installation\.json|(?:lock|plumbline)\.db(?:-(?:wal|shm|journal))?)$/

/** Call it before anything is made. The answer takes away what was made since; of an installation that was there, nothing. */
export function rememberFolder(data_dir: string): () => void {
  const missing = missingFolders(data_dir)
  const before = missing.length > 0 ? new Set<string>() : namesIn(data_dir)
  return () => {
    if (before === null || before.has('installation.json') || !existsSync(data_dir)) return
    takeBack(data_dir, before)
    for (const folder of missing) removeEmpty(folder)
  }
}

/** The folder and those above it that are not there yet, the innermost first. */
function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))]
}

/** Null where it cannot be read, which the start tells of. */
function namesIn(folder: string): ReadonlySet<string> | null {
  try {
    return new Set(readdirSync(folder))
  } catch {
    return null
  }
}

/** Whoever has begun to use it meanwhile holds its lock, and keeps it. */
function takeBack(data_dir: string, before: ReadonlySet<string>): void {
  const lock = holdLock(data_dir)
  const come = readdirSync(data_dir, { withFileTypes: true }).filter(({ name }) => !before.has(name))
  // The lock goes last: whoever comes meanwhile finds it held, and never a database without it.
  const isLock = ({ name }: { readonly name: string }): number => Number(name.startsWith('lock.db'))
  for (const entry of come.toSorted((a, b) => isLock(a) - isLock(b)))
    if (entry.isDirectory()) removeEmpty(join(data_dir, entry.name))
    else if (LAID.test(entry.name)) rmSync(join(data_dir, entry.name), { force: true })
  lock.release()
}

/** What somebody has put something into stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemErrorCode(error) ?? '')) throw error
  }
}
