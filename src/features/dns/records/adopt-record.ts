/**
 * Taking over a set that somebody else made, giving one up again, and taking away one that bears our mark and is in no
 * database. Only a person does this, for one name and type.
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
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import type { RecordIds } from '../service.ts'
import { lookInTime } from '../integrity/look-in-time.ts'
import { dnsRecords } from '../records.ts'
import { isKept } from './external-ip.ts'
import { leftBecause, whyToGo } from './left-because.ts'
import { notAdoptable } from './not-adoptable.ts'
import type { DnsRecordView, RecordState, RecordAnswer } from '../views.ts'

export interface RecordName {
  readonly name: string
  /** As it is listed: `A`, `AAAA`, or `CNAME` for an alias that stands in our place. */
  readonly type: string
}

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

/** Throws `not_found`, and `conflict` for what is not ours. */
export async function releaseRecord(
  deps: Deps,
  wish: RecordName,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { zone, records } = await lookFor(deps, wish, caller)
  const owned = (await deps.store.of(dnsRecords).ownedRrsets()).filter(
    (row) => row.zone === zone && row.name === wish.name && row.type === wish.type,
  )
  if (owned.length === 0)
    throw new Failure('conflict', `${itemOf(wish)} is not ours, so there is nothing to give up.`)
  const elsewhere = owned.filter((row) => !isKept(row, deps.dns))
  const [first] = elsewhere
  if (first !== undefined)
    return settle(deps, caller, {
      wish,
      zone,
      verb: 'release',
      rows: elsewhere,
      is_forgotten: true,
      message: `${itemOf(wish)} of the account ${first.account} is given up: what stands there is no longer ours.`,
      warnings: [],
    })
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

interface RecordsAtName {
  readonly zone: string
  /** Those of the name and type. */
  readonly records: readonly DnsRecordView[]
  readonly ids: RecordIds
}

async function lookFor(
  deps: Deps,
  { name, type }: RecordName,
  { signal }: Caller,
  intent?: Intent,
): Promise<RecordsAtName> {
  const zone = deps.dns.zoneFor(name)
  if (zone === null)
    throw new Failure(
      'not_found',
      `No DNS account has a zone for ${name}. GET /api/dns/zones lists what there is.`,
    )
  const look = await lookInTime(deps, zone, signal, intent)
  if (!look.known) throw new Failure('component_unavailable', look.detail)
  const records = look.records.filter((record) => record.name === name && record.type === type)
  return { zone, records, ids: look.ids }
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

const itemOf = ({ type, name }: RecordName): string => `${type} ${name}`

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

/** What the pass that follows does, for who asks beforehand. */
const actionOf = ({ wish, verb, rows, becomes = null, waits_for = null }: Decision) => {
  const before = setWords(rows[0]!)
  const then = becomes === null ? '' : `, then ${becomes}`
  const afters = {
    adopt:
      waits_for === null
        ? (becomes ?? before)
        : `${before} (with our mark; it stays until ${waits_for} is deployed${then})`,
    release: `${before} (not ours any more)`,
    remove: null,
  }
  const after = afters[verb]
  const kind = after === null ? ('delete' as const) : ('update' as const)
  return { component: 'dns', verb: kind, item: itemOf(wish), before, after, reason: 'release' as const }
}

/** `192.0.2.7, TTL 300`. */
const setWords = ({ values, ttl }: Pick<OwnedRrset, 'values' | 'ttl'>): string =>
  `${values.join(', ')}, TTL ${ttl ?? 'automatic'}`

interface Decision {
  readonly wish: RecordName
  readonly zone: string
  readonly verb: 'adopt' | 'release' | 'remove'
  readonly rows: readonly OwnedRrset[]
  readonly message: string
  readonly warnings: readonly string[]
  /** Nobody looks where it stands: our own note of it goes, and that is all. */
  readonly is_forgotten?: true
  /** What an adopted set is to hold, where something asks for it. */
  readonly becomes?: string | null
  /** The name whose deploy writes what it is to hold; null where the pass that follows does. */
  readonly waits_for?: string | null
}

async function settle(deps: Deps, caller: Caller, decision: Decision): Promise<RecordAnswer | PlannedAnswer> {
  const { wish, verb, message } = decision
  const committed = await save(deps, caller, decision)
  if (committed.planned) return planned(committed.plan)
  // The zone may be one that no record has to do with: a look makes it known by its ledger.
  if (verb === 'remove') await lookFor(deps, wish, caller)
  const warnings = decision.is_forgotten === true ? decision.warnings : await deploy(deps, caller, decision)
  const { records } = await lookFor(deps, wish, caller)
  return { success: true, message, warnings, records }
}

/** In the ledger, with the audit row. */
const save = (deps: Deps, caller: Caller, decision: Decision) =>
  commit(deps, caller, async (tx) => {
    const { wish, zone, verb, rows, warnings } = decision
    const [{ domain_id, values }] = rows as readonly [OwnedRrset]
    const ledger = tx.of(dnsRecords)
    await (decision.is_forgotten === true ? ledger.dropOwnedRrsets(rows) : ledger.saveOwnedRrsets(rows))
    const audit = {
      action: `${verb}_record`,
      domain_id: domain_id === NO_DOMAIN ? null : domain_id,
      domain: wish.name,
      revision_before: null,
      revision_after: null,
      detail: { zone, record: itemOf(wish), values },
    }
    const actions = [actionOf(decision)]
    return { result: null, audit: [audit], ...ONLY_SAVES, warnings, actions }
  })

/** Answers warnings. */
const deploy = (deps: Deps, caller: Caller, decision: Decision): Promise<readonly string[]> =>
  deps.deploy(scopeOf(deps, caller, decision)).then(
    (done) => done.warnings,
    (error: unknown) => {
      // What was just given up is somebody else's: that is what was asked for.
      if (decision.verb === 'release' && error instanceof Failure && error.code === 'foreign_owner')
        return decision.warnings
      throw error
    },
  )

const scopeOf = (
  { dns }: Deps,
  { progress }: Caller,
  { zone, verb, rows, message, warnings }: Decision,
): Parameters<Deps['deploy']>[0] => ({
  message,
  domain_ids: [rows[0]!.domain_id],
  head: null,
  warnings,
  direction: verb === 'remove' ? 'close' : 'open',
  progress,
  component: 'dns',
  ...(verb === 'remove' && { keys: [dns.keyOf(zone)] }),
})
