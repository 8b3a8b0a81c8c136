/** What an older database undoes of a newer world, as far as its files say. Pure. */
import { digestOf } from '../../../kernel/digest.ts'
import type { Person } from '../../people/records.ts'
import { diffEditions } from '../diff-editions.ts'
import { type ResumeFacts, unknownRevocations } from './resumption.ts'

export interface Undone {
  /** Hosts. */
  readonly live_again: readonly string[]
  readonly taken_down: readonly string[]
  readonly changed_back: readonly string[]
  readonly keys_let_in: readonly string[]
  readonly keys_shut_out: readonly string[]
  /** With other options. */
  readonly keys_changed: readonly string[]
  readonly people_let_in: readonly string[]
  /** Not ours but for their revocation, which the database does not know. It stays. */
  readonly revoke: readonly Person[]
  readonly revoke_unknown: readonly string[]
}

export function undoneOf(facts: Omit<ResumeFacts, 'names_all'>): Undone {
  const { held, released, clients, people } = facts
  const { added, removed, changed } = diffEditions({ rows: held.rows }, released)
  const then = new Map(held.ssh_clients.map((client) => [client.fingerprint, client]))
  const now = new Map(clients.map((client) => [client.fingerprint, client]))
  const revoked = new Set(held.people.flatMap(({ username, revoked }) => (revoked ? [username] : [])))
  const back = people.filter(({ username, revoked_at }) => revoked_at === null && revoked.has(username))
  return {
    live_again: added.map(({ domain }) => domain),
    taken_down: removed.map(({ domain }) => domain),
    changed_back: changed.map(({ domain }) => domain),
    keys_let_in: clients.filter(({ fingerprint }) => !then.has(fingerprint)).map(keyText),
    keys_shut_out: held.ssh_clients.filter(({ fingerprint }) => !now.has(fingerprint)).map(keyText),
    keys_changed: clients
      .filter(
        (client) =>
          then.has(client.fingerprint) && digestOf(then.get(client.fingerprint)) !== digestOf(client),
      )
      .map(keyText),
    people_let_in: back.filter(({ origin }) => origin === 'invited').map(({ username }) => username),
    revoke: back.filter(({ origin }) => origin === 'file'),
    revoke_unknown: unknownRevocations(facts),
  }
}

export const keyText = ({
  fingerprint,
  name,
}: {
  readonly fingerprint: string
  readonly name: string
}): string => `${fingerprint} ${name}`
