/** Brings what the world holds into an older database, within the caller's transaction. */
import { fieldsOf } from '../../../model/domain/record.ts'
import { rowOf } from '../../../model/intent.ts'
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

/** What is given up goes first, so that names are free for what takes them. */
export async function carryOver(taken: Resumption, context: Context): Promise<CarriedOver> {
  const { tx, at, caller, hash, ddns } = context
  const rows: ReleaseRow[] = []
  const ended: EndedTokens[] = []
  const got: Taken[] = []
  const end = async (one: EndedTokens) => {
    const { name: actor, request_id } = caller.actor
    ended.push(one)
    for (const { detail, ...facts } of one.audit)
      await tx.audit({ ...facts, at, actor, request_id, plan_hash: hash, detail: detail ?? {} })
  }
  const released = await tx.intent('released')
  const audit = (
    action: string,
    { domain_id, domain }: { readonly domain_id: number; readonly domain: string },
    changed: Readonly<Record<string, unknown>> = {},
  ) => {
    const { name: actor, request_id } = caller.actor
    const entry = { at, actor, request_id, action, domain_id, domain, plan_hash: hash }
    const detail = { resumed: 'world', ...changed }
    return tx.audit({ ...entry, revision_before: null, revision_after: null, detail })
  }
  for (const row of taken.remove) {
    const { domain_id, fields } = row
    const outside = released.rows.find((one) => one.domain_id === domain_id) ?? row
    const hosts = [...new Set([fields.domain, outside.fields.domain])]
    await end(await giveUpHosts(ddns, tx, { hosts, domain_id, at }))
    await tx.deleteDomain(domain_id)
    await audit('delete', { domain_id, domain: fields.domain })
    rows.push({ domain_id, row: { ...outside, live: false, retired: true } })
  }
  for (const { domain_id } of taken.disable) {
    const before = await findDomain(tx, domain_id)
    const record = await changeStatus(tx, before, 'disable', at)
    await audit('disable', { domain_id, domain: record.domain })
    rows.push({ domain_id, row: await retiredRow(tx, before, record) })
  }
  for (const { present, fields } of taken.park) {
    const { domain_id } = present
    const record = await tx.reviseDomain(domain_id, { fields: fieldsOf(fields) }, at)
    await audit('park', { domain_id, domain: record.domain }, fieldChanges(present.fields, fields))
  }
  const { restore, create, deactivate } = taken
  const moved = await carryOut(
    tx,
    { restore, create, deactivate, skipped: [], conflicts: [] },
    { at, release: 0 },
  )
  for (const { after, row } of [...moved.restored, ...moved.created, ...moved.deactivated]) {
    await audit('resume', { domain_id: after.id, domain: after.domain })
    rows.push({ domain_id: after.id, row })
  }
  for (const { before, after } of [...moved.restored, ...moved.created])
    if (before?.domain !== after.domain) got.push({ domain_id: after.id, domain: after.domain })
  for (const { domain_id, fields, retired } of taken.create_offline) {
    const inserted = await tx.insertDomain(fieldsOf(fields), at)
    const record = retired ? await changeStatus(tx, inserted, 'disable', at) : inserted
    const parked = taken.parked_offline.find((one) => one.present.domain_id === domain_id)
    const changed = parked === undefined ? {} : fieldChanges(parked.present.fields, fields)
    got.push({ domain_id: record.id, domain: record.domain })
    await audit('resume', { domain_id: record.id, domain: record.domain }, changed)
    rows.push({ domain_id: record.id, row: rowOf(record) })
  }
  for (const { fingerprint } of taken.drop_clients) await tx.of(sshClientRecords).dropSshClient(fingerprint)
  for (const client of taken.save_clients) await tx.of(sshClientRecords).saveSshClient(client)
  await revokeAll(taken, context)
  await end(await giveUpLeftovers(ddns, tx, { taken: got, released, moving: rows, at }))
  return { rows, ended }
}

/** Of a name that the database does not know, the revocation is all that is ours. */
export async function revokeAll(
  { revoke, revoke_unknown }: Pick<Resumption, 'revoke' | 'revoke_unknown'>,
  { tx, at, users }: Pick<Context, 'tx' | 'at' | 'users'>,
): Promise<void> {
  const strangers = revoke_unknown.map((name) => strangerOf(name, users.get(name) ?? null, at))
  for (const person of [...revoke, ...strangers])
    await tx.of(peopleRecords).savePerson({ ...person, revoked_at: at, updated_at: at })
}
