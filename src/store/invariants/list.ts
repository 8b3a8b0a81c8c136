/** All rules, in the order in which they are told. */
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { DOMAIN_RULES } from './domains.ts'
import { FILE_RULES } from './file.ts'
import { LEDGER_RULES } from './ledgers.ts'
import { RELEASE_RULES } from './releases.ts'
import { FROM_OUTSIDE, type Rule } from './rule.ts'

// Rules of the engine's memory: the journal, what was applied, and plans.

/** No pass lasts nearly as long. */
const MAX_STEP_MS: Milliseconds = 60 * 60 * 1000

const ENGINE_RULES: readonly Rule[] = [
  {
    name: 'journal_steps_closed',
    promise: 'Every step outside that was begun has ended, or is under way.',
    remedy: 'Restart the daemon: it looks at the world and closes what it finds open.',
    *broken(content) {
      const before = content.now - MAX_STEP_MS
      const steps = content.all<{ id: number; key: string; at: number }>(
        'SELECT id, key, at FROM journal WHERE outcome IS NULL AND at < ? ORDER BY id',
        before,
      )
      for (const { id, key, at } of steps) yield `step ${id} of ${key} is open since ${when(at)}`
    },
  },
  {
    name: 'applied_not_ahead',
    promise: 'Nothing was put into the world of a release that was never made.',
    remedy: FROM_OUTSIDE,
    *broken(content) {
      const newest = content.newestRelease()
      for (const [table, name, column] of CARRIERS) {
        const rows = content.all<{ name: string; release: number }>(
          `SELECT ${name} AS name, ${column} AS release FROM ${table} WHERE ${column} > ?`,
          newest,
        )
        for (const row of rows)
          yield `${table} names release ${row.release} (${row.name}), and the newest is ${newest}`
      }
    },
  },
]

const CARRIERS = [
  ['applied', 'key', 'release'],
  ['journal', 'key', 'release'],
  ['plans', 'id', 'applied_release'],
] as const

/** A time that was damaged may be none. */
const when = (at: number): string => (Math.abs(at) <= 8.64e15 ? isoTime(at) : String(at))

export const INVARIANT_RULES: readonly Rule[] = [
  ...FILE_RULES,
  ...DOMAIN_RULES,
  ...RELEASE_RULES,
  ...ENGINE_RULES,
  ...LEDGER_RULES,
]
