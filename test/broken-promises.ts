/** What the database of a data directory breaks of its invariants, for trials that end in whatever state they do. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lookInto } from '../src/store/invariants/look.ts'
import { systemClock } from '../src/kernel/clock.ts'

/**
 * Empty where all hold. What cannot be looked at is no promise kept, but for a database that a death has just left: there
 * may be none yet, or one of which a write is still to be taken back. Only looks.
 */
export function brokenPromises(directory: string, when: 'at death' | 'at rest'): readonly string[] {
  if (!existsSync(join(directory, 'plumbline.db'))) return []
  const looked = lookInto(directory, { now: systemClock.now(), without: [] })
  const is_broken = (holds: boolean | null) => holds === false || (holds === null && when === 'at rest')
  return looked.filter(({ holds }) => is_broken(holds)).map(({ name, detail }) => `${name}: ${detail}`)
}
