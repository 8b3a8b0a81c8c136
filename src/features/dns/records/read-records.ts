/** Every DNS set that is ours or that stands where ours should, as it is right now, and why it is not what it should be. */
import { rrsetItem } from '../../../model/network/dns.ts'
import { Failure } from '../../../kernel/failure.ts'
import { type ExplainedDifference, driftOver } from '../../../model/drift.ts'
import { type Shown, withSides } from '../../../model/sides/sides.ts'
import type { ChallengeRecord } from '../challenges/port.ts'
import type { Deps } from '../deps.ts'
import { lookInTime } from '../integrity/look-in-time.ts'
import { askedAgain, lookForAccounts, type UnreadAccount } from '../zones/unread-accounts.ts'
import type { DnsRecordView, Records, RecordState } from '../views.ts'

export interface RecordsWish {
  /** Only this zone. */
  readonly zone: string | null
  readonly state: RecordState | null
  /** Also what no record has to do with. */
  readonly others?: boolean
}

/** What can be done is added where the answer goes out. */
export type ListedRecord = Omit<Records['records'][number], 'acts'>

/** Its drift is that of all zones that were looked at, whatever records were asked for. */
export type RecordsAnswer = Omit<Records, 'records' | 'differences' | 'others_left'> & {
  readonly records: readonly ListedRecord[]
  readonly differences: readonly (ExplainedDifference & Shown)[]
}

/** Records by the deployed edition, differences by both. Looks afresh and changes nothing. */
export async function readRecords(
  deps: Deps,
  { zone, state, others = false }: RecordsWish,
  signal: AbortSignal,
): Promise<RecordsAnswer> {
  const { store, dns } = deps
  const released = await store.intent('released')
  const working = await store.intent('working')
  const unread = zone === null ? await lookForAccounts(deps, released, signal) : []
  const all = [...new Set([...dns.zonesFor(released), ...dns.zonesFor(working)])]
  const is_known = (name: string) =>
    all.includes(name) || dns.discovery.zones().some((known) => known.name === name)
  const lost = zone === null || is_known(zone) ? null : await unlisted(deps, zone, { is_known, signal })
  const zones = zone === null ? all : [zone].filter(is_known)
  const challenges = others ? await dns.challenges() : []
  const names = new Set(working.rows.map(({ fields }) => fields.domain))
  const looks = await Promise.all(
    zones.map((name) => lookAt(deps, { zone: name, names, challenges }, signal)),
  )
  return {
    drift: driftOver([...looks.map(({ drift }) => drift), ...[...unread, ...(lost ?? [])].map(() => null)]),
    records: looks
      .flatMap(({ records }) => records)
      .filter((record) => state === null || record.state === state),
    differences: looks.flatMap(({ differences }) => differences),
    others: others ? looks.flatMap((look) => look.others ?? []) : null,
    unknown: [...looks.flatMap(({ unknown }) => unknown), ...unread.map(unreadZones), ...(lost ?? [])],
    homeless: zone === null ? dns.withoutZone(released) : [],
  }
}

/**
 * A zone that no account has shown, after they were asked once more: null where one has it by now, else who may have it and
 * does not answer. Throws `not_found` where all have answered.
 */
async function unlisted(
  deps: Deps,
  zone: string,
  { is_known, signal }: { readonly is_known: (zone: string) => boolean; readonly signal: AbortSignal },
): Promise<RecordsAnswer['unknown'] | null> {
  const { discovery } = deps.dns
  await askedAgain(deps, signal)
  if (is_known(zone)) return null
  const silent = discovery.accounts().filter(({ ok }) => ok !== true)
  if (silent.length === 0)
    throw new Failure(
      'not_found',
      `zone: no DNS account that is set up has the zone ${zone}. Those that there are: plumbline dns zones.`,
    )
  return silent.map(({ account, detail }) => ({
    zone,
    detail: `Whether the account ${account} has the zone ${zone} is not known: ${detail ?? 'it does not answer'}`,
  }))
}

/** Which zones it has is not known, either. */
const unreadZones = ({ key, detail }: UnreadAccount) => ({ zone: key, detail })

/** In a zone that no record has to do with, all that there can be of ours. */
const leftOver = (record: DnsRecordView): ExplainedDifference[] =>
  record.state === 'orphan'
    ? [{ item: rrsetItem(record), cause: 'orphan', domains: [], detail: record.detail ?? '' }]
    : []

type ZoneAnswer = Omit<RecordsAnswer, 'homeless'>

interface LookWish {
  readonly zone: string
  /** Of all saved records. */
  readonly names: ReadonlySet<string>
  /** Of orders that are under way: ours while they stand. */
  readonly challenges: readonly ChallengeRecord[]
}

async function lookAt(
  deps: Deps,
  { zone, names, challenges }: LookWish,
  signal: AbortSignal,
): Promise<ZoneAnswer> {
  const turn = deps.engine.beginObservation()
  const look = await lookInTime(deps, zone, signal)
  const compared = await deps.engine.compare(look.key, look, turn)
  if (!look.known) return unreadZone(zone, look.detail)
  const differences = withSides(compared?.differences ?? look.records.flatMap(leftOver), compared?.sidesOf)
  return {
    drift: compared === null ? differences.length > 0 : compared.drift,
    records: withCauses(look.records, differences),
    differences,
    others: look.others(names, challenges),
    unknown: [],
  }
}

const unreadZone = (zone: string, detail: string): ZoneAnswer => ({
  drift: null,
  records: [],
  differences: [],
  others: null,
  unknown: [{ zone, detail }],
})

function withCauses(
  records: readonly DnsRecordView[],
  differences: readonly ExplainedDifference[],
): readonly ListedRecord[] {
  const causes = new Map(differences.map(({ item, cause }) => [item, cause]))
  return records.map((record) => {
    const item = rrsetItem({ name: record.name, type: record.managed_type })
    return { ...record, cause: causes.get(item) ?? null }
  })
}
