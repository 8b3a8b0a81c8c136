/** What the two editions decide of each domain: its names, and which lamps it uses. Made anew only when one of them moves. */
import { canBeProtected } from '../../model/access/applies.ts'
import { isPublished } from '../../model/domain/address-sources.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { Deps } from './deps.ts'

export interface KnownRecord {
  readonly domain_id: number
  /** As it is saved; as it is released where it is deleted. */
  readonly domain: string
  readonly revision: number
  /** In both editions, the released one first. */
  readonly names: readonly string[]
  /** Its saved state is not the deployed one. */
  readonly pending: boolean
  /** The key of its zone; null where no account has one. */
  readonly dns_key: string | null
  readonly asks: Asks
  /** As it is deployed; null where it is not. */
  readonly deployed: (Asks & Pick<DomainFields, 'domain' | 'service_type'>) | null
}

/** What there is to be of a live record. */
interface Asks {
  readonly route: boolean
  readonly dns: boolean
  readonly certificate: boolean
  readonly sign_in: boolean
}

const NOTHING: Asks = { route: false, dns: false, certificate: false, sign_in: false }

const asksOf = (fields: DomainFields): Asks => ({
  route: fields.service_type !== 'manual',
  dns: isPublished(fields),
  certificate: fields.ssl_enabled && fields.service_type !== 'manual',
  sign_in: fields.auth_required && canBeProtected(fields),
})

type RecordDeps = Pick<Deps, 'store' | 'engine' | 'dns'>

export class LampRecords {
  #made: {
    readonly working: Intent
    readonly released: Intent
    readonly zones: string
    readonly records: readonly KnownRecord[]
  } | null = null

  /** In the order of their names; those that are deleted and not gone yet come last. */
  async read({ store, engine, dns }: RecordDeps): Promise<readonly KnownRecord[]> {
    const [working, released] = [await store.intent('working'), await store.intent('released')]
    const zones = dns.discovery
      .zones()
      .map(({ name }) => name)
      .join()
    const made = this.#made
    if (made?.working === working && made.released === released && made.zones === zones) return made.records
    const pending = new Set((await engine.pendingRows()).map(({ domain_id }) => domain_id))
    const records = recordsOf({ working, released, pending, dns })
    this.#made = { working, released, zones, records }
    return records
  }
}

interface Editions extends Pick<Deps, 'dns'> {
  readonly working: Intent
  readonly released: Intent
  readonly pending: ReadonlySet<number>
}

function recordsOf({ working, released, pending, dns }: Editions): readonly KnownRecord[] {
  const deployed = new Map(released.rows.map((row) => [row.domain_id, row]))
  const ids = new Set(working.rows.map(({ domain_id }) => domain_id))
  const leaving = released.rows.filter(({ domain_id, live }) => live && !ids.has(domain_id))
  const recordOf = (saved: IntentRow | null, live: IntentRow | null): KnownRecord => {
    const { domain_id, revision, fields } = (saved ?? live)!
    const { domain } = fields
    const other = live?.fields.domain ?? domain
    const zone = dns.zoneFor(other)
    return {
      domain_id,
      domain,
      revision,
      names: other === domain ? [domain] : [other, domain],
      pending: pending.has(domain_id),
      dns_key: zone === null ? null : dns.keyOf(zone),
      ...askedBy(saved, live),
    }
  }
  return [
    ...working.rows.map((row) => recordOf(row, deployed.get(row.domain_id) ?? null)),
    ...leaving.map((row) => recordOf(null, row)),
  ]
}

function askedBy(saved: IntentRow | null, live: IntentRow | null): Pick<KnownRecord, 'asks' | 'deployed'> {
  const [wanted, there] = [saved, live].map((row) => (row?.live === true ? asksOf(row.fields) : NOTHING)) as [
    Asks,
    Asks,
  ]
  const asks = {
    route: wanted.route || there.route,
    dns: wanted.dns || there.dns,
    certificate: wanted.certificate || there.certificate,
    sign_in: wanted.sign_in || there.sign_in,
  }
  if (live?.live !== true) return { asks, deployed: null }
  const { domain, service_type } = live.fields
  return { asks, deployed: { ...there, domain, service_type } }
}
