/**
 * Guards over what a release would move, before anything is written: the mistakes that have emptied other people's zones
 * and route tables. Each is a predicate; all hits are told, with their figures. A call that moves one record is its own
 * confirmation, except for protected names.
 */
import type { Intent } from '../model/intent.ts'
import type { GuardHit } from '../model/plan.ts'
import type { ReleaseRow } from '../ports/store.ts'

/** From that many live records on, a removal of more than `MOST_REMOVED_SHARE` of them needs a confirmation. */
const RELATIVE_FROM = 10
const MOST_REMOVED_SHARE = 0.3
const MOST_REMOVED = 5

export interface ReleaseFacts {
  readonly released: Intent
  readonly rows: readonly ReleaseRow[]
  /** Names whose route must not go by accident: the control plane's own and the SSO portal's. */
  readonly protected_names: ReadonlySet<string>
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

const emptiedEdition: ReleaseGuard = ({ removed, live_before, live_after }) =>
  removed.length < 2 || live_after > 0
    ? null
    : hit('emptied_edition', `All ${live_before} live domains would be removed at once.`, true)

const bulkRemoval: ReleaseGuard = ({ removed, live_before }) => {
  const absolute = removed.length > MOST_REMOVED
  const relative =
    removed.length > 1 && live_before >= RELATIVE_FROM && removed.length > live_before * MOST_REMOVED_SHARE
  if (!absolute && !relative) return null
  const limit = `${MOST_REMOVED}, or ${MOST_REMOVED_SHARE * 100} % from ${RELATIVE_FROM} domains on`
  return hit(
    'bulk_removal',
    `${removed.length} of ${live_before} live domains would be removed; at most ${limit} go unasked.`,
    true,
  )
}

const protectedName: ReleaseGuard = ({ removed }, { protected_names }) => {
  const names = removed.filter((name) => protected_names.has(name))
  return names.length === 0
    ? null
    : hit('protected_name', `${names.join(', ')} serves this control plane or the sign-in page.`, true)
}

const GUARDS: readonly ReleaseGuard[] = [incompleteRead, emptiedEdition, bulkRemoval, protectedName]

export function releaseGuards(facts: ReleaseFacts): readonly GuardHit[] {
  const removal = removalOf(facts)
  return GUARDS.flatMap((guard) => guard(removal, facts) ?? [])
}

function removalOf({ released, rows }: ReleaseFacts): Removal {
  const live = new Map(
    released.rows.filter((row) => row.live).map((row) => [row.domain_id, row.fields.domain]),
  )
  const live_before = live.size
  const removed: string[] = []
  let added = 0
  for (const { domain_id, row } of rows) {
    const before = live.get(domain_id)
    if (before === undefined) added += row?.live === true ? 1 : 0
    else if (row?.live !== true) removed.push(before)
  }
  return { removed, live_before, live_after: live_before - removed.length + added }
}

const hit = (rule: GuardHit['rule'], message: string, confirmable: boolean): GuardHit => ({
  rule,
  message,
  confirmable,
})
