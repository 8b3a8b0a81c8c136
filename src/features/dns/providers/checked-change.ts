/** What a provider that takes whole sets is asked to do, checked before anything is sent: names, types and values are data, never text. */
import { Failure } from '../../../kernel/failure.ts'
import { rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import type { DnsTraits, RrsetChange } from './port.ts'
import { isBelow, normalName } from './domain-name.ts'
import { dataFromValue } from './rdata.ts'
import { RecordFault } from './record-fault.ts'
import { typeCode, typeName } from './record-types.ts'
import { clampedTtl } from './ttl.ts'

export interface CheckedChange {
  readonly name: string
  readonly type: string
  readonly code: number
  /** Null to take the set away. */
  readonly wanted: {
    readonly ttl: number
    readonly data: readonly Buffer[]
    readonly comment: string | null
  } | null
}

export interface CheckOptions {
  /** How messages call the provider. */
  readonly provider: string
  readonly zone: string
  readonly traits: DnsTraits
  /** For sets that leave it to the provider. */
  readonly usual_ttl: number
}

/**
 * All of the batch or none: throws `provider_refused` that names the first set at fault. TTLs outside the traits are
 * taken to the nearest limit; the same value twice counts once.
 */
export function checkChanges(changes: readonly RrsetChange[], options: CheckOptions): CheckedChange[] {
  if (changes.length > options.traits.batch_most) throw tooMany(changes.length, options)
  const seen = new Set<string>()
  return changes.map((change) => {
    try {
      const checked = checkChange(change, options)
      if (seen.has(rrsetKey(checked))) throw new RecordFault('is named twice in one request')
      seen.add(rrsetKey(checked))
      return checked
    } catch (error) {
      throw error instanceof RecordFault ? refused(change, options, error.message) : error
    }
  })
}

const tooMany = (sets: number, { provider, zone, traits }: CheckOptions): Failure =>
  new Failure(
    'provider_refused',
    `${provider}: ${sets} sets of ${zone} in one request, at most ${traits.batch_most} go.`,
  )

const refused = (change: RrsetChange, { provider, zone }: CheckOptions, why: string): Failure =>
  new Failure('provider_refused', `${provider}: ${rrsetItem(change)} in ${zone} ${why}. Nothing was changed.`)

function checkChange({ name, type, wanted }: RrsetChange, options: CheckOptions): CheckedChange {
  const { zone } = options
  const normal = normalName(`${name}.`, '.')
  if (!isBelow(normal, zone)) throw new RecordFault('is a name outside the zone')
  const code = typeCode(type)
  if (code === null) throw new RecordFault('is of a type that no zone holds')
  if (normal === zone && type === 'SOA')
    throw new RecordFault('is the start of authority, which is not for callers')
  const set = { name: normal, type: typeName(code), code }
  return { ...set, wanted: wanted === null ? null : checkWanted(set, wanted, options) }
}

function checkWanted(
  { name, type }: { name: string; type: string },
  wanted: NonNullable<RrsetChange['wanted']>,
  { zone, traits, usual_ttl }: CheckOptions,
): CheckedChange['wanted'] {
  const wished = wanted.ttl ?? usual_ttl
  if (!Number.isInteger(wished)) throw new RecordFault('has a TTL that is no whole number of seconds')
  if (wanted.values.length === 0) throw new RecordFault('has no value; a set is taken away by wanting none')
  const data = new Map(
    wanted.values.map((value) => dataFromValue(type, value)).map((wire) => [wire.toString('latin1'), wire]),
  )
  if (type === 'CNAME' && data.size > 1)
    throw new RecordFault('has more than one value, which a CNAME never has')
  if (type === 'CNAME' && name === zone)
    throw new RecordFault('is an alias at the apex, which RFC 1034 §3.6.2 rules out')
  const ttl = clampedTtl(wished, traits.ttl)
  return { ttl, data: [...data.values()], comment: wanted.comment }
}
