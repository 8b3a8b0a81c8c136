/**
 * From records to what DNS should hold, for all zones together. Pure.
 *
 * There are no zones in it and no reported addresses: both are found when looking, so that neither a new zone nor a
 * moved address needs a release.
 */
import { type AddressSources, addressSources, isPublished } from '../../../model/domain/address-sources.ts'
import { asStored, type Intent, type IntentRow } from '../../../model/intent.ts'
import type { DnsSettings } from './settings.ts'

export interface DnsDesired {
  /** Live names. Ordered by name, as the other lists. */
  readonly wanted: readonly WantedRow[]
  /** Neither live nor retired: nothing is written for them and nothing is taken away. */
  readonly kept: readonly NamedRow[]
  /** Disabled or deleted: nothing of them shall remain. */
  readonly retired: readonly NamedRow[]
  /** Internal, or managed elsewhere: what was published of them before shall not remain. */
  readonly unpublished: readonly NamedRow[]
}

export interface NamedRow {
  readonly domain_id: number
  readonly name: string
}

export interface WantedRow extends NamedRow, AddressSources {
  /** Seconds; null for automatic. */
  readonly ttl: number | null
  /** Null leaves it as it is. */
  readonly proxied: boolean | null
}

export function desireDns(intent: Intent, settings: DnsSettings): DnsDesired {
  const wanted: WantedRow[] = []
  const kept: NamedRow[] = []
  const retired: NamedRow[] = []
  const unpublished: NamedRow[] = []
  for (const row of ordered(intent.rows)) {
    const { domain_id, fields } = row
    const named = { domain_id, name: fields.domain }
    if (row.retired) retired.push(named)
    else if (!isPublished(fields)) unpublished.push(named)
    else if (row.live) wanted.push({ ...named, ...wishOf(row, settings) })
    else kept.push(named)
  }
  return { wanted, kept, retired, unpublished }
}

const wishOf = ({ fields, carried }: IntentRow, settings: DnsSettings): Omit<WantedRow, keyof NamedRow> => ({
  ttl: fields.dns_ttl ?? settings.ttl,
  proxied: fields.dns_proxied,
  ...addressSources(fields, settings),
  ...(carried && { carried }),
})

const ordered = (rows: readonly IntentRow[]): readonly IntentRow[] => rows.toSorted(asStored)
