/** The clients of the SSH gateway. They mirror `schema/0007-ssh-clients.sql`. */
import type { Kysely } from 'kysely'
import type { SshClient } from '../../model/ssh/client.ts'
import type { KeyOptions } from '../../model/ssh/options.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export interface SshClientTables {
  ssh_clients: Omit<SshClient, 'options'> & { options: string }
}

export async function sshClients(db: Kysely<Tables>): Promise<SshClient[]> {
  const rows = await db
    .selectFrom('ssh_clients')
    .selectAll()
    .orderBy('created_at')
    .orderBy('fingerprint')
    .execute()
  return rows.map((row) => ({ ...row, options: storedJson<KeyOptions>(row.options) }))
}

export async function saveSshClient(db: Kysely<Tables>, client: SshClient): Promise<void> {
  const { fingerprint, type, key, bits, created_at, name, revision, updated_at } = client
  const intent = { name, options: JSON.stringify(client.options), revision, updated_at }
  await db
    .insertInto('ssh_clients')
    .values({ fingerprint, type, key, bits, created_at, ...intent })
    .onConflict((on) => on.column('fingerprint').doUpdateSet(intent))
    .execute()
}

export async function dropSshClient(db: Kysely<Tables>, fingerprint: string): Promise<void> {
  await db.deleteFrom('ssh_clients').where('fingerprint', '=', fingerprint).execute()
}
