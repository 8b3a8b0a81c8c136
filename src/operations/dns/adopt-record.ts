/**
 * Taking over a set that somebody else made, and giving one up again. Only a person does this, for one name and type.
 *
 * Both are written to the ledger alone, with the audit row, in one transaction; the pass that follows puts our mark there
 * or takes it off. What is adopted is what was seen: a set that is another one by then is left alone.
 */
import { Failure } from '../../kernel/failure.ts'
import type { OwnedRrset } from '../../model/dns.ts'
import type { DnsRecordView, RecordState } from '../../model/dns-record-view.ts'
import { type PlannedAnswer, planned } from '../answers.ts'
import { commit } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { LOOK_MOST_MS, type RecordIds } from './desk.ts'
import { deployment } from '../deploy/deployment.ts'

export interface RecordName {
  readonly name: string
  /** As it is listed: `A`, `AAAA`, or `CNAME` for an alias that stands in our place. */
  readonly type: string
}

export interface RecordAnswer {
  readonly success: true
  readonly message: string
  readonly warnings: readonly string[]
  readonly records: readonly DnsRecordView[]
}

/** Somebody else's at a name that we want. Another installation's is not among them: it would take it back. */
const ADOPTABLE: ReadonlySet<RecordState> = new Set(['foreign', 'orphan', 'conflict'])

/** Throws `not_found`, and `conflict` for what is not somebody else's, or cannot be ours. */
export async function adoptRecord(
  deps: Deps,
  wish: RecordName,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { zone, records, ids } = await lookFor(deps, wish, caller.signal)
  const found = records.filter(({ state }) => ADOPTABLE.has(state))
  const [first] = found
  if (first === undefined) throw notAdoptable(wish, records)
  if (first.observed === null)
    throw new Failure('conflict', first.detail ?? `${itemOf(wish)} cannot be adopted.`)
  return settle(deps, caller, {
    wish,
    zone,
    verb: 'adopt',
    rows: found.map((record) => rowOf(record, ids, deps.clock.now())),
    message: `${itemOf(wish)} is adopted: it was ${first.observed.join(', ')}.`,
    warnings: [],
  })
}

/** Throws `not_found`, and `conflict` for what is not ours. */
export async function releaseRecord(
  deps: Deps,
  wish: RecordName,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { zone, records } = await lookFor(deps, wish, caller.signal)
  const owned = (await deps.store.ownedRrsets()).filter(
    (row) => row.zone === zone && row.name === wish.name && row.type === wish.type,
  )
  if (owned.length === 0)
    throw new Failure('conflict', `${itemOf(wish)} is not ours, so there is nothing to give up.`)
  const is_wanted = records.some(({ desired }) => desired !== null)
  return settle(deps, caller, {
    wish,
    zone,
    verb: 'release',
    rows: owned.map((row) => ({ ...row, state: 'releasing' })),
    message: `${itemOf(wish)} is given up: it stays as it is and is no longer ours.`,
    warnings: is_wanted ? [`${wish.name} is deployed, so it is shown as somebody else's from now on.`] : [],
  })
}

interface Found {
  readonly zone: string
  /** Those of the name and type. */
  readonly records: readonly DnsRecordView[]
  readonly ids: RecordIds
}

async function lookFor(
  { store, dns }: Deps,
  { name, type }: RecordName,
  signal: AbortSignal,
): Promise<Found> {
  const zone = dns.zoneFor(name)
  if (zone === null)
    throw new Failure(
      'not_found',
      `No DNS account has a zone for ${name}. GET /api/dns/zones lists what there is.`,
    )
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MOST_MS)])
  const look = await dns.look(zone, await store.intent('released'), bounded)
  if (!look.known) throw new Failure('component_unavailable', look.detail)
  const records = look.records.filter((record) => record.name === name && record.type === type)
  return { zone, records, ids: look.ids }
}

function notAdoptable(wish: RecordName, records: readonly DnsRecordView[]): Failure {
  const [record] = records
  if (record === undefined)
    return new Failure(
      'not_found',
      `${itemOf(wish)} is at no name that a deployed domain wants. Deploy the domain first.`,
    )
  const why = record.detail ?? (record.state === 'owned' ? 'It is ours already.' : `It is ${record.state}.`)
  return new Failure('conflict', `${itemOf(wish)} cannot be adopted. ${why}`)
}

const itemOf = ({ type, name }: RecordName): string => `${type} ${name}`

function rowOf(record: DnsRecordView, ids: RecordIds, at: number): OwnedRrset {
  const { account, zone, name, type, managed_type, domain_id, ttl, observed, proxied } = record
  return {
    account,
    zone,
    name,
    type: managed_type,
    domain_id: domain_id!,
    state: 'adopted',
    ttl,
    values: observed!,
    proxied,
    ids: ids(name, type),
    sent_at: at,
  }
}

interface Decision {
  readonly wish: RecordName
  readonly zone: string
  readonly verb: 'adopt' | 'release'
  readonly rows: readonly OwnedRrset[]
  readonly message: string
  readonly warnings: readonly string[]
}

async function settle(
  deps: Deps,
  caller: Caller,
  { wish, zone, verb, rows, message, warnings }: Decision,
): Promise<RecordAnswer | PlannedAnswer> {
  const [{ domain_id }] = rows as readonly [OwnedRrset]
  const committed = await commit(deps, caller, async (tx) => {
    await tx.saveOwnedRrsets(rows)
    const detail = { zone, record: itemOf(wish), values: rows[0]!.values }
    const action = verb === 'adopt' ? 'adopt_record' : 'release_record'
    const audit = {
      action,
      domain_id,
      domain: wish.name,
      revision_before: null,
      revision_after: null,
      detail,
    }
    return { result: null, audit: [audit], release: null, reason: '', warnings }
  })
  if (committed.planned) return planned(committed.plan)
  const scope = {
    message,
    domain_ids: [domain_id],
    head: null,
    warnings,
    direction: 'open',
    component: 'dns',
  } as const
  const others = await deployment(deps, scope).then(
    (done) => done.warnings,
    (error: unknown) => {
      // What was just given up is somebody else's: that is what was asked for.
      if (verb === 'release' && error instanceof Failure && error.code === 'foreign_owner') return warnings
      throw error
    },
  )
  const { records } = await lookFor(deps, wish, caller.signal)
  return { success: true, message, warnings: others, records }
}
