/** Brings what the world holds into an older database, within the caller's transaction. */
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { fieldsOf } from '../../../model/domain/record.ts'
import { type Intent, type IntentRow, rowOf } from '../../../model/intent.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { Transaction } from '../../../core/commit/change-intent.ts'
import type { Caller } from '../../../core/caller.ts'
import { changeStatus, retiredRow } from '../../domains/change-status.ts'
import { findDomain } from '../../../core/find-domain.ts'
import { strangerOf } from '../../people/stranger.ts'
import type { FileUser } from '../../../ports/users-file.ts'
import type { Ddns } from '../../ddns/ddns.ts'
import { type EndedTokens, giveUpHosts, giveUpLeftovers, type Taken } from '../../ddns/hosts/give-up-hosts.ts'
import { carryOut } from './carry-out.ts'
import { fieldChanges } from '../../../model/domain/field-changes.ts'
import type { ParkedRow } from '../bystanders.ts'
import type { Resumption } from './resumption.ts'
import { sshClientRecords } from '../../ssh-clients/records.ts'
import { peopleRecords } from '../../people/records.ts'

interface Context extends Transaction {
  readonly caller: Caller
  readonly hash: string
  /** Of the users file; empty where it is not known. */
  readonly users: ReadonlyMap<string, FileUser>
  readonly ddns: Pick<Ddns, 'hub_host'>
}

export interface CarriedOver {
  /** To be released. */
  readonly rows: readonly ReleaseRow[]
  /** Keys of gateways that went with a domain, or with the name that it had. */
  readonly ended: readonly EndedTokens[]
}

/** One transaction: each write follows the one before. */
const IN_TURN = { at_once: 1 }

/** What is given up goes first, so that names are free for what takes them. */
export async function carryOver(resumption: Resumption, context: Context): Promise<CarriedOver> {
  const { tx, at, ddns } = context
  const { remove, disable, park, drop_clients, save_clients } = resumption
  const released = await tx.intent('released')
  const removed = await mapLimit(remove, IN_TURN, (row) => removeRecord(row, released, context))
  const disabled = await mapLimit(disable, IN_TURN, (row) => disableRecord(row, context))
  for (const row of park) await parkRecord(row, context)
  const brought = await bringBack(resumption, context)
  const offline = await mapLimit(resumption.create_offline, IN_TURN, (row) =>
    createOffline(row, resumption, context),
  )
  for (const { fingerprint } of drop_clients) await tx.of(sshClientRecords).dropSshClient(fingerprint)
  for (const client of save_clients) await tx.of(sshClientRecords).saveSshClient(client)
  await revokeAll(resumption, context)
  const rows = [
    ...removed.map(({ moved }) => moved),
    ...disabled,
    ...brought.rows,
    ...offline.map(({ moved }) => moved),
  ]
  const taken = [...brought.taken, ...offline.map((one) => one.taken)]
  const leftovers = await giveUpLeftovers(ddns, tx, { taken, released, moving: rows, at })
  await auditEnded(leftovers, context)
  return { rows, ended: [...removed.map(({ ended }) => ended), leftovers] }
}

/** Its keys of gateways end with it; what stands outside under its name goes with the release. */
async function removeRecord(
  row: IntentRow,
  released: Intent,
  context: Context,
): Promise<{ readonly moved: ReleaseRow; readonly ended: EndedTokens }> {
  const { tx, at, ddns } = context
  const { domain_id, fields } = row
  const outside = released.rows.find((one) => one.domain_id === domain_id) ?? row
  const hosts = [...new Set([fields.domain, outside.fields.domain])]
  const ended = await giveUpHosts(ddns, tx, { hosts, domain_id, at })
  await auditEnded(ended, context)
  await tx.deleteDomain(domain_id)
  await auditResumed('delete', { domain_id, domain: fields.domain }, context)
  return { moved: { domain_id, row: { ...outside, live: false, retired: true } }, ended }
}

async function disableRecord({ domain_id }: IntentRow, context: Context): Promise<ReleaseRow> {
  const { tx, at } = context
  const before = await findDomain(tx, domain_id)
  const record = await changeStatus(tx, before, 'disable', at)
  await auditResumed('disable', { domain_id, domain: record.domain }, context)
  return { domain_id, row: await retiredRow(tx, before, record) }
}

async function parkRecord({ present, fields }: ParkedRow, context: Context): Promise<void> {
  const { domain_id } = present
  const record = await context.tx.reviseDomain(domain_id, { fields: fieldsOf(fields) }, context.at)
  const changed = fieldChanges(present.fields, fields)
  await auditResumed('park', { domain_id, domain: record.domain }, context, changed)
}

interface Brought {
  readonly rows: readonly ReleaseRow[]
  /** Names that a record did not have before. */
  readonly taken: readonly Taken[]
}

/** Records that are live in the world, and those that have left it. */
async function bringBack({ restore, create, deactivate }: Resumption, context: Context): Promise<Brought> {
  const { tx, at } = context
  const lists = { restore, create, deactivate, skipped: [], conflicts: [] }
  const { restored, created, deactivated } = await carryOut(tx, lists, { at, release: 0 })
  const moved = [...restored, ...created, ...deactivated]
  for (const { after } of moved)
    await auditResumed('resume', { domain_id: after.id, domain: after.domain }, context)
  return {
    rows: moved.map(({ after, row }) => ({ domain_id: after.id, row })),
    taken: [...restored, ...created].flatMap(({ before, after }) =>
      before?.domain === after.domain ? [] : [{ domain_id: after.id, domain: after.domain }],
    ),
  }
}

async function createOffline(
  { domain_id, fields, retired }: IntentRow,
  { parked_offline }: Pick<Resumption, 'parked_offline'>,
  context: Context,
): Promise<{ readonly moved: ReleaseRow; readonly taken: Taken }> {
  const { tx, at } = context
  const inserted = await tx.insertDomain(fieldsOf(fields), at)
  const record = retired ? await changeStatus(tx, inserted, 'disable', at) : inserted
  const parked = parked_offline.find((one) => one.present.domain_id === domain_id)
  const changed = parked === undefined ? {} : fieldChanges(parked.present.fields, fields)
  const taken = { domain_id: record.id, domain: record.domain }
  await auditResumed('resume', taken, context, changed)
  return { moved: { domain_id: record.id, row: rowOf(record) }, taken }
}

/** @param record by its new name, where it has one */
function auditResumed(
  action: string,
  record: { readonly domain_id: number; readonly domain: string },
  context: Context,
  changed: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const detail = { resumed: 'world', ...changed }
  return context.tx.audit({
    ...attributed(context),
    ...record,
    action,
    revision_before: null,
    revision_after: null,
    detail,
  })
}

async function auditEnded({ audit }: EndedTokens, context: Context): Promise<void> {
  for (const { detail, ...facts } of audit)
    await context.tx.audit({ ...facts, ...attributed(context), detail: detail ?? {} })
}

const attributed = ({ at, caller: { actor }, hash }: Context) => ({
  at,
  actor: actor.name,
  request_id: actor.request_id,
  plan_hash: hash,
})

/** Of a name that the database does not know, the revocation is all that is ours. */
export async function revokeAll(
  { revoke, revoke_unknown }: Pick<Resumption, 'revoke' | 'revoke_unknown'>,
  { tx, at, users }: Pick<Context, 'tx' | 'at' | 'users'>,
): Promise<void> {
  const strangers = revoke_unknown.map((name) => strangerOf(name, users.get(name) ?? null, at))
  for (const person of [...revoke, ...strangers])
    await tx.of(peopleRecords).savePerson({ ...person, revoked_at: at, updated_at: at })
}
