/**
 * Whether a stranger's set stands where we are about to write for the first time.
 *
 * A listing that hides a record would have us overwrite it, so each new name is asked for once more, by itself. Above
 * `MAX_ASKED` names a second listing by another way answers for all; where there is none, each name is asked for all the
 * same. Only where neither is possible (zone files) the zone is listed once more. No answer is unknown: then nothing is
 * written. Servers of the zone that the settings name are asked beside it, since a provider may hide in both ways.
 */
import { Failure } from '../../../../kernel/failure.ts'
import { type ListedRrset, type OwnedRrset, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { DnsProvider, RrsetChange } from '../../providers/port.ts'
import type { ServedRecords, ServedRrset } from '../served-records.ts'
import { ALIASES } from '../deciding/conflict.ts'
import type { DnsPayload, Item } from '../writing/planned-change.ts'
import { sameValues } from '../writing/fit.ts'
import { withoutNumber } from '../marks/marker.ts'
import { refusalOf } from '../writing/sender.ts'
import { setText } from '../marks/set-text.ts'

/** So many new names are asked for one by one where there is another way. */
const MAX_ASKED = 20
/** Where a provider counts our reads, at most this share of a minute's. */
const SHARE_OF_LIMIT = 0.1
/** Of so many new addresses at most the servers of the zone are asked as well. */
const MAX_WITNESSED = 200
/** Questions in flight. */
const AT_ONCE = 8

export interface AskAt {
  readonly provider: DnsProvider
  /** The servers of the zone, asked beside the provider; null where they are not known. */
  readonly served: ServedRecords | null
  readonly zone: string
  readonly installation_id: string
  readonly signal: AbortSignal
}

/** Why items must not be written, by their key. Throws a Failure where the provider does not answer. */
export async function strangersAt(
  items: readonly Item[],
  where: AskAt,
): Promise<ReadonlyMap<string, RefusedRepair>> {
  const fresh = items
    .map((item) => ({ ...item, changes: freshChanges(item) }))
    .filter(({ changes }) => changes.length > 0)
  const wanted = Map.groupBy(
    fresh.flatMap(({ changes }) => changes),
    ({ name }) => name,
  )
  const refused = hiddenStrangers(fresh, await answersFor(wanted, where), where)
  const others = fresh.filter(({ key }) => !refused.has(key))
  for (const [key, failure] of await servedStrangers(others, where)) refused.set(key, failure)
  return refused
}

interface Fresh extends Item {
  readonly changes: readonly RrsetChange[]
}

/** Of each item the first reason: a stranger that the listing hides, or that the provider cannot be asked. */
function hiddenStrangers(
  fresh: readonly Fresh[],
  answerFor: (name: string) => Answer,
  { installation_id }: AskAt,
): Map<string, RefusedRepair> {
  const refused = new Map<string, RefusedRepair>()
  for (const { key, payload, changes } of fresh)
    for (const change of changes) {
      const answer = answerFor(change.name)
      const failure = 'code' in answer ? answer : strangerIn(answer, change, { payload, installation_id })
      if (failure !== null && !refused.has(key)) refused.set(key, failure)
    }
  return refused
}

/**
 * What the servers answer though the provider shows nothing, by either way. They are witnesses: their silence says nothing.
 * What they answer just as we want it is what we took away a moment ago, or nothing lost.
 */
async function servedStrangers(
  fresh: readonly Fresh[],
  { served, zone, signal }: AskAt,
): Promise<readonly (readonly [string, RefusedRepair])[]> {
  const asked = fresh.flatMap(({ key, changes, payload }) =>
    changes.filter(({ type }) => type !== 'TXT').map((change) => ({ key, change, payload })),
  )
  if (served === null || asked.length > MAX_WITNESSED) return []
  const strangers = await inTurns(asked, async ({ key, change, payload }) => {
    const sets = await served.at(zone, { name: change.name, types: [change.type] }, signal)
    const mine = [change.wanted!.values, payload.ledger.before?.values ?? []]
    const stranger = sets.find(
      (set) => set.type !== change.type || !mine.some((values) => sameValues(set.values, values)),
    )
    return stranger === undefined ? [] : [[key, servedStranger(stranger)] as const]
  })
  return strangers.flat()
}

const servedStranger = (set: ServedRrset): RefusedRepair => ({
  code: 'foreign_owner',
  message: `${set.server} answers ${rrsetItem(set)} (${setText({ ...set, proxied: null })}), though the provider shows nothing there. It is left alone. Find out why the provider's listing is not whole; what was taken away a moment ago is gone from the servers soon.`,
  retry_after_ms: 0,
})

/** `AT_ONCE` at a time; results in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))))
  return results
}

/** Nothing of ours was ever seen there. */
const UNSEEN: ReadonlySet<OwnedRrset['state']> = new Set(['sending', 'adopted'])

/** What an item writes where the listing shows nothing, at a name that the ledger does not call ours. */
function freshChanges({ payload }: Item): readonly RrsetChange[] {
  const { rank, ledger, makes_zone, changes } = payload
  const is_ours = ledger.before !== null && !UNSEEN.has(ledger.before.state)
  if (rank !== 'create' || is_ours || makes_zone) return []
  return changes.filter(({ wanted, seen }) => wanted !== null && seen === null)
}

type Answer = readonly ListedRrset[] | RefusedRepair

/** What stands at each name by now. Throws a Failure where the provider does not answer. */
export async function answersFor(
  wanted: ReadonlyMap<string, readonly RrsetChange[]>,
  { provider, zone, signal }: Pick<AskAt, 'provider' | 'zone' | 'signal'>,
): Promise<(name: string) => Answer> {
  if (wanted.size === 0) return () => []
  const is_listed =
    provider.at === undefined || (provider.listAgain !== undefined && wanted.size > maxAsked(provider))
  if (is_listed) {
    const types = typesOf([...wanted.values()].flat())
    const listing = await answerOf(
      () => provider.listAgain?.(zone, types, signal) ?? provider.list(zone, signal),
    )
    return (name) => ('code' in listing ? listing : listing.filter((set) => set.name === name))
  }
  const answers = new Map(
    await inTurns([...wanted], async ([name, changes]) => {
      const sought = { name, types: typesOf(changes) }
      return [name, await answerOf(() => provider.at!(zone, sought, signal))] as const
    }),
  )
  return (name) => answers.get(name)!
}

const typesOf = (changes: readonly RrsetChange[]): readonly string[] => [
  ...new Set(changes.map(({ type }) => type)),
]

function maxAsked({ traits: { limit } }: DnsProvider): number {
  if (limit === null) return MAX_ASKED
  return Math.min(MAX_ASKED, (limit.requests * 60_000 * SHARE_OF_LIMIT) / limit.within_ms)
}

async function answerOf(ask: () => Promise<readonly ListedRrset[]>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    // Who cannot be asked now is in no state to be written to, whatever the last listing said.
    if (!(error instanceof Failure) || error.code !== 'provider_refused') throw error
    const { message, ...rest } = refusalOf(error)
    return {
      ...rest,
      message: `${message} Whether somebody else's record stands there is not known, so nothing is written.`,
    }
  }
}

