/** One file that we own and others may damage, on a real file system: the port's contract put together. */
import type { Stats } from 'node:fs'
import type { Log } from '../../kernel/log.ts'
import { type AccessRule, mendedMode } from '../../model/file-access.ts'
import { type FileLook, lastSeen, lookIdentity, type ManagedFile } from '../../ports/files.ts'
import { untilAborted } from '../../kernel/async/until-aborted.ts'
import { resolveDirectory } from './directory.ts'
import { glanceAt } from '../../kernel/glance.ts'
import { isClosedFolder, placeFault } from './folder-fault.ts'
import { type KnownContent, lookAt } from './look.ts'
import type { Expectation } from './rename-over.ts'
import { replaceFile } from './replace.ts'
import { restoreMode } from './restore-mode.ts'
import { removeStaleTemps } from './temps.ts'
import { watchFile } from './watch.ts'
import { siblingOf, Workplace } from './workplace.ts'

export interface ManagedFileOptions {
  /** A larger file is `oversize` and not read. */
  readonly max_bytes: number
  readonly log: Log
  /** What its mode is judged by; left out: not at all. */
  readonly access?: AccessRule
  /** Others write to it, too, so what stood there is kept: it is put back in place of what is no file. */
  readonly remembers?: true
}

/**
 * Resolves the folder once (made with mode 0755 when it is missing) and removes what killed processes left there. The
 * file's own name is never followed. Throws `storage_unwritable` when the folder can be neither found nor made.
 */
export function managedFile(file: string, options: ManagedFileOptions): ManagedFile {
  const { max_bytes, log, access, remembers } = options
  const { path, directory, base, open_to_all } = resolveDirectory(file)
  const workplace = new Workplace(directory, true)
  if (open_to_all) log.warn('everybody may write to the folder of a managed file', { directory })
  for (const folder of [siblingOf(directory), directory]) if (folder !== null) removeStaleTemps(folder)
  const expecting = (expected: string | null): Expectation => ({
    absent: expected === null,
    async isMet(at, signal) {
      const look = await lookAt(at, { max_bytes, known: null }, signal)
      return lookIdentity(look) === expected
    },
  })
  // What we wrote last is what we expect to find.
  let known: KnownContent | null = null
  // What whoever runs the host has made of its mode, as far as we saw it well.
  let usual = 0
  const recall = remembers === true ? lastSeen() : (look: FileLook) => look
  // Whose it was, for when something else stands in its place.
  let owned: Stats | null = null
  const met = (status: Stats) => void (owned = status)
  const sound = (mode: number) => void (usual = mode)
  const access_options = access === undefined ? {} : { access, sound }
  const through = remembers === true ? ({ through: true } as const) : {}
  const mended = (mode: number) => (access === undefined ? mode : mendedMode({ mode }, access, usual))
  const keeping = access === undefined ? {} : { mended }
  return {
    path,
    glance() {
      const stamp = glanceAt(path)
      return stamp !== null && access !== undefined && isClosedFolder(directory) ? `${stamp} closed` : stamp
    },
    look: (signal) =>
      untilAborted(
        lookAt(path, { max_bytes, known, met, ...access_options, ...through }, signal),
        signal,
      ).then(recall),
    async replace(chunks, { digest, expected, ...how }, signal) {
      const stands = expected === undefined ? {} : { expectation: expecting(expected) }
      const replacement = { path, chunks, log, owned, ...how, ...stands, ...keeping }
      await untilAborted(replaceFile(workplace, replacement, signal), signal)
      known = digest === undefined ? null : { digest, chunks }
    },
    placeFault: async () => (access === undefined ? null : placeFault(path, access)),
    restoreMode: (signal) => untilAborted(restoreMode(path, mended), signal),
    watch: (hint) => watchFile({ directory, base, log, hint }),
  }
}
