/** A small file of our own, replaced as a whole or not at all: status files, keys, markers. */
import { silentLog } from '../../kernel/log.ts'
import { resolveDirectory } from './directory.ts'
import { replaceFile } from './replace.ts'
import { removeStaleTemps } from './temps.ts'
import { Workplace } from './workplace.ts'

export interface AtomicWriteOptions {
  readonly mode: number
  /** Somebody watches the folder (a proxy): the temp goes beside it, so that they see one event. Default false. */
  readonly watched?: boolean
  readonly signal?: AbortSignal
}

/** Durable when it resolves. Throws `storage_full` or `storage_unwritable`; then the old file stands. */
export async function writeAtomically(
  file: string,
  chunks: readonly Uint8Array[],
  options: AtomicWriteOptions,
): Promise<void> {
  const { path, directory } = resolveDirectory(file)
  removeStaleTemps(directory)
  const { mode, watched = false, signal = new AbortController().signal } = options
  await replaceFile(
    new Workplace(directory, watched),
    { path, chunks, mode, evidence: false, log: silentLog },
    signal,
  )
}
