/** One file that we own and others may damage, on a real file system: the port's contract put together. */
import type { Log } from '../../kernel/log.ts'
import type { ManagedFile } from '../../ports/files.ts'
import { untilAborted } from '../../kernel/until-aborted.ts'
import { resolveDirectory } from './directory.ts'
import { glanceAt } from './glance.ts'
import { type KnownContent, lookAt } from './look.ts'
import type { Expectation } from './rename-over.ts'
import { replaceFile } from './replace.ts'
import { removeStaleTemps } from './temps.ts'
import { watchFile } from './watch.ts'
import { siblingOf, Workplace } from './workplace.ts'

export interface ManagedFileOptions {
  /** A larger file is `oversize` and not read. */
  readonly most_bytes: number
  readonly log: Log
}

/**
 * Resolves the folder once (made with mode 0755 when it is missing) and removes what killed processes left there. The
 * file's own name is never followed. Throws `storage_unwritable` when the folder can be neither found nor made.
 */
export function managedFile(file: string, { most_bytes, log }: ManagedFileOptions): ManagedFile {
  const { path, directory, base, open_to_all } = resolveDirectory(file)
  const workplace = new Workplace(directory, true)
  if (open_to_all) log.warn('everybody may write to the folder of a managed file', { directory })
  for (const folder of [siblingOf(directory), directory]) if (folder !== null) removeStaleTemps(folder)
  const expecting = (expected: string | null): Expectation => ({
    absent: expected === null,
    async isMet(at, signal) {
      const look = await lookAt(at, { most_bytes, known: null }, signal)
      return (look.kind === 'file' ? look.digest : look.kind === 'absent' ? null : look.kind) === expected
    },
  })
  // What we wrote last is what we expect to find.
  let known: KnownContent | null = null
  return {
    path,
    glance: () => glanceAt(path),
    look: (signal) => untilAborted(lookAt(path, { most_bytes, known }, signal), signal),
    async replace(chunks, { digest, expected, ...options }, signal) {
      const stands = expected === undefined ? {} : { expectation: expecting(expected) }
      const replacement = { path, chunks, log, ...options, ...stands }
      await untilAborted(replaceFile(workplace, replacement, signal), signal)
      known = digest === undefined ? null : { digest, chunks }
    },
    watch: (hint) => watchFile({ directory, base, log, hint }),
  }
}
