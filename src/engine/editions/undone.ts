/** What a pass undid of somebody else's: who has to know finds it in the log, in the audit trail and in `explain`. */
import type { Instant } from '../../kernel/clock.ts'
import { BY_HAND, type ExplainedDifference } from '../../model/drift.ts'
import type { Applied, StoreReader, StoreWriter } from '../../ports/store.ts'
import type { ReleaseHead } from '../../ports/records/trails.ts'
import type { Undone } from '../../model/report.ts'
import { portionOf, type Released } from './editions.ts'
import { knownDomains } from './known-domains.ts'
import type { AnyTarget } from '../target.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

export const UNDONE = 'undo_edit'

const MAX_ITEMS = 20
/** So many domains get an entry of their own. Beyond it one entry tells of all. */
const MAX_ENTRIES = 20
/** Where somebody is at it again and again within the hour; what lets in more is counted by itself. */
export const MAX_REPORTED = 20

interface Facts {
  readonly released: Released
  /** The world as it was found. */
  readonly state: unknown
  /** The world was not as it was left. */
  readonly by_stranger: boolean
  readonly asked: boolean
  /** What was applied last; null for nothing. */
  readonly applied: Applied | null
  readonly kept_as: readonly string[]
  /** The items that were written and stand. */
  readonly written: ReadonlySet<string>
  /** What stood last, where the engine knows more than what was applied; else null. */
  readonly stood: Released | null
}

/** Null where the pass carried out what was released, and nobody had touched what stood there. */
export async function undoneOf(
  target: AnyTarget,
  reader: Pick<StoreReader, 'artifactAt' | 'latestRelease'>,
  facts: Facts,
): Promise<Undone | null> {
  const { released, state, by_stranger, asked, applied, kept_as, written } = facts
  if (!by_stranger || applied === null || written.size === 0) return null
  // What such a target keeps true may have moved without a release.
  if (target.constant === true && asked) return null
  const is_new = target.constant !== true && applied.digest !== portionOf(target, released)
  const all = is_new
    ? await editsBefore(target, reader, { ...facts, applied })
    : explained(target, { working: released.desired, released: released.desired, state })
  if (all === null) return null
  // Of what is written as a whole the parts are told, of all else what was written of it.
  const differences = target.whole ? all : all.filter(({ item }) => written.has(item))
  if (differences.length === 0 && !target.whole) return null
  return {
    count: differences.length,
    items: differences.slice(0, MAX_ITEMS).map(({ item, detail }) => ({ item, detail })),
    domains: [...new Set(differences.flatMap(({ domains }) => domains))],
    kept_as,
  }
}

interface Compared {
  readonly working: unknown
  readonly released: unknown
  readonly state: unknown
}

function explained(
  target: AnyTarget,
  { working, released, state }: Compared,
): readonly ExplainedDifference[] {
  const rows_moved = working !== released
  return target.explain({ working, released, observed: state, rows_moved }).differences
}

/** What a stranger did, apart from what waited for the release. */
export const EDITS: ReadonlySet<string> = new Set([...BY_HAND, 'access'])
const editsIn = (target: AnyTarget, compared: Compared): readonly ExplainedDifference[] =>
  explained(target, compared).filter(({ cause }) => EDITS.has(cause))

interface EditsBeside {
  /** Whose they are; none for what belongs to none. */
  readonly domains: readonly string[]
  /** One of them, in words. */
  readonly first: string
  readonly is_done: boolean
}

/** What is written as one, and whose edits go with that. */
export function undoneWords(key: string, { domains, first, is_done }: EditsBeside): string {
  const names = [...new Set(domains)].toSorted()
  const whose =
    names.length === 0
      ? 'what was edited there by hand'
      : `what was edited by hand of ${firstNames(names, MAX_NAMED)}`
  return `${key} is written as a whole: ${whose} ${is_done ? 'was' : 'is'} undone by it (${first}).`
}

const MAX_NAMED = 5

interface EditFacts extends Pick<Facts, 'released' | 'state' | 'stood'> {
  readonly applied: Applied
}

/** Of so many releases it is known whether what stands there is what they wrote. */
const MAX_RELEASES = 20

/**
 * Edits of what had been applied, which a newer release writes over. Null where there is none, where it is not known what had
 * been applied, and where the world is as a release in between wrote it: that one was cut short or failed after its write.
 */
async function editsBefore(
  target: AnyTarget,
  reader: Pick<StoreReader, 'artifactAt' | 'latestRelease'>,
  { released, state, applied, stood }: EditFacts,
): Promise<readonly ExplainedDifference[] | null> {
  const frozenAt = async (number: number): Promise<Released | null> => {
    const frozen = await reader.artifactAt(number, target.artifact)
    return frozen === null ? null : { desired: target.codec.thaw(frozen.chunks), digest: frozen.digest }
  }
  const frozen = stood === null ? await frozenAt(applied.release) : null
  const before = stood ?? (frozen !== null && portionOf(target, frozen) === applied.digest ? frozen : null)
  if (before === null) return null
  const edits = editsIn(target, { working: released.desired, released: before.desired, state })
  if (edits.length === 0) return null
  const newest = (await reader.latestRelease())?.number ?? applied.release
  for (let number = newest; number > Math.max(applied.release, newest - MAX_RELEASES); number--) {
    const one = await frozenAt(number)
    // Older ones were written over by what stood last.
    if (one !== null && one.digest === stood?.digest) break
    if (one !== null && editsIn(target, { working: one.desired, released: one.desired, state }).length === 0)
      return null
  }
  return edits
}

interface RemovalFacts {
  readonly target: AnyTarget
  readonly head: ReleaseHead | null
  readonly at: Instant
  /** A caller wanted the release in the world: it is no self-repair. */
  readonly asked: boolean
}

/** One entry for each domain. */
export async function auditUndone(
  tx: StoreWriter,
  { count, items, domains, kept_as }: Undone,
  { target, head, at, asked }: RemovalFacts,
): Promise<void> {
  const known = domains.length === 0 ? new Map() : await knownDomains(tx)
  const own = domains.filter((domain) => known.has(domain))
  const names = own.length === 0 || own.length > MAX_ENTRIES ? [null] : own
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
      detail: {
        component: target.name,
        release: head?.number ?? 0,
        count,
        items,
        kept_as,
        ...(asked && { asked }),
      },
    })
}
