/** The stamp of a file from one system call: git's rule for trusting a status instead of reading. */
import { lstatSync } from 'node:fs'

/** Old kernels stamp files in ticks of 4 ms; a change this near to now may be followed by one with the same stamp. */
const TRUSTED_AFTER_MS = 20

/**
 * Inode, size, mtime and ctime, or `absent`, or null when a look is needed anyway. The ctime is what nobody can put
 * back, so a same-size edit with its mtime restored is seen. Compared with the kernel's own clock on purpose: file
 * times come from there.
 */
export function glanceAt(path: string): string | null {
  try {
    const status = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (status === undefined) return 'absent'
    const age_ms = Date.now() - Number(status.ctimeNs / 1_000_000n)
    if (Math.abs(age_ms) <= TRUSTED_AFTER_MS) return null
    return `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`
  } catch {
    return null
  }
}
