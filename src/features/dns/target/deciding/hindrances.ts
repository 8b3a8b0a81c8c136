/** What keeps a name from being ours: what the listing shows there, and what it hides where we would write for the first time. */
import type { Obstacle } from '../../../../engine/target.ts'
import type { DnsDesired } from '../desire.ts'
import { diffZone, zoneObstacles } from '../diff.ts'
import { type AskAt, strangersAt } from '../leaving/newcomers.ts'
import type { ZoneState } from '../zones/zone-state.ts'

export interface Wish {
  readonly desired: DnsDesired
  readonly observed: ZoneState
  /** Of these records alone. */
  readonly ids: readonly number[]
}

/** Throws a Failure where the provider does not answer. */
export async function nameHindrances(
  { desired, observed, ids }: Wish,
  where: AskAt,
): Promise<readonly Obstacle[]> {
  const isTheirs = (domain_ids: readonly number[] = []) => domain_ids.some((id) => ids.includes(id))
  const shown = zoneObstacles(desired, observed).filter(
    ({ domain_ids, beside }) => beside !== true && isTheirs(domain_ids),
  )
  const fresh = diffZone(desired, observed).filter(({ domain_ids }) => isTheirs(domain_ids))
  const hidden = await strangersAt(fresh, where)
  return [
    ...shown,
    ...fresh.flatMap(({ key, item, domain_ids = [] }) => {
      const failure = hidden.get(key)
      return failure === undefined ? [] : [{ item, domain_ids, failure }]
    }),
  ]
}
