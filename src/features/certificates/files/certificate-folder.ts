/** Folders that hold keys: private to us, real ones, and on the disk before anything is put into them. */
import type { Dirent } from 'node:fs'
import { lstat, mkdir, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure, systemErrorCode } from '../../../kernel/failure.ts'
import { readFault, writeFault } from '../../../io/files/faults.ts'

/** Makes it, and its parents, where it is missing. Throws a Failure (`storage_unwritable`) for a link or a file there. */
export async function privateFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    // The first that was made stands in a folder that does not know of it for good until it is synced.
    if (made !== undefined)
      for (let at = folder; at !== dirname(made); at = dirname(at)) await sync(dirname(at))
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw writeFault(error, folder)
  }
  if (!(await isRealFolder(folder)))
    throw new Failure(
      'storage_unwritable',
      `${folder} is not a directory of its own. Move away what stands there; keys are not written through links.`,
    )
}

/** False for nothing, for a link, for anything else. */
export async function isRealFolder(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return false
    throw readFault(error, folder)
  }
}

/**
 * What stands in it; nothing where it is missing. Throws a Failure (`component_unavailable`), for a link or a file in its
 * place too: were that taken for "no certificates", all of them would be ordered anew and dropped from the proxy's file.
 */
export async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    if ((await lstat(folder)).isDirectory()) return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw readFault(error, folder)
  }
  throw new Failure(
    'component_unavailable',
    `${folder} is not a directory of its own, so nobody knows which certificates there are. Move away what stands there.`,
  )
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
