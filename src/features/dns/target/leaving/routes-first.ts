/**
 * A name is taken away when the proxy does not answer at it any more: where the routes could not be written, the old address
 * stays with the old route, and whoever comes is served as before.
 */
import type { Milliseconds } from '../../../../kernel/clock.ts'
import type { Repair } from '../../../../engine/target.ts'
import { NO_DOMAIN, rrsetItem } from '../../../../model/network/dns.ts'
import type { DnsParts } from '../parts.ts'
import type { Item } from '../writing/planned-change.ts'

const AGAIN_MS: Milliseconds = 10_000

/** Of what a release takes away. What a person told to go, and what nobody asks for, leads to no route. */
const isReleasedRemoval = ({ payload: { rank, ledger } }: Item): boolean =>
  rank === 'delete' && ledger.before !== null && ledger.before.domain_id !== NO_DOMAIN

/** Those that stay for now, by their key. */
export async function routesFirst(
  items: readonly Item[],
  { routesBehind }: Pick<DnsParts, 'routesBehind'>,
): Promise<ReadonlyMap<string, Repair>> {
  const leaving = items.filter(isReleasedRemoval)
  const why = leaving.length === 0 ? null : ((await routesBehind?.()) ?? null)
  if (why === null) return new Map()
  return new Map(
    leaving.map(({ key, payload }) => {
      const message = `${rrsetItem(payload.row)} stays until the routes are as they were released: ${why}`
      const failure = { code: 'conflict', message, retry_after_ms: AGAIN_MS } as const
      return [key, { key, ok: false, failure, unfinished: true }]
    }),
  )
}
