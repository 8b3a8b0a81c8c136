/** How findings of `plumbline doctor` are made, and what several of its checks ask of the file system. */
import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding } from '../cli/verb.ts'
import { systemErrorCode } from '../kernel/failure.ts'

export const good = (check: string, detail: string): Finding => ({
  check,
  state: 'good',
  detail,
  remedy: null,
})
export const warning = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  detail,
  remedy,
})
export const bad = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'bad',
  detail,
  remedy,
})

export async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (systemErrorCode(error) === null) throw error
    return false
  }
}

/** The folder of a file that is replaced by renaming another into its place. @param what `routes` */
export async function folderOf(what: string, path: string): Promise<Finding> {
  const folder = dirname(path)
  const check = `${what} folder`
  const found = await stat(folder).catch(() => null)
  if (found === null) return warning(check, `${folder} does not exist yet`, 'It is made at the first start.')
  return (await isWritable(folder))
    ? good(check, folder)
    : bad(
        check,
        `${folder} is not writable`,
        'Give Plumbline write permission on the folder, not only on the file.',
      )
}

/** A bind mount of the file alone ties its reader to one inode: a rename is invisible to it, and refused to us. */
export async function notMountedAlone(what: string, path: string): Promise<Finding> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const mounted = mounts.split('\n').some((line) => line.split(' ')[4] === path)
  const check = `${what} file`
  return mounted
    ? bad(check, `${path} is a mount point of a single file`, 'Mount its directory instead.')
    : good(check, path)
}
