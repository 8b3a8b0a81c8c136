/** What a pass undid of somebody else's: who has to know finds it in the log, in the audit trail and in `explain`. */
import type { Instant } from '../kernel/clock.ts'
import type { ReleaseHead, StoreWriter } from '../ports/store.ts'
import { portionOf, type Released } from './editions.ts'
import { knownDomains } from './known-domains.ts'
import type { AnyTarget } from './target.ts'

export const UNDONE = 'undo_edit'

export interface Undone {
  readonly count: number
  /** The first of them. */
  readonly items: readonly { readonly item: string; readonly detail: string }[]
  /** Those whose parts were edited; empty for what belongs to none. */
  readonly domains: readonly string[]
  /** Where what was overwritten is kept. */
  readonly kept_as: readonly string[]
}

const MOST_ITEMS = 20
/** So many domains get an entry of their own. Beyond it one entry tells of all. */
const MOST_ENTRIES = 20
/** Where somebody is at it again and again within the hour; what lets in more is counted by itself. */
export const MOST_TOLD = 20

interface Facts {
  readonly released: Released
  /** The world as it was found. */
  readonly state: unknown
  /** The world was not as it was left. */
  readonly by_stranger: boolean
  readonly asked: boolean
  /** Digest of what was applied last. */
  readonly applied: string | null
  readonly kept_as: readonly string[]
}

/** Null where the pass carried out what was released, and not yet there. */
export function undoneOf(target: AnyTarget, facts: Facts): Undone | null {
  const { released, state, by_stranger, asked, applied, kept_as } = facts
  // What such a target keeps true may have moved without a release.
  const was_there = target.constant === true ? !asked : applied === portionOf(target, released)
  if (!by_stranger || !was_there) return null
  const { desired } = released
  const sides = { working: desired, released: desired, observed: state, rows_moved: false }
  const { differences } = target.explain(sides)
  return {
    count: differences.length,
    items: differences.slice(0, MOST_ITEMS).map(({ item, detail }) => ({ item, detail })),
    domains: [...new Set(differences.flatMap(({ domains }) => domains))],
    kept_as,
  }
}

interface Told {
  readonly target: AnyTarget
  readonly head: ReleaseHead | null
  readonly at: Instant
}

/** One entry for each domain. */
export async function auditUndone(
  tx: StoreWriter,
  { count, items, domains, kept_as }: Undone,
  { target, head, at }: Told,
): Promise<void> {
  const known = domains.length === 0 ? new Map() : await knownDomains(tx)
  const own = domains.filter((domain) => known.has(domain))
  const names = own.length === 0 || own.length > MOST_ENTRIES ? [null] : own
  for (const domain of names)
    await tx.audit({
      at,
      actor: 'reconciler',
      request_id: '',
      action: UNDONE,
      domain_id: domain === null ? null : known.get(domain)!.domain_id,
      domain,
      revision_before: null,
      revision_after: null,
      plan_hash: null,
      detail: { component: target.name, release: head?.number ?? 0, count, items, kept_as },
    })
}
