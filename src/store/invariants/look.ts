/** One look at a database file by all rules, from one snapshot and without a write. Blocks its process while it lasts. */
import { join } from 'node:path'
import { systemErrorCode } from '../../kernel/failure.ts'
import { type Connection, openForLooking } from '../connection.ts'
import { foundIn } from '../files/identity.ts'
import { readMarker } from '../files/installation.ts'
import { Content } from './content.ts'
import { INVARIANT_RULES } from './list.ts'
import { detailOf, type Looked, type LookOptions, type Rule } from './rule.ts'

/** Looks at `plumbline.db` of a data directory. What could not be looked at is null, with the reason. Never throws. */
export function lookInto(directory: string, options: LookOptions): readonly Looked[] {
  const path = join(directory, 'plumbline.db')
  let connection: Connection | null = null
  try {
    connection = openForLooking(path)
    // One snapshot for all rules: a release that comes meanwhile must not be seen by half.
    connection.exec('BEGIN')
    if (isUnborn(connection, directory))
      return allUnknown({ ...options, without: [] }, `${path} holds nothing yet.`)
    return lookByAll({ connection, directory }, options)
  } catch (error) {
    // Of a file that is gone, what was seen of it earlier says nothing either.
    return INVARIANT_RULES.map((rule) => unread(rule, `${path} could not be read: ${reason(error)}`, error))
  } finally {
    connection?.close()
  }
}

/** Every rule that the options do not leave out, not known. */
export const allUnknown = (options: LookOptions, detail: string): readonly Looked[] =>
  rulesFor(options).map(({ name }) => ({ name, holds: null, detail }))

const rulesFor = ({ without }: LookOptions): readonly Rule[] =>
  INVARIANT_RULES.filter(({ name }) => !without.includes(name))

/** A start that was cut short before its first commit leaves an empty file, and that is no damage. */
const isUnborn = (connection: Connection, directory: string): boolean =>
  foundIn(connection) === 'no tables' && readMarker(directory) === null

/** By every rule that the options do not leave out. */
export function lookByAll(
  { connection, directory }: { readonly connection: Connection; readonly directory: string },
  options: LookOptions,
): readonly Looked[] {
  const content = new Content(connection, directory, options.now)
  const looked = rulesFor(options).map((rule) => lookBy(rule, content))
  const met_damage = looked.some(({ detail }) => detail?.includes(DAMAGED) === true)
  if (!met_damage || looked.some(({ name }) => name === 'pages_intact')) return looked
  // Whoever meets a broken page by chance has every reason to read them all.
  const pages = INVARIANT_RULES.find(({ name }) => name === 'pages_intact')!
  return [...looked, lookBy(pages, content)]
}

function lookBy(rule: Rule, content: Content): Looked {
  const { name } = rule
  try {
    const detail = detailOf(rule, content)
    return { name, holds: detail === null, detail }
  } catch (error) {
    // A table of a newer or older schema, or a broken page: `schema_current` and `pages_intact` say which.
    return unread(rule, reason(error), error)
  }
}

/** A file that is none of SQLite's has no sound page; one that is missing, locked or closed to us says nothing. */
function unread({ name, remedy }: Rule, detail: string, error: unknown): Looked {
  return name === 'pages_intact' && isDamage(error)
    ? { name, holds: false, detail: `${detail} ${remedy}` }
    : { name, holds: null, detail }
}

const DAMAGED = 'it is damaged'

const isDamage = (error: unknown): boolean =>
  ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((code) => systemErrorCode(error)?.startsWith(code) === true)

/** What was in the way, as the end of a sentence. */
export function reason(error: unknown): string {
  if (isDamage(error)) return `${DAMAGED} (${systemErrorCode(error)}).`
  const code = systemErrorCode(error)
  if (code?.startsWith('SQLITE_BUSY') === true)
    return `another process has locked it (${code}). Stop that process.`
  // A rollback journal or a log without its index: only a connection that writes may deal with it.
  if (code?.startsWith('SQLITE_READONLY') === true)
    return `a write was cut off and is to be taken back first (${code}). Start the daemon, which does that.`
  if (code === 'SQLITE_CANTOPEN') return `it is missing or closed to this user (${code}).`
  return `${(error as Error).message}${code === null ? '' : ` (${code})`}.`
}
