/**
 * Guards over what a release would move, before anything is written: the mistakes that have emptied other people's zones
 * and route tables. Each is a predicate; all hits are told, with their figures. A call that moves one record is its own
 * confirmation, except for protected names.
 */
import { isPublished } from '../../model/domain/address-sources.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { withRows } from '../editions/editions.ts'

/** From that many live records on, a removal of more than `MAX_REMOVED_SHARE` of them needs a confirmation. */
const RELATIVE_FROM = 10
const MAX_REMOVED_SHARE = 0.3
const MAX_REMOVED = 5

/** Why a name must not go by accident, as the end of a sentence: `serves this control plane`; null for any other. */
export type Protection = (name: string) => string | null

export interface ReleaseFacts {
  readonly released: Intent
  readonly rows: readonly ReleaseRow[]
  readonly protection: Protection
  /** False when a look failed. */
  readonly complete: boolean
}

interface Removal {
  /** Domains that are live now and would not be afterwards. */
  readonly removed: readonly string[]
  readonly live_before: number
  readonly live_after: number
}

type ReleaseGuard = (removal: Removal, facts: ReleaseFacts) => GuardHit | null

const incompleteRead: ReleaseGuard = ({ removed }, { complete }) =>
  complete || removed.length === 0
    ? null
    : hit('incomplete_read', `A look failed, and nothing may be removed on incomplete knowledge.`, false)

export interface Counts {
  readonly removed: number
  readonly before: number
  readonly after: number
  /** What is counted, in the plural. */
  readonly what: string
}

const emptied = ({ removed, before, after, what }: Counts): GuardHit | null =>
  removed < 2 || after > 0
    ? null
    : hit('emptied_edition', `All ${before} live ${what} would be removed at once.`, true)

function bulk({ removed, before, what }: Counts): GuardHit | null {
  const absolute = removed > MAX_REMOVED
  const relative = before >= RELATIVE_FROM && removed > before * MAX_REMOVED_SHARE
  if (!absolute && !relative) return null
  const limit = `${MAX_REMOVED}, or ${MAX_REMOVED_SHARE * 100} % from ${RELATIVE_FROM} ${what} on`
  return hit(
    'bulk_removal',
    `${removed} of ${before} live ${what} would be removed; at most ${limit} go unasked.`,
    true,
  )
}

/** Guards over how much goes at once, whatever it is. */
export const removalGuards = (counts: Counts): readonly GuardHit[] =>
  [emptied, bulk].flatMap((guard) => guard(counts) ?? [])

const protectedName: ReleaseGuard = ({ removed }, { protection }) => {
  const sentences = removed.flatMap((name) => {
    const reason = protection(name)
    return reason === null ? [] : [`${name} ${reason}.`]
  })
  return sentences.length === 0 ? null : hit('protected_name', sentences.join(' '), true)
}

export function releaseGuards(facts: ReleaseFacts): readonly GuardHit[] {
  const removal = removalOf(facts)
  const { removed, live_before: before, live_after: after } = removal
  return [
    incompleteRead(removal, facts),
    ...removalGuards({ removed: removed.length, before, after, what: 'domains' }),
    protectedName(removal, facts),
  ].flatMap((hit) => hit ?? [])
}

/**
 * By name, not by record: a rename takes the old name's route as a deletion does, and a record that is swapped in keeps it.
 * A name that becomes internal is served on and leaves public DNS: for everybody outside it is gone.
 */
function removalOf({ released, rows }: ReleaseFacts): Removal {
  const next = withRows(released, rows)
  const [before, after] = [servedNames(released), servedNames(next)]
  const published = publishedNames(next)
  const hidden = [...publishedNames(released)].filter((name) => !published.has(name))
  const removed = new Set([...[...before].filter((name) => !after.has(name)), ...hidden])
  return { removed: [...removed], live_before: before.size, live_after: after.size }
}

const publishedNames = ({ rows }: Intent): ReadonlySet<string> =>
  new Set(rows.flatMap(({ live, fields }) => (live && isPublished(fields) ? [fields.domain] : [])))

/** What is managed elsewhere is served by nobody here, however live it is. */
const servedNames = ({ rows }: Intent): ReadonlySet<string> =>
  new Set(
    rows.flatMap(({ live, fields }) => (live && fields.service_type !== 'manual' ? [fields.domain] : [])),
  )

const hit = (rule: GuardHit['rule'], message: string, confirmable: boolean): GuardHit => ({
  rule,
  message,
  confirmable,
})
