/**
 * Whether what is sent late still meets what was listed, or what a request that failed made of it: after the server failed, which
 * may take long, and after other work of the zone. A provider may replace whatever stands there, and somebody else may have put a
 * set of theirs there meanwhile.
 */
import { type ListedRrset, rrsetItem, rrsetKey } from '../../../../model/network/dns.ts'
import type { RefusedRepair } from '../../../../model/report.ts'
import type { RrsetChange } from '../../providers/port.ts'
import { ALIASES } from '../deciding/conflict.ts'
import { answersFor, type AskAt } from '../leaving/newcomers.ts'
import { setText } from '../marks/set-text.ts'
import { sameValues } from './fit.ts'
import type { Sendable } from './sender.ts'

/** Those of the items that must not be sent, each with the reason. Throws a Failure where the provider does not answer. */
export async function takenSince<Item extends Sendable>(
  items: readonly Item[],
  where: Pick<AskAt, 'provider' | 'zone' | 'signal'>,
): Promise<ReadonlyMap<Item, RefusedRepair>> {
  const named = Map.groupBy(
    items.flatMap(({ changes }) => changes),
    ({ name }) => name,
  )
  const asked = await answersFor(named, where)
  const taken = new Map<Item, RefusedRepair>()
  for (const item of items)
    for (const change of item.changes) {
      const answer = asked(change.name)
      const failure = 'code' in answer ? answer : whyTaken(answer, change, item)
      if (failure !== null && !taken.has(item)) taken.set(item, failure)
    }
  return taken
}

function whyTaken(
  found: readonly ListedRrset[],
  change: RrsetChange,
  { changes }: Sendable,
): RefusedRepair | null {
  const goes = (set: ListedRrset) => changes.some((other) => rrsetKey(other) === rrsetKey(set))
  const isInTheWay = (set: ListedRrset) =>
    change.wanted !== null && change.type !== 'TXT' && ALIASES.some((type) => type === set.type) && !goes(set)
  const taken = found.find((set) =>
    rrsetKey(set) === rrsetKey(change) ? !isLeftToUs(set, change) : isInTheWay(set),
  )
  if (taken === undefined) return null
  return {
    code: change.seen === null ? 'foreign_owner' : 'conflict',
    message: `${rrsetItem(taken)} is ${setText(taken)} by now. Somebody put it there while the zone was written, so it is left alone.`,
    retry_after_ms: 0,
  }
}

/** As it was listed, as it is wanted, or on the way from one to the other. */
function isLeftToUs({ values }: ListedRrset, { wanted, seen }: RrsetChange): boolean {
  if (wanted === null) return seen !== null && sameValues(values, seen.values)
  const known = new Set([...wanted.values, ...(seen?.values ?? [])])
  return values.every((value) => known.has(value))
}
