/** Every DNS set that is ours or that stands where ours should, as it is right now, and why it is not what it should be. */
import type { DnsRecordView, RecordState } from '../../model/dns-record-view.ts'
import { rrsetItem } from '../../model/dns.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Deps } from '../deps.ts'
import { driftOver } from '../drift-over.ts'
import { LOOK_MOST_MS } from './desk.ts'

export interface RecordsWish {
  /** Only this zone. */
  readonly zone: string | null
  readonly state: RecordState | null
}

/** `cause` is null for what is as it should be. */
export type ListedRecord = DnsRecordView & { readonly cause: DriftCause | null }

export interface RecordsAnswer {
  /** Of all zones that were looked at, whatever records were asked for; null where one could not be read. */
  readonly drift: DriftState
  readonly records: readonly ListedRecord[]
  /** The same as `GET /api/drift` tells of these zones, with what is saved and not deployed. */
  readonly differences: readonly ExplainedDifference[]
  /** Zones that could not be read: nothing is known of their records. */
  readonly unknown: readonly { readonly zone: string; readonly detail: string }[]
  /** Live names that lie in no zone of any account. */
  readonly homeless: readonly string[]
}

/** Records by the deployed edition, differences by both. Looks afresh and changes nothing. */
export async function readRecords(
  deps: Deps,
  { zone, state }: RecordsWish,
  signal: AbortSignal,
): Promise<RecordsAnswer> {
  const { store, dns } = deps
  const released = await store.intent('released')
  const working = await store.intent('working')
  const all = [...new Set([...dns.zonesFor(released), ...dns.zonesFor(working)])]
  const zones = all.filter((name) => zone === null || name === zone)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MOST_MS)])
  const looks = await Promise.all(zones.map((name) => lookAt(deps, name, bounded)))
  return {
    drift: driftOver(looks.map(({ drift }) => drift)),
    records: looks
      .flatMap(({ records }) => records)
      .filter((record) => state === null || record.state === state),
    differences: looks.flatMap(({ differences }) => differences),
    unknown: looks.flatMap(({ unknown }) => unknown),
    homeless: zone === null ? dns.homeless(released) : [],
  }
}

type ZoneAnswer = Omit<RecordsAnswer, 'homeless'>

async function lookAt({ store, dns, engine }: Deps, zone: string, signal: AbortSignal): Promise<ZoneAnswer> {
  const look = await dns.look(zone, await store.intent('released'), signal)
  if (!look.known)
    return { drift: null, records: [], differences: [], unknown: [{ zone, detail: look.detail }] }
  const judged = await engine.judge(look.key, look.state)
  const differences = judged?.differences ?? []
  const causes = new Map(differences.map(({ item, cause }) => [item, cause]))
  const causeOf = ({ name, managed_type: type }: DnsRecordView) =>
    causes.get(rrsetItem({ name, type })) ?? null
  return {
    drift: judged === null ? null : judged.drift,
    records: look.records.map((record) => ({ ...record, cause: causeOf(record) })),
    differences,
    unknown: [],
  }
}
