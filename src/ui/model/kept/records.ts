/** DNS records as rows: whose each is, what stands there, and whether the name servers show it. Pure. */
import type { DnsIntegrity, DnsRecords, DnsZones } from '../../api/types.ts'
import { needsSomebody, WAITING, worstOf, type Lamp } from '../lamps.ts'
import { statesOf, type ListingFields } from '../table/listing.ts'
import { causeMeans, causeTitle, count, number, plain } from '../words.ts'
import { hayOf, NAMES } from './order.ts'

export type DnsRecord = DnsRecords['records'][number]
export type Arrival = DnsIntegrity['names'][number]

/** Whose a record is. */
export type Whose = 'ours' | 'not_made' | 'left_over' | 'others'

export interface RecordRow {
  readonly key: string
  readonly whose: Whose
  readonly lamp: Lamp
  readonly value: string
  readonly hay: string
  readonly of: DnsRecord
  /** What the name servers show; undefined where nobody has looked. */
  readonly arrival: Arrival | undefined
}

export const WHOSE = [
  ['ours', 'Ours'],
  ['not_made', 'Not made'],
  ['left_over', 'Left over'],
  ['others', 'Somebody else’s'],
] as const satisfies readonly (readonly [Whose, string])[]

const OTHERS: ReadonlySet<string> = new Set(['foreign', 'other_installation', 'conflict'])

/** A name that is deployed, and no record of which stands anywhere; `lost` is one that should. */
const NOT_MADE: ReadonlySet<string> = new Set(['absent', 'unaddressed'])

const whoseOf = (state: string): Whose =>
  OTHERS.has(state) ? 'others' : NOT_MADE.has(state) ? 'not_made' : state === 'orphan' ? 'left_over' : 'ours'

const ARRIVALS: Readonly<Record<Arrival['state'], Lamp>> = {
  synced: 'ok',
  propagating: 'moving',
  slow: 'drift',
  unknown: 'unknown',
}

const MOVING: ReadonlySet<string> = new Set(['applying', 'removing', 'releasing'])
const WELL: ReadonlySet<string> = new Set(['owned', 'adopted', 'unmarked'])

/** A state that this version of the pages does not know is unknown. */
export function lampOfRecord({ state, cause }: Pick<DnsRecord, 'state' | 'cause'>): Lamp {
  if (cause !== null) return WAITING.has(cause) ? 'pending' : 'drift'
  if (WELL.has(state)) return 'ok'
  if (MOVING.has(state)) return 'moving'
  // Nothing is wrong with a name without an address: no difference of the zone names it.
  if (NOT_MADE.has(state)) return 'off'
  return DIFFERING.has(state) ? 'drift' : 'unknown'
}

const DIFFERING: ReadonlySet<string> = new Set([...OTHERS, 'orphan', 'lost', 'blocked'])

const STATES = new Map<string, string>([
  ['absent', 'not there'],
  ['lost', 'gone'],
  ['owned', 'ours'],
  ['applying', 'being written'],
  ['removing', 'being removed'],
  ['unmarked', 'ours, without our mark'],
  ['adopted', 'taken over'],
  ['releasing', 'being given up'],
  ['orphan', 'left over'],
  ['foreign', 'somebody else’s'],
  ['other_installation', 'another installation’s'],
  ['blocked', 'in the way of each other'],
  ['conflict', 'somebody else’s'],
  ['unaddressed', 'without an address'],
])

export const stateText = (state: string): string => STATES.get(state) ?? plain(state)

export function recordRows(found: DnsRecords, integrity: DnsIntegrity | undefined): readonly RecordRow[] {
  const arrivals = new Map((integrity?.names ?? []).map((one) => [`${one.type} ${one.name}`, one]))
  const rows = [...found.records, ...(found.others ?? []).map(asRecord)].map((one) => {
    const arrival = arrivals.get(`${one.managed_type} ${one.name}`)
    const own = isNobodysMatter(one) ? 'off' : lampOfRecord(one)
    return {
      key: `${one.type} ${one.name}`,
      whose: whoseOf(one.state),
      lamp: own === 'ok' && arrival !== undefined ? worstOf([own, ARRIVALS[arrival.state]]) : own,
      value: (one.observed ?? one.desired ?? []).join(', '),
      hay: hayOf(
        one.name,
        one.type,
        one.domain,
        one.comment,
        one.account,
        stateText(one.state),
        ...(one.observed ?? []),
        ...(one.desired ?? []),
      ),
      of: one,
      arrival,
    }
  })
  return rows.toSorted(byName)
}

/** Somebody else's where nothing of ours is wanted. */
const isNobodysMatter = ({ state, domain }: DnsRecord): boolean => state === 'foreign' && domain === null

