/** The targets as they are listed: the rows of ours, beside what the guests are now. */
import type { Instant } from '../../kernel/clock.ts'
import { isoTime } from '../../kernel/clock.ts'
import { planSync, guestId, type SeenGuest } from './model/sync.ts'
import { type SshTarget, sshTargetRecords } from './records.ts'
import type { SshTargetService } from './service.ts'

export const TARGET_STATES = ['present', 'new', 'changed', 'stopped', 'unknown', 'gone'] as const

export interface ListedSshTarget extends Pick<
  SshTarget,
  | 'name'
  | 'address'
  | 'port'
  | 'user'
  | 'vmid'
  | 'cluster'
  | 'source'
  | 'host_key'
  | 'key_origin'
  | 'shown_at'
> {
  readonly state: (typeof TARGET_STATES)[number]
  /** Another key, which it showed at the last contact. */
  readonly shown_key: string | null
  readonly is_released: boolean
  /** When it showed a host key last; null for not since the start. */
  readonly contacted_at: Instant | null
}

type Reads = Pick<SshTargetService, 'store' | 'clock' | 'wanted' | 'seen'>
type Lists = Reads & Pick<SshTargetService, 'contacted_at'>

export async function readTargets(targets: Lists): Promise<readonly ListedSshTarget[]> {
  const seen = await targets.seen()
  const rows = await targets.store.of(sshTargetRecords).sshTargets()
  const hosts = await targets.store.of(sshTargetRecords).sshProxyHosts()
  const released = new Map(hosts.map((host) => [host.name, host]))
  const old = new Map(rows.map((row) => [row.id, row]))
  const then = planSync(rows, seen, { ...targets.wanted, released: hosts, at: targets.clock.now() })
  const guests = new Map(seen.guests.map((guest) => [guestId(guest), guest]))
  return then.rows
    .map((row): ListedSshTarget => {
      const was = old.get(row.id)
      const { name, address, port, user, vmid, cluster, source } = was ?? row
      const { host_key, key_origin, shown_key, shown_at } = was ?? row
      return {
        name,
        address,
        port,
        user,
        vmid,
        cluster,
        source,
        host_key,
        key_origin,
        shown_key,
        shown_at,
        state: stateOf(row, was, guests.get(row.id)),
        is_released: released.get(name)?.address === address,
        contacted_at: targets.contacted_at({ host: address, port }),
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function stateOf(
  row: SshTarget,
  was: SshTarget | undefined,
  guest: SeenGuest | undefined,
): ListedSshTarget['state'] {
  if (was === undefined || (was.state === 'gone' && row.state === 'present')) return 'new'
  if (row.state === 'gone') return 'gone'
  if (row.name !== was.name || row.address !== was.address || row.user !== was.user || row.port !== was.port)
    return 'changed'
  if (row.source === 'setting') return 'present'
  if (guest === undefined) return 'unknown'
  return guest.is_running ? 'present' : 'stopped'
}

export interface LostTarget {
  readonly kind: 'ssh_target_without_asset'
  readonly id: string
  readonly name: string
  readonly since: string | null
  readonly why: string
  readonly helps: string
}

/** Targets whose guest is there no more; null where that is not known of one of them. */
export async function lostTargets(targets: Reads): Promise<readonly LostTarget[] | null> {
  const rows = (await targets.store.of(sshTargetRecords).sshTargets()).filter(
    ({ source }) => source === 'guest',
  )
  if (rows.length === 0) return []
  const seen = await targets.seen()
  const clusters = new Set(
    rows.filter(({ state }) => state === 'present').map(({ cluster }) => cluster ?? ''),
  )
  if ([...clusters].some((name) => !seen.whole.has(name))) return null
  const now: Instant = targets.clock.now()
  return planSync(rows, seen, { ...targets.wanted, at: now })
    .rows.filter(({ state }) => state === 'gone')
    .map(({ id, name, cluster, vmid, lost_at }) => ({
      kind: 'ssh_target_without_asset',
      id,
      name,
      since: lost_at === null || lost_at === now ? null : isoTime(lost_at),
      why: `${cluster} has no guest ${vmid} any more, and ssh ${name} leads there.`,
      helps: 'Take it out: plumbline ssh-targets sync-names --forget, then plumbline ssh-targets deploy.',
    }))
}

/** The name of each guest at the gateway, by cluster and number. */
export async function targetNames(
  store: Pick<SshTargetService, 'store'>['store'],
): Promise<(cluster: string, vmid: number) => string | null> {
  const rows = await store.of(sshTargetRecords).sshTargets()
  const names = new Map(
    rows.filter(({ state }) => state === 'present').map((row) => [`${row.cluster}/${row.vmid}`, row.name]),
  )
  return (cluster, vmid) => names.get(`${cluster}/${vmid}`) ?? null
}
