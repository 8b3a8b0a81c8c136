/**
 * What taking the world's side does to each record, client and person of an older database. Pure.
 *
 *   in the world …             in the database: released as such   otherwise
 *   live                       stays as it is                      its fields, live; created anew where it is unknown
 *   disabled (a record is)     stays disabled                      disabled, created so where it is unknown
 *   deleted (no record is)     gone                                deleted; its records outside go
 *   off line                   stays as it is                      off line
 *
 * Who holds a name or an entrypoint that these need makes room for it (`bystanders.ts`).
 * A record that the database has disabled stays so. One that neither side ever released says nothing outside and stays.
 * A key goes unless the world lists it; a person is revoked unless the world lists them as not revoked, also one whom the
 * database does not know: a user who was there before us. Where a file does not name all of its records (`evaluate-held.ts`),
 * those that it does not name go off line and none is deleted.
 */
import { digestOf } from '../../../kernel/digest.ts'
import { isSameIn } from '../../../model/domain/field-changes.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import type { Person } from '../../people/records.ts'
import { bystandersOf, type ParkedRow } from '../bystanders.ts'
import type { EvaluatedWorld } from './evaluate-held.ts'
import type { RestoredRow } from './restoration.ts'

export interface ResumeFacts extends Pick<EvaluatedWorld, 'held' | 'names_all'> {
  readonly working: Intent
  readonly released: Intent
  readonly disabled: ReadonlySet<number>
  readonly clients: readonly SshClient[]
  readonly people: readonly Person[]
}

export interface Resumption {
  readonly restore: readonly RestoredRow[]
  readonly create: readonly IntentRow[]
  readonly create_offline: readonly IntentRow[]
  readonly deactivate: readonly IntentRow[]
  readonly disable: readonly IntentRow[]
  readonly remove: readonly IntentRow[]
  /** Records that hold what another one needs. */
  readonly park: readonly ParkedRow[]
  /** Of `create_offline`: those that cannot have the name that they had. */
  readonly parked_offline: readonly ParkedRow[]
  readonly save_clients: readonly SshClient[]
  readonly drop_clients: readonly SshClient[]
  readonly revoke: readonly Person[]
  /** Names that the database does not know. */
  readonly revoke_unknown: readonly string[]
  /** Saved in the newer database and never deployed: their fields are nowhere in the world. */
  readonly unknown_drafts: number
}

export function resumptionOf(facts: ResumeFacts): Resumption {
  const { held, names_all, working, released, disabled } = facts
  const known = new Map(working.rows.map((row) => [row.domain_id, row]))
  const deployed = new Map(released.rows.map((row) => [row.domain_id, row]))
  const present = new Set(held.present)
  const lists = {
    restore: [] as RestoredRow[],
    create: [] as IntentRow[],
    create_offline: [] as IntentRow[],
    deactivate: [] as IntentRow[],
    disable: [] as IntentRow[],
    remove: [] as IntentRow[],
  }
  // By id, so that what is created anew gets the ids that it had.
  for (const row of held.rows.toSorted((a, b) => a.domain_id - b.domain_id)) {
    const record = known.get(row.domain_id)
    const is_disabled = disabled.has(row.domain_id)
    if (record === undefined) {
      if (!present.has(row.domain_id)) continue
      ;(row.live ? lists.create : lists.create_offline).push(row)
    } else if (!present.has(row.domain_id)) lists.remove.push(record)
    else if (row.retired) {
      if (!is_disabled) lists.disable.push(record)
    } else if (is_disabled) continue
    else if (!row.live) {
      // Released as off line already, such as one whose first release the proxy refused, it stays as it is.
      const was = deployed.get(row.domain_id)
      if (was === undefined ? record.live : was.live) lists.deactivate.push(record)
    } else if (!isSame(row, deployed.get(row.domain_id)))
      lists.restore.push({ present: record, fields: row.fields })
  }
  const held_ids = new Set(held.rows.map(({ domain_id }) => domain_id))
  for (const row of released.rows) {
    const record = known.get(row.domain_id)
    if (record === undefined || held_ids.has(row.domain_id)) continue
    if (names_all) lists.remove.push(record)
    else if ((record.live || row.live) && !disabled.has(row.domain_id)) lists.deactivate.push(record)
  }
  const unknown_drafts = held.present.filter((id) => !known.has(id) && !held_ids.has(id)).length
  const { restore, ...bystanders } = inTheWay(facts, lists)
  const domains = { ...lists, ...bystanders, restore: [...lists.restore, ...restore] }
  const revoke_unknown = unknownRevocations(facts)
  return { ...domains, ...clientMoves(facts), revoke: revocations(facts), revoke_unknown, unknown_drafts }
}

function inTheWay(
  { held, working, disabled }: ResumeFacts,
  lists: Pick<Resumption, 'restore' | 'remove' | 'disable' | 'create_offline'>,
) {
  const removed = new Set(lists.remove.map(({ domain_id }) => domain_id))
  const present = new Set(held.present)
  const off = new Set([...disabled, ...lists.disable.map(({ domain_id }) => domain_id)])
  return bystandersOf({
    staying: working.rows.filter(({ domain_id }) => !removed.has(domain_id)),
    restored: new Set(lists.restore.map((row) => row.present.domain_id)),
    live: held.rows.filter(({ domain_id, live }) => live && present.has(domain_id) && !off.has(domain_id)),
    create_offline: lists.create_offline,
    disabled: off,
  })
}

const isSame = (row: IntentRow, other: IntentRow | undefined): boolean =>
  other?.live === row.live && isSameIn(row.fields, other.fields)

function clientMoves({ held, clients }: ResumeFacts): Pick<Resumption, 'save_clients' | 'drop_clients'> {
  const now = new Map(clients.map((client) => [client.fingerprint, digestOf(client)]))
  const then = new Set(held.ssh_clients.map(({ fingerprint }) => fingerprint))
  return {
    save_clients: held.ssh_clients.filter((client) => now.get(client.fingerprint) !== digestOf(client)),
    drop_clients: clients.filter(({ fingerprint }) => !then.has(fingerprint)),
  }
}

function revocations({ held, people }: ResumeFacts): readonly Person[] {
  const in_force = new Set(held.people.flatMap(({ username, revoked }) => (revoked ? [] : [username])))
  return people.filter(({ username, revoked_at }) => revoked_at === null && !in_force.has(username))
}

/** Also where the database is taken: it says nothing of them that could be right. */
export function unknownRevocations({
  held,
  people,
}: Pick<ResumeFacts, 'held' | 'people'>): readonly string[] {
  const known = new Set(people.map(({ username }) => username))
  return held.people.flatMap(({ username, revoked }) => (revoked && !known.has(username) ? [username] : []))
}
