/**
 * A name is taken away when the proxy does not answer at it any more: until then the old address stays with the old route, and
 * whoever comes is served as before.
 */
import type { Milliseconds } from '../../../../kernel/clock.ts'
import type { Repair } from '../../../../engine/target.ts'
import { NO_DOMAIN, rrsetItem } from '../../../../model/network/dns.ts'
import type { DnsParts } from '../parts.ts'
import type { Item } from '../writing/planned-change.ts'

const AGAIN_MS: Milliseconds = 10_000

/** Of what a release takes away. What a person told to go, and what nobody asks for, leads to no route. */
const isReleasedRemoval = ({ payload: { rank, ledger, keeps_name } }: Item): boolean =>
  rank === 'delete' && keeps_name !== true && ledger.before !== null && ledger.before.domain_id !== NO_DOMAIN

/** Those that stay for now, by their key. */
export async function routesFirst(
  items: readonly Item[],
  { stillServed }: Pick<DnsParts, 'stillServed'>,
): Promise<ReadonlyMap<string, Repair>> {
  const leaving = items.filter(isReleasedRemoval)
  if (leaving.length === 0 || stillServed === undefined) return new Map()
  const whys = await stillServed(
    leaving.map(({ payload: { row, successor } }) => ({ name: row.name, successor })),
  )
  return new Map(
    leaving.flatMap(({ key, payload: { row } }): (readonly [string, Repair])[] => {
      const why = whys.get(row.name)
      if (why === undefined) return []
      const message = `${rrsetItem(row)} stays ${why}`
      const failure = { code: 'conflict', message, retry_after_ms: AGAIN_MS } as const
      return [[key, { key, ok: false, failure, unfinished: true }]]
    }),
  )
}
