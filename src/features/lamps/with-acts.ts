/** What can be done about each lamp of a domain, the likeliest first; for one that is as it should be, nothing. Pure. */
import type { Act } from '../../model/acts/act.ts'
import { actsOnDifference, eachOnce } from '../../model/acts/acts.ts'
import { deployAct, liftAct, lookAct } from '../../model/acts/calls.ts'
import type { ActGround } from '../../model/acts/ground.ts'
import { DRIFT_CAUSES, type DriftCause } from '../../model/drift.ts'
import type { KnownKey } from './kept-part.ts'
import type { Lamp, LampPart } from './part.ts'
import type { KnownRecord } from './records.ts'
import type { LampState } from './states.ts'

const WELL: ReadonlySet<LampState> = new Set(['true', 'not_used'])
const CAUSES: ReadonlySet<string> = new Set(DRIFT_CAUSES)

export function actsOnLamp(
  { state, parts }: Lamp,
  record: KnownRecord,
  { ground, keys }: { readonly ground: ActGround; readonly keys: ReadonlyMap<string, KnownKey> },
): readonly Act[] {
  if (WELL.has(state)) return []
  const own = parts
    .filter((part) => !WELL.has(part.state))
    .flatMap((part) => actsOnPart(part, record, keys.get(part.source), ground))
  return eachOnce([...own, lookAct(`/api/domains/${record.domain_id}/explain`)])
}

function actsOnPart(
  { source, state, cause }: LampPart,
  { domain_id, domain, names }: KnownRecord,
  known: KnownKey | undefined,
  ground: ActGround,
): readonly Act[] {
  if (cause === 'quarantined') return [liftAct(domain)]
  if (state === 'pending') return [deployAct([domain_id])]
  if (cause === null || !CAUSES.has(cause)) return []
  const component = known?.status.component ?? source
  const listed = (known?.status.differences ?? []).filter(({ domains }) =>
    domains.some((one) => names.includes(one)),
  )
  const of_domain =
    listed.length > 0 ? listed : [{ item: source, cause: cause as DriftCause, domains: names }]
  return of_domain.flatMap((difference) =>
    actsOnDifference(ground, component, difference).filter(({ id }) => id !== 'look'),
  )
}
