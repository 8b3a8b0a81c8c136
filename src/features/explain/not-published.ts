/** Live names of which no DNS record is made for lack of an address: that all is as released is not all there is to say. */
import { NO_ADDRESS, namesWithoutAddress } from '../dns/records/without-record.ts'
import type { Deps } from './deps.ts'
import type { ListedCondition } from '../health/views.ts'

export const NOT_MADE = `No DNS record is made: ${NO_ADDRESS}.`

/** Why no record is made of it; null where one is, or none is asked for. */
export async function whyNotPublished(
  deps: Pick<Deps, 'store' | 'dns'>,
  domain_id: number,
): Promise<string | null> {
  const names = await namesWithoutAddress(deps)
  return names.some((one) => one.domain_id === domain_id) ? NO_ADDRESS : null
}

/** The conditions with one of its own for each such name whose zone is right: it is right to have nothing. */
export async function withUnpublished(
  deps: Pick<Deps, 'store' | 'dns'>,
  listed: readonly ListedCondition[],
): Promise<readonly ListedCondition[]> {
  const names = await namesWithoutAddress(deps)
  if (names.length === 0) return listed
  const of_key = Map.groupBy(names, ({ zone }) => deps.dns.keyOf(zone))
  const keys = Map.groupBy(listed, ({ key }) => key)
  return [...keys].flatMap(([key, rows]) => withOwn(rows, of_key.get(key) ?? []))
}

/** @param rows conditions of one key @param names in its zone of which no record is made */
function withOwn(
  rows: readonly ListedCondition[],
  names: readonly Unpublished[],
): readonly ListedCondition[] {
  const unpublished = new Map(names.map((one) => [one.domain_id, one.domain]))
  const shared = rows.find(({ domain_id }) => domain_id === null)
  if (shared === undefined || (shared.others ?? shared).status !== 'true' || unpublished.size === 0)
    return rows
  const kept = rows.filter(
    ({ domain_id, reason }) => domain_id !== null && !(unpublished.has(domain_id) && reason === 'in_sync'),
  )
  const with_own = new Set(kept.map(({ domain_id }) => domain_id))
  const own = [...unpublished].flatMap(([domain_id, domain]) =>
    with_own.has(domain_id) ? [] : [notRendered(shared, { domain_id, domain })],
  )
  return [shared, ...[...kept, ...own].toSorted((a, b) => a.domain_id! - b.domain_id!)]
}

interface Unpublished {
  readonly domain_id: number
  readonly domain: string
}

const notRendered = (shared: ListedCondition, { domain_id, domain }: Unpublished): ListedCondition => ({
  ...shared,
  ...shared.others,
  others: null,
  domain_id,
  domain,
  reason: 'not_rendered',
  message: NOT_MADE,
})
