/** Names of unfinished files: unguessable, recognizable, and never one that a proxy would read as configuration. */
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../kernel/process-alive.ts'

// Tells this process from an earlier one with the same number (in a container every one is number 1).
const RUN = randomBytes(4).toString('hex')
const TEMP = /^\.plumbline-temp-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}$/
const ABANDONED_AFTER_MS = 3_600_000

export const newTempName = (): string =>
  `.plumbline-temp-${process.pid}-${RUN}-${randomBytes(8).toString('hex')}`

/** Removes what killed processes left in the folder. Never fails: a leftover is untidy, not wrong. */
export function removeStaleTemps(folder: string): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (isStale(name, path)) attempt(() => unlinkSync(path))
  }
}

/** Stale: made by an earlier process with our number, by one that is gone, or an hour ago. */
function isStale(name: string, path: string): boolean {
  const match = TEMP.exec(name)
  if (match === null || match[2] === RUN) return false
  const pid = Number(match[1])
  return pid === process.pid || !isAlive(pid) || ageMs(path) > ABANDONED_AFTER_MS
}

const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? []
const ageMs = (path: string): number =>
  Date.now() - (attempt(() => statSync(path, { throwIfNoEntry: false })?.mtimeMs) ?? Date.now())

function attempt<T>(attempted: () => T): T | undefined {
  try {
    return attempted()
  } catch {
    return undefined
  }
}
