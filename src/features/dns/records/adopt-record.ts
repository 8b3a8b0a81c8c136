/**
 * Taking over a set that somebody else made, and taking away one that bears our mark and is in no database. Only a person does
 * this, for one name and type.
 *
 * All of it is written to the ledger alone, with the audit row, in one transaction; the pass that follows puts our mark there
 * or takes it off, or takes the set away. What is meant is what was seen: a set that is another one by then is left alone.
 */
import type { CoreParts } from '../../../core/parts.ts'
import { withRows } from '../../../engine/editions/editions.ts'
import { Failure } from '../../../kernel/failure.ts'
import { isPublished } from '../../../model/domain/address-sources.ts'
import { NO_DOMAIN, type OwnedRrset } from '../../../model/network/dns.ts'
import { type Intent, rowOf } from '../../../model/intent.ts'
import type { PlannedAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import type { RecordIds } from '../service.ts'
import { leftBecause, whyToGo } from './left-because.ts'
import { notAdoptable } from './not-adoptable.ts'
import { itemOf, lookFor, type RecordName, settle, setWords } from './settle-record.ts'
import type { DnsRecordView, RecordState, RecordAnswer } from '../views.ts'

/** Somebody else's at a name that we want. Another installation's is not among them: it would take it back. */
const ADOPTABLE: ReadonlySet<RecordState> = new Set(['foreign', 'orphan', 'conflict'])

/** Throws `not_found`, and `conflict` for what is not somebody else's, or cannot be ours. */
export async function adoptRecord(
  deps: Deps,
  wish: RecordName,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { intent, is_waiting } = await asIfDeployed(deps, wish)
  const { zone, records, ids } = await lookFor(deps, wish, caller, intent)
  const found = records.filter(({ state }) => ADOPTABLE.has(state))
  const [first] = found
  if (first === undefined) throw notAdoptable(itemOf(wish), records[0], await whyToGo(deps, wish, intent))
  if (first.desired === null && (first.state === 'foreign' || first.domain !== wish.name))
    throw new Failure('conflict', `${itemOf(wish)} is asked for by no deployed domain. ${first.detail ?? ''}`)
  if (first.observed === null)
    throw new Failure('conflict', first.detail ?? `${itemOf(wish)} cannot be adopted.`)
  return settle(deps, caller, {
    wish,
    zone,
    verb: 'adopt',
    rows: found.map((record) => ownedRow(record, ids, deps.clock.now())),
    message: is_waiting
      ? `${itemOf(wish)} is adopted: it stays ${first.observed.join(', ')} until ${wish.name} is deployed.`
      : `${itemOf(wish)} is adopted: it was ${first.observed.join(', ')}.`,
    warnings: [],
    becomes: first.desired === null ? null : setWords({ values: first.desired, ttl: first.desired_ttl }),
    waits_for: is_waiting ? wish.name : null,
  })
}

/** Throws `not_found`, and `conflict` for what is neither an orphan nor unclaimed, or what a deployed domain asks for. */
export async function removeRecord(
  deps: Deps,
  wish: RecordName,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { intent } = await asIfDeployed(deps, wish)
  const { zone, records, ids } = await lookFor(deps, wish, caller, intent)
  const is_unclaimed = (await leftBecause(deps, wish, intent)) === 'no_address'
  const orphan = records.find(
    ({ state, observed }) => state === 'orphan' || (is_unclaimed && observed !== null),
  )
  if (orphan === undefined) throw notRemovable(wish, records)
  if (orphan.desired !== null)
    throw new Failure('conflict', `${itemOf(wish)} is asked for by ${orphan.domain}. Adopt it.`)
  const row = ownedRow(orphan, ids, deps.clock.now())
  return settle(deps, caller, {
    wish,
    zone,
    verb: 'remove',
    rows: [{ ...row, domain_id: NO_DOMAIN, state: 'removing' }],
    message: `${itemOf(wish)} is taken away: it was ${row.values.join(', ')}.`,
    warnings: [],
  })
}

interface AsIfDeployed {
  readonly intent: Intent
  /** The record of the name is saved and not deployed: what it asks for is written by its deploy alone. */
  readonly is_waiting: boolean
}

/**
 * A name that somebody else holds keeps its domain from being deployed, so it can be taken over beforehand: the deploy that
 * follows puts ours in its place.
 */
async function asIfDeployed({ store }: CoreParts, { name }: RecordName): Promise<AsIfDeployed> {
  const released = await store.intent('released')
  const record = await store.domainByName(name)
  const is_there = released.rows.some(
    ({ live, fields }) => live && fields.domain === name && isPublished(fields),
  )
  if (record === null || is_there || record.status === 'disabled')
    return { intent: released, is_waiting: false }
  const intent = withRows(released, [{ domain_id: record.id, row: { ...rowOf(record), live: true } }])
  return { intent, is_waiting: true }
}

function notRemovable(wish: RecordName, [record]: readonly DnsRecordView[]): Failure {
  if (record === undefined)
    return new Failure('not_found', `${itemOf(wish)} is not there, or it does not bear our mark.`)
  const remedy =
    record.domain === null ? '' : ` Disabling or deleting ${record.domain} takes its records away.`
  return new Failure(
    'conflict',
    `${itemOf(wish)} is ${record.state}; only what bears our mark and nothing asks for is taken away so.${remedy}`,
  )
}

/** The ledger's row of a set that is taken over as it was seen. */
export function ownedRow(record: DnsRecordView, ids: RecordIds, at: number): OwnedRrset {
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
