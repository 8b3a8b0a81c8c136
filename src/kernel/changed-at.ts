/** When a file last changed, from one system call. The ctime is what nobody can set back. */
import { lstatSync } from 'node:fs'
import type { Instant } from './clock.ts'

export interface FileChanged {
  /** Another one after each change. */
  readonly stamp: string
  readonly at: Instant
}

/** Null where there is no file, or where it cannot be examined. */
export function changedAt(path: string): FileChanged | null {
  try {
    const status = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (status === undefined) return null
    const { ino, ctimeNs, mtimeNs } = status
    return { stamp: `${ino} ${ctimeNs} ${mtimeNs}`, at: Number(ctimeNs / 1_000_000n) }
  } catch {
    return null
  }
}
