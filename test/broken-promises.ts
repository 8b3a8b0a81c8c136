/** What the database of a data directory breaks of its invariants, for trials that end in whatever state they do. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lookInto } from '../src/adapters/sqlite/invariants/look.ts'
import { systemClock } from '../src/kernel/clock.ts'

/** Empty where all hold, and where nothing was committed yet. Only looks. */
export function brokenPromises(directory: string): readonly string[] {
  if (!existsSync(join(directory, 'plumbline.db'))) return []
  const looked = lookInto(directory, { now: systemClock.now(), without: [] })
  if (looked.every(({ detail }) => detail?.endsWith('holds nothing yet.'))) return []
  return looked.filter(({ holds }) => holds !== true).map(({ name, detail }) => `${name}: ${detail}`)
}
