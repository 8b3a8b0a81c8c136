/** Files that somebody names on the command line: what is in the way is said as a sentence with the path and what would help. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { readFault, writeFault } from './faults.ts'

/** Throws `not_found` or `component_unavailable`. */
export async function readNamed(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = systemErrorCode(cause)
    const whole = resolve(path)
    if (code === 'ENOENT')
      throw new Failure('not_found', `There is no file ${whole}: name one that is there.`, { cause })
    if (code === 'EISDIR')
      throw new Failure('not_found', `${whole} is a folder: name the files in it, one by one.`, { cause })
    throw readFault(cause, whole)
  }
}

/** Throws `storage_unwritable` or `storage_full`. */
export async function writeNamed(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (cause) {
    const code = systemErrorCode(cause)
    const whole = resolve(path)
    if (code === 'ENOENT')
      throw unwritable(`There is no folder ${dirname(whole)}: make it first, or name another.`, cause)
    if (code === 'EISDIR') throw unwritable(`${whole} is a folder: name a file in it.`, cause)
    throw writeFault(cause, whole)
  }
}

const unwritable = (text: string, cause: unknown): Failure =>
  new Failure('storage_unwritable', text, { cause })
