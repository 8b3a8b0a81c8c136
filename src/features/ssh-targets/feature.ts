/** From settings to the files of the SSH gateway, the targets of the engine over them, and what operations know of both. */
import { fieldError, Failure } from '../../kernel/failure.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Deploy } from '../../core/deploy.ts'
import type { Feature } from '../../core/feature.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { SSH_PROXY } from '../../model/component.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { sshTargetEndpoints } from './endpoints.ts'
import { targetFindings } from './findings.ts'
import { seenGuests } from './guests.ts'
import { knownHosts, sshConfig } from './model/render.ts'
import { lostTargets, targetNames } from './read.ts'
import { type ProxyHost, sshTargetRecords } from './records.ts'
import type { SshTargetService } from './service.ts'
import type { ssh_targets } from './settings.ts'
import { contactHost } from './sshd/contact.ts'
import { proxyFileTarget, type ProxyTarget } from './target/target.ts'

const MAX_BYTES = 8 * 1024 * 1024

interface GatewaySettings {
  readonly ssh_targets: ValuesOf<typeof ssh_targets>
  /** Of its `authorized_keys`, which another feature keeps. */
  readonly ssh: { readonly authorized_keys: unknown }
}

/** Throws `bad_configuration` where both files are one. */
export function sshTargetsFeature(
  { ssh_targets: settings, ssh }: GatewaySettings,
  core: Core,
  lab: DiscoveryService,
) {
  const { store, clock, log, events, commit, stamp } = core
  const { config, known_hosts, targets: listed, user } = settings
  if (config !== null && config === known_hosts) throw oneFile()
  const kept = (path: string, key: string, render: (hosts: readonly ProxyHost[]) => string): ProxyTarget =>
    proxyFileTarget({
      key,
      render,
      file: managedFile(path, { max_bytes: MAX_BYTES, access: WRITTEN_BY_OWNER, log }),
      store: store.of(sshTargetRecords),
      clock,
      stamp,
    })
  const service: Omit<SshTargetService, 'deploy'> = {
    store,
    clock,
    events,
    commit,
    wanted: { listed, user },
    config,
    known_hosts,
    keeps_keys: ssh.authorized_keys !== null,
    seen: () => seenGuests(lab),
    contact: contactHost,
  }
  // The keys first: a name that leads somewhere is checked there.
  const targets = [
    ...(known_hosts === null ? [] : [kept(known_hosts, `${SSH_PROXY}:known_hosts`, knownHosts)]),
    ...(config === null ? [] : [kept(config, SSH_PROXY, (hosts) => sshConfig(hosts, known_hosts))]),
  ]
  return {
    name: 'ssh-targets',
    targets,
    findings: targetFindings(service),
    /** For the inventory, which answers them. */
    mounted: (deploy: Deploy) => ({
      endpoints: sshTargetEndpoints({ ...service, deploy }),
      names: () => targetNames(store),
      are_listed: listed.length > 0,
      lost: () => lostTargets(service),
    }),
  } satisfies Feature & Record<string, unknown>
}

function oneFile(): Failure {
  const name = 'PLUMBLINE_SSH_PROXY_KNOWN_HOSTS'
  const msg = 'must be another file than PLUMBLINE_SSH_PROXY_CONFIG'
  return new Failure('bad_configuration', `${name} ${msg}.`, { errors: [fieldError([name], msg, 'config')] })
}