/** What nobody here made: whose it is, is all that there is to say of it, and nothing is in its way. */
const asRecord = ({ values, domain, ...one }: NonNullable<DnsRecords['others']>[number]): DnsRecord => ({
  ...one,
  managed_type: 'A',
  state: 'foreign',
  domain_id: null,
  domain,
  desired: null,
  observed: values,
  desired_ttl: null,
  detail:
    domain === null
      ? 'No domain has to do with it. It is shown and never touched.'
      : `It stands at the name of ${domain}, which is not deployed: the deploy waits until it is taken over or gone.`,
  cause: null,
  acts: [],
})

const byName = (a: RecordRow, b: RecordRow): number =>
  NAMES.compare(a.of.name, b.of.name) || NAMES.compare(a.of.type, b.of.type)

/** Ours first, and what is somebody else's last. */
export const rankOf = ({ whose }: Pick<RecordRow, 'whose'>): number =>
  WHOSE.findIndex(([one]) => one === whose)

export const RECORD_FIELDS: ListingFields<RecordRow> = {
  words: ({ hay }) => hay,
  keys: { type: ({ of }) => [of.type], account: ({ of }) => [of.account], zone: ({ of }) => [of.zone] },
  is: { ...statesOf(WHOSE, ({ whose }: RecordRow) => whose), wrong: ({ lamp }) => needsSomebody(lamp) },
}

/** Why it is not as it should be, or what is on its way; null where all is well. */
export function recordText({ of: one, lamp, arrival }: RecordRow): string | null {
  const cause = one.cause === null ? '' : `${causeTitle(one.cause)}. ${causeMeans(one.cause)}`
  const text = [cause, one.detail].filter(Boolean).join(' ')
  if (text !== '') return text
  if (arrival !== undefined && arrival.state !== 'synced')
    return arrival.detail ?? `The name servers: ${arrival.state}.`
  return lamp === 'ok' || lamp === 'off' ? null : `It is ${stateText(one.state)}.`
}

type Zone = DnsZones['zones'][number]
type Account = DnsZones['accounts'][number]

/** The worst of its records; unknown where it could not be read, or shows what it showed before. */
export function lampOfZone(zone: Zone, rows: readonly RecordRow[], unread: ReadonlySet<string>): Lamp {
  if (unread.has(zone.zone) || !zone.fresh) return 'unknown'
  if (!zone.writable && zone.names > 0) return 'bad'
  return worstOf(['off', ...rows.filter((row) => row.of.zone === zone.zone).map(({ lamp }) => lamp)])
}

export const zoneText = ({ names, owned, writable }: Zone): string =>
  [count(names, 'deployed name'), `${count(owned, 'record')} ours`, !writable && 'not writable']
    .filter(Boolean)
    .join(' · ')

export function accountText({ ok, detail, served, provider }: Account, zones: number): string {
  if (ok === null) return 'It was not asked yet.'
  if (!ok) return detail ?? `${provider} does not answer.`
  const own = `It shows ${count(zones, 'zone')}.`
  return served ? own : `${own} No name server is known to load them.`
}

export const lampOfAccount = ({ ok, served }: Account): Lamp =>
  ok === null ? 'unknown' : !ok ? 'bad' : served ? 'ok' : 'off'

/** "31 records, 1 is somebody else’s". Where nothing is known there are not none. */
export function recordsHeadline(rows: readonly RecordRow[], unknown: number): string {
  if (rows.length === 0 && unknown > 0) return 'Records not found out'
  const not_made = rows.filter(({ whose }) => whose === 'not_made').length
  const differ = rows.filter(({ lamp }) => lamp === 'drift' || lamp === 'bad').length
  const moving = rows.filter(({ lamp }) => lamp === 'moving').length
  const parts = [
    differ > 0 && `${differ} ${differ === 1 ? 'differs' : 'differ'}`,
    moving > 0 && `${moving} on ${moving === 1 ? 'its' : 'their'} way`,
    not_made > 0 && `${not_made} not made`,
    unknown > 0 && `${count(unknown, 'zone')} not found out`,
  ].filter((part) => part !== false)
  return [count(rows.length - not_made, 'record'), ...parts].join(', ')
}

const MAX_NAME = 253
/** Of RFC 1035, with the underscore that records of services have, and a star for the first. */
const LABELS =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** Why a typed name is none that a record could have; null while there is nothing, and for one that could be. */
export function recordNameFault(name: string): string | null {
  if (name === '') return null
  if (name.length > MAX_NAME)
    return `A name has at most ${MAX_NAME} characters; this has ${number(name.length)}.`
  if (LABELS.test(name.replace(/\.$/, ''))) return null
  return name.includes('.')
    ? 'This is no name: letters, digits and hyphens, with dots between them.'
    : 'A name has its zone at its end: app.home.example.'
}
