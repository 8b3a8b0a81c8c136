/** A file that is replaced by renaming another into its place: its folder, and whether a rename reaches its readers. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding } from '../cli/verb.ts'
import { isMade } from '../config/folders.ts'
import { bad, good, warning } from './finding.ts'
import { hidden, see, type Seen } from './seen.ts'

/** @param what `routes` @param data_dir what lies in it is made */
export async function replacedFile(what: string, path: string, data_dir: string): Promise<Finding[]> {
  const folder = dirname(path)
  return [
    evaluateFolder(what, { folder, is_made: isMade(folder, data_dir) }, await see(folder)),
    evaluateMounts(what, path, await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')),
  ]
}

export function evaluateFolder(
  what: string,
  { folder, is_made }: { readonly folder: string; readonly is_made: boolean },
  seen: Seen | 'hidden' | null,
): Finding {
  const check = `${what} folder`
  if (seen === 'hidden') return hidden(check, folder)
  if (seen === null)
    return is_made
      ? warning(check, `${folder} does not exist yet`, 'It is made at the first start.')
      : bad(check, `${folder} does not exist`, `Correct the path, or make it: mkdir -p ${folder}`)
  const remedy = 'Give Plumbline write permission on the folder, not only on the file.'
  return seen.is_writable ? good(check, folder) : bad(check, `${folder} is not writable`, remedy)
}

/**
 * A bind mount of the file alone ties its reader to one inode: a rename is invisible to it, and refused to us.
 * @param mountinfo of /proc (proc_pid_mountinfo(5)), whose fifth field is where something is mounted; empty where there is none
 */
export function evaluateMounts(what: string, path: string, mountinfo: string): Finding {
  const is_mounted = mountinfo.split('\n').some((line) => line.split(' ')[4] === path)
  const check = `${what} file`
  return is_mounted
    ? bad(check, `${path} is a mount point of a single file`, 'Mount its directory instead.')
    : good(check, path)
}
