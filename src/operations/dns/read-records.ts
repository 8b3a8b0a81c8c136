/** Every DNS set that is ours or that stands where ours should, as it is right now. */
import type { DnsRecordView, RecordState } from '../../model/dns-record-view.ts'
import type { Deps } from '../deps.ts'
import { LOOK_MOST_MS } from './desk.ts'

export interface RecordsWish {
  /** Only this zone. */
  readonly zone: string | null
  readonly state: RecordState | null
}

export interface RecordsAnswer {
  readonly records: readonly DnsRecordView[]
  /** Zones that could not be read: nothing is known of their records. */
  readonly unknown: readonly { readonly zone: string; readonly detail: string }[]
  /** Live names that lie in no zone of any account. */
  readonly homeless: readonly string[]
}

/** Compared with the deployed edition. Looks afresh and changes nothing. */
export async function readRecords(
  { store, dns }: Deps,
  { zone, state }: RecordsWish,
  signal: AbortSignal,
): Promise<RecordsAnswer> {
  const released = await store.intent('released')
  const zones = dns.zonesFor(released).filter((name) => zone === null || name === zone)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MOST_MS)])
  const looks = await Promise.all(
    zones.map(async (name) => ({ name, look: await dns.look(name, released, bounded) })),
  )
  return {
    records: looks
      .flatMap(({ look }) => (look.known ? look.records : []))
      .filter((record) => state === null || record.state === state),
    unknown: looks.flatMap(({ name, look }) => (look.known ? [] : [{ zone: name, detail: look.detail }])),
    homeless: zone === null ? dns.homeless(released) : [],
  }
}