function strangerIn(
  found: readonly ListedRrset[],
  change: RrsetChange,
  { payload, installation_id }: { readonly payload: DnsPayload; readonly installation_id: string },
): RefusedRepair | null {
  const sent = payload.ledger.before?.values ?? []
  const says = (set: Pick<ListedRrset, 'values'>) =>
    set.values.map((text) => withoutNumber(text, installation_id))
  /** Sent before and not seen since, or a mark that says just what ours would. */
  const isOurs = (set: ListedRrset): boolean =>
    set.type === change.type &&
    (set.type === 'TXT' ? sameValues(says(set), says(change.wanted!)) : sameValues(set.values, sent))
  const stranger = found.find((set) => isInTheWay(set, change) && !isOurs(set))
  if (stranger === undefined) return null
  return {
    code: 'foreign_owner',
    message: `${rrsetItem(stranger)} (${setText(stranger)}) stands there, though the provider's listing hides it. It was not made by Plumbline and is left alone. Find out why the listing is not whole, or remove the record at the provider.`,
    retry_after_ms: 0,
  }
}

const isInTheWay = (set: ListedRrset, change: RrsetChange): boolean =>
  rrsetKey(set) === rrsetKey(change) || (change.type !== 'TXT' && ALIASES.some((type) => type === set.type))
