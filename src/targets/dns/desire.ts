/**
 * From records to what DNS should hold, for all zones together. Pure.
 *
 * There are no zones in it and no reported addresses: both are found when looking, so that neither a new zone nor a
 * moved address needs a release.
 */
import type { DomainFields } from '../../model/domain.ts'
import { byDomain, type Intent, type IntentRow } from '../../model/intent.ts'
import type { DnsSettings } from './settings.ts'

export interface DnsDesired {
  /** Live names. Ordered by name, as the other lists. */
  readonly wanted: readonly WantedRow[]
  /** Neither live nor retired: nothing is written for them and nothing is taken away. */
  readonly kept: readonly NamedRow[]
  /** Disabled or deleted: nothing of them shall remain. */
  readonly retired: readonly NamedRow[]
}

export interface NamedRow {
  readonly domain_id: number
  readonly name: string
}

export interface WantedRow extends NamedRow {
  /** Seconds; null for automatic. */
  readonly ttl: number | null
  /** Null leaves it as it is. */
  readonly proxied: boolean | null
  /** The record's own address; null where the next two decide. */
  readonly fixed: readonly string[] | null
  /** Hosts whose reported addresses stand for it: the first one that has any. */
  readonly reported_by: readonly string[]
  /** When none of them has. */
  readonly fallback: readonly string[]
}

/** Internal and manual records are not ours to publish, and so not ours to take away either, unless they are retired. */
export const isPublic = ({ service_type }: DomainFields): boolean =>
  service_type !== 'internal' && service_type !== 'manual'

export function desireDns(intent: Intent, settings: DnsSettings): DnsDesired {
  const wanted: WantedRow[] = []
  const kept: NamedRow[] = []
  const retired: NamedRow[] = []
  for (const row of ordered(intent.rows)) {
    const { domain_id, fields } = row
    const named = { domain_id, name: fields.domain }
    if (row.retired) retired.push(named)
    else if (!isPublic(fields)) continue
    else if (row.live) wanted.push({ ...named, ...wishOf(fields, settings) })
    else kept.push(named)
  }
  return { wanted, kept, retired }
}

function wishOf(fields: DomainFields, settings: DnsSettings): Omit<WantedRow, keyof NamedRow> {
  const { domain, static_ip, ddns_enabled, dns_ttl, dns_proxied } = fields
  const hosts = [ddns_enabled ? domain : null, settings.hub_host].filter((host) => host !== null)
  return {
    ttl: dns_ttl ?? settings.ttl,
    proxied: dns_proxied,
    fixed: static_ip === null ? null : [static_ip],
    reported_by: static_ip === null ? [...new Set(hosts)] : [],
    fallback: static_ip === null ? settings.public_ip : [],
  }
}

/** A deleted record and its successor share a name: then the older comes first. */
const ordered = (rows: readonly IntentRow[]): readonly IntentRow[] =>
  rows.toSorted((a, b) => byDomain(a, b) || a.domain_id - b.domain_id)
