/** What kind of thing stands at a path, from its own status (never of what a link points to). */
import type { BigIntStats, Stats } from 'node:fs'
import type { FileLook } from '../../ports/files.ts'

export type Intruder = Extract<FileLook, { kind: 'intruder' }>['what']

/** Null for a regular file. */
export function intruderIn(status: Stats | BigIntStats): Intruder | null {
  if (status.isFile()) return null
  if (status.isDirectory()) return 'directory'
  if (status.isSymbolicLink()) return 'symlink'
  if (status.isFIFO()) return 'fifo'
  if (status.isSocket()) return 'socket'
  return 'device'
}
