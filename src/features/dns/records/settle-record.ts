/**
 * What a person decides of one set is written to the ledger alone, with the audit row, in one transaction; the pass that follows
 * carries it out.
 */
import { Failure } from '../../../kernel/failure.ts'
import { NO_DOMAIN, type OwnedRrset } from '../../../model/network/dns.ts'
import type { Intent } from '../../../model/intent.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import type { RecordIds } from '../service.ts'
import { lookInTime } from '../integrity/look-in-time.ts'
import { dnsRecords } from '../records.ts'
import { itemAt } from '../target/leaving/elsewhere.ts'
import type { DnsRecordView, RecordAnswer } from '../views.ts'

export interface RecordName {
  readonly name: string
  /** As it is listed: `A`, `AAAA`, or `CNAME` for an alias that stands in our place. */
  readonly type: string
}

export const itemOf = ({ type, name }: RecordName): string => `${type} ${name}`

interface RecordsAtName {
  readonly zone: string
  /** Those of the name and type. */
  readonly records: readonly DnsRecordView[]
  readonly ids: RecordIds
}

export async function lookFor(
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

/** What the pass that follows does, for who asks beforehand. */
const actionOf = (decision: Decision) => {
  const { verb, rows, becomes = null, waits_for = null } = decision
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
  return {
    component: 'dns',
    verb: kind,
    item: decidedItem(decision),
    before,
    after,
    reason: 'release' as const,
  }
}

/** With the account where the set of another one is meant than the one that is kept: equal plans do the same. */
const decidedItem = ({ wish, rows, is_forgotten }: Decision): string =>
  is_forgotten === true ? itemAt(rows[0]!) : itemOf(wish)

/** `192.0.2.7, TTL 300`. */
export const setWords = ({ values, ttl }: Pick<OwnedRrset, 'values' | 'ttl'>): string =>
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

export async function settle(
  deps: Deps,
  caller: Caller,
  decision: Decision,
): Promise<RecordAnswer | PlannedAnswer> {
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
    const [{ account, domain_id, values }] = rows as readonly [OwnedRrset]
    const ledger = tx.of(dnsRecords)
    await (decision.is_forgotten === true ? ledger.dropOwnedRrsets(rows) : ledger.saveOwnedRrsets(rows))
    const audit = {
      action: `${verb}_record`,
      domain_id: domain_id === NO_DOMAIN ? null : domain_id,
      domain: wish.name,
      revision_before: null,
      revision_after: null,
      detail: { zone, account, record: decidedItem(decision), values },
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
