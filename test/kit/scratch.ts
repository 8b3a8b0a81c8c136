/**
 * Where the temporary folders of a run lie: in memory where there is some, since a test's database is synced at every
 * commit and its disk is seldom the subject. Suites whose subject is the disk bring one of their own (test/faults/images.ts).
 */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 2 * 1024 ** 3

/** Of this run alone: made before it and removed after it (whole-run.ts). */
export const SCRATCH = join(isRoomy(MEMORY) ? MEMORY : tmpdir(), `plumbline-${process.pid}`)

/** Where this run builds the programs that tests start (programs.ts); a run that builds none starts their sources. */
export const BUILT_PROGRAMS = process.env['PROGRAMS'] === 'built' ? join(SCRATCH, 'programs') : undefined

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch {
    return false
  }
}
