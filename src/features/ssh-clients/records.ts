/** The rows of the clients of the SSH gateway. They mirror `schema/0007-ssh-clients.sql`. */
import type { Kysely } from 'kysely'
import type { SshClient } from '../../model/ssh/client.ts'
import type { KeyOptions } from '../../model/ssh/options.ts'
import { recordSet } from '../../ports/record-set.ts'
import { storedJson } from '../../store/stored-json.ts'

interface SshClientTables {
  ssh_clients: Omit<SshClient, 'options'> & { options: string }
}
type Db = Kysely<SshClientTables>

/** The oldest first, then by fingerprint. */
async function sshClients(db: Db): Promise<readonly SshClient[]> {
  const rows = await db
    .selectFrom('ssh_clients')
    .selectAll()
    .orderBy('created_at')
    .orderBy('fingerprint')
    .execute()
  return rows.map((row) => ({ ...row, options: storedJson<KeyOptions>(row.options) }))
}

/** By fingerprint. */
async function saveSshClient(db: Db, client: SshClient): Promise<void> {
  const { fingerprint, type, key, bits, created_at, name, revision, updated_at } = client
  const intent = { name, options: JSON.stringify(client.options), revision, updated_at }
  await db
    .insertInto('ssh_clients')
    .values({ fingerprint, type, key, bits, created_at, ...intent })
    .onConflict((on) => on.column('fingerprint').doUpdateSet(intent))
    .execute()
}

async function dropSshClient(db: Db, fingerprint: string): Promise<void> {
  await db.deleteFrom('ssh_clients').where('fingerprint', '=', fingerprint).execute()
}

export const sshClientRecords = recordSet({
  reads: { sshClients },
  writes: { saveSshClient, dropSshClient },
  closes: { dropSshClient: () => true },
})
