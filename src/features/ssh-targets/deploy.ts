/** Releases the targets and brings the gateway to them: its keys and its configuration. */
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import { Failure } from '../../kernel/failure.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import type { Caller } from '../../core/caller.ts'
import { ONLY_SAVES, type Change } from '../../core/commit/change.ts'
import { GATEWAY, SSH_PROXY } from '../../model/component.ts'
import { removalGuards } from '../../engine/pass/release-guards.ts'
import { contactAll, withContact } from './host-keys.ts'
import { hostText } from './model/render.ts'
import { planSync } from './model/sync.ts'
import { type ProxyHost, sshTargetRecords, type SshTarget } from './records.ts'
import type { SshTargetService } from './service.ts'
import { changed } from './sync-names.ts'

/** Throws `component_unavailable` where no gateway is set up, and what the gateway does not take. */
export async function deploySshProxy(
  targets: SshTargetService,
  caller: Caller,
): Promise<DeploymentResult | PlannedAnswer> {
  if (!targets.is_set_up)
    throw new Failure(
      'component_unavailable',
      'No SSH gateway is set up: PLUMBLINE_SSH_PROXY_CONFIG is not set. Set it to the path of the file that ssh is to read, or to sftp://user@host:port/path.',
    )
  const now = await targets.store.of(sshTargetRecords).sshTargets()
  const ahead = planSync(now, null, { ...targets.wanted, at: targets.clock.now() }).rows.filter(isPresent)
  const earlier = new Map(ahead.map((row) => [row.id, row]))
  const contacts = caller.dry_run ? new Map() : await contactAll(ahead, targets.contact, caller.signal)
  const committed = await targets.commit(caller, async (tx, at) => {
    const rows_of = tx.of(sshTargetRecords)
    const before = await rows_of.sshTargets()
    const synced = planSync(before, null, { ...targets.wanted, at })
    const asked = synced.rows.map((row) => {
      const was = earlier.get(row.id)
      const is_same = was !== undefined && was.address === row.address && was.port === row.port
      return isPresent(row) && is_same && !caller.dry_run
        ? withContact(row, contacts.get(row.id), at)
        : { row, warning: null }
    })
    const rows = asked.map(({ row }) => row)
    const ids = new Set(rows.map(({ id }) => id))
    await rows_of.dropSshTargets(before.map(({ id }) => id).filter((id) => !ids.has(id)))
    await rows_of.saveSshTargets(changed(before, rows))
    const old = await rows_of.sshProxyHosts()
    const hosts = rows.filter(isPresent).map(hostOf).toSorted(byName)
    await rows_of.releaseSshProxyHosts(hosts)
    // Without what the first contact told: a plan, which contacts nobody, is confirmed by the same hash.
    const actions = movesBetween(old, synced.rows.filter(isPresent).map(hostOf))
    const message = `Released ${hosts.length} SSH targets.`
    await tx.addEvent({ at, kind: 'ssh_targets', message, facts: { actor: caller.actor.name } })
    const detail = { targets: hosts.length, changed: actions.length }
    return {
      result: null,
      ...ONLY_SAVES,
      audit: [{ ...OF_NO_RECORD, action: 'deploy_ssh_proxy', detail }],
      warnings: [
        ...takenOver(old, synced.rows.filter(isPresent)),
        ...asked.flatMap(({ warning }) => warning ?? []),
      ],
      actions,
      guards: removalGuards({
        removed: actions.filter(({ verb }) => verb === 'delete').length,
        before: old.length,
        after: hosts.length,
        what: 'SSH targets',
      }),
    }
  })
  if (committed.planned) return planned(committed.plan)
  targets.events.added()
  return brought(targets, committed.warnings, caller)
}

const isPresent = ({ state }: SshTarget): boolean => state === 'present'
const byName = (a: ProxyHost, b: ProxyHost): number => (a.name < b.name ? -1 : 1)
const hostOf = ({ name, address, port, user, host_key }: SshTarget): ProxyHost => ({
  name,
  address,
  port,
  user,
  host_key,
})

/**
 * The keys first: what is opened is guarded already. A gateway whose keys cannot be reached still gets its files, and what
 * keeps the keys from it is thrown in the end.
 */
async function brought(
  { deploy, keeps_keys }: SshTargetService,
  warnings: readonly string[],
  { progress }: Caller,
): Promise<DeploymentResult> {
  const message = 'Deployed the SSH gateway configuration.'
  const common = { message, domain_ids: [], head: null, direction: 'open', about: 'every', progress } as const
  let failure: Failure | null = null
  const keys = keeps_keys
    ? await deploy({ ...common, warnings: [], component: GATEWAY }).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
        failure = error
        return null
      })
    : null
  const files = await deploy({ ...common, warnings, component: SSH_PROXY })
  if (failure !== null) throw failure
  if (keys === null) return files
  return {
    ...files,
    success: files.success && keys.success,
    components: [...keys.components, ...files.components],
    unfinished: [...keys.unfinished, ...files.unfinished],
    warnings: [...new Set([...keys.warnings, ...files.warnings])],
  }
}

/** Names that lead to another machine from now on: it has another host key, or there is no telling. */
function takenOver(old: readonly ProxyHost[], rows: readonly SshTarget[]): readonly string[] {
  const before = new Map(old.map((host) => [host.name, host]))
  return rows.flatMap((row) => {
    const was = before.get(row.name)
    if (was === undefined) return []
    const is_moved = was.address !== row.address || was.port !== row.port
    const is_same_key = was.host_key !== null && was.host_key === row.host_key
    const is_replaced = was.host_key !== null && row.host_key !== null && row.key_origin !== 'setting'
    if (is_same_key || (!is_moved && !is_replaced)) return []
    const whose = row.vmid === null ? '' : `, VMID ${row.vmid} of ${row.cluster}`
    return [
      `${row.name} may lead to another machine from now on: ${hostText(row)}${whose}, instead of ${hostText(was)}. Look whether it is meant.`,
    ]
  })
}

function movesBetween(
  old: readonly ProxyHost[],
  hosts: readonly ProxyHost[],
): NonNullable<Change<unknown>['actions']> {
  const before = new Map(old.map((host) => [host.name, hostText(host)]))
  const after = new Map(hosts.map((host) => [host.name, hostText(host)]))
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [from = null, to = null] = [before.get(name), after.get(name)]
    if (from === to) return []
    const verb = from === null ? 'create' : to === null ? 'delete' : 'update'
    return [
      { component: SSH_PROXY, verb, item: `Host ${name}`, before: from, after: to, reason: 'release' },
    ] as const
  })
}
