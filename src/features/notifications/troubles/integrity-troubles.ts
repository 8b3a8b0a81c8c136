/**
 * Records of ours that the public name servers do not show, although their time is over. Pure.
 *
 * Only a name that every server shows is over. One that is on its way, or of which a server says nothing, is not known to
 * be: after a restart its time begins anew. Where the zone at the provider is itself not as it should be, that is the
 * cause, and is told by the zone's key.
 */
import { rrsetKey } from '../../../model/network/dns.ts'
import type { HealthComponent } from '../../../model/health.ts'
import type { IntegrityResult } from '../../dns/integrity/integrity-result.ts'
import type { Propagation } from '../../dns/integrity/propagation.ts'
import type { SightedTrouble, Sighting } from '../sighting.ts'

export interface IntegrityFacts {
  /** Null before the first check. */
  readonly result: IntegrityResult | null
  /** What the health page says of the check; undefined where there is no such part. */
  readonly part: Pick<HealthComponent, 'configured' | 'stale'> | undefined
  /** What the engine calls a zone. */
  readonly keyOf: (zone: string) => string
  /** Whether a record at the provider is known not to be what was released. */
  readonly differsAtProvider: (set: Propagation['set']) => boolean
}

const ROOT = 'dns-integrity/'

export function integrityTroubles({ result, part, keyOf, differsAtProvider }: IntegrityFacts): Sighting {
  if (part?.configured !== true) return { troubles: [], unsure: [] }
  if (result === null || part.stale) return { troubles: [], unsure: [ROOT] }
  const told = result.names.filter(({ state, set }) => state === 'slow' && !differsAtProvider(set))
  return {
    troubles: told.map((found) => lateIn(found, keyOf(found.set.zone))),
    unsure:
      result.trouble === null
        ? result.names.filter(({ state }) => state !== 'synced').map(({ set }) => `${ROOT}${rrsetKey(set)}/`)
        : [ROOT],
  }
}

const lateIn = ({ set, since, checked_at }: Propagation, key: string): SightedTrouble => {
  const began = since ?? checked_at ?? 0
  return {
    id: `${ROOT}${rrsetKey(set)}/0`,
    kind: 'dns_not_in_place',
    severity: 'warning',
    component: 'dns',
    key,
    domains: [set.name],
    since: began,
    message: 'More than ten minutes after it was written, not every authoritative name server shows it.',
    remedy: 'GET /api/dns/integrity shows what each server answers; see whether all of them get the zone.',
    ripe_at: began,
  }
}
