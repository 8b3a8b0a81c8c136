/** The rows of SSH targets: as they were taken in, and as they were released. They mirror `schema/0019-ssh-targets.sql`. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { recordSet } from '../../ports/record-set.ts'
import { batches } from '../../store/batches.ts'

export const SSH_PORT = 22

export interface SshTarget {
  /** `guest:CLUSTER/VMID`, or `setting:NAME`. */
  readonly id: string
  readonly name: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly source: 'guest' | 'setting'
  readonly cluster: string | null
  readonly vmid: number | null
  readonly state: 'present' | 'gone'
  readonly lost_at: Instant | null
  /** `type base64`; null before the first contact. */
  readonly host_key: string | null
  readonly key_origin: 'setting' | 'contact' | null
  /** Another key, which it showed at the last contact: a finding, and never taken for its own. */
  readonly shown_key: string | null
  readonly shown_at: Instant | null
}

/** One target as the gateway has it. */
export type ProxyHost = Pick<SshTarget, 'name' | 'address' | 'port' | 'user' | 'host_key'>

interface Tables {
  ssh_targets: SshTarget
  ssh_proxy_hosts: ProxyHost
}
type Db = Kysely<Tables>

async function sshTargets(db: Db): Promise<readonly SshTarget[]> {
  return db.selectFrom('ssh_targets').selectAll().orderBy('name').orderBy('id').execute()
}

/** The released edition, by name. */
async function sshProxyHosts(db: Db): Promise<readonly ProxyHost[]> {
  return db.selectFrom('ssh_proxy_hosts').selectAll().orderBy('name').execute()
}

/** By id. */
async function saveSshTargets(db: Db, targets: readonly SshTarget[]): Promise<void> {
  await dropSshTargets(
    db,
    targets.map(({ id }) => id),
  )
  for (const some of batches(targets)) await db.insertInto('ssh_targets').values(some).execute()
}

async function dropSshTargets(db: Db, ids: readonly string[]): Promise<void> {
  for (const some of batches(ids)) await db.deleteFrom('ssh_targets').where('id', 'in', some).execute()
}

/** All of the released edition. */
async function releaseSshProxyHosts(db: Db, hosts: readonly ProxyHost[]): Promise<void> {
  await db.deleteFrom('ssh_proxy_hosts').execute()
  for (const some of batches(hosts)) await db.insertInto('ssh_proxy_hosts').values(some).execute()
}

export const sshTargetRecords = recordSet({
  reads: { sshTargets, sshProxyHosts },
  writes: { saveSshTargets, dropSshTargets, releaseSshProxyHosts },
})
