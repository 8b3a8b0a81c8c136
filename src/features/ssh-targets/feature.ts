/** From settings to the files of the SSH gateway, the targets of the engine over them, and what operations know of both. */
import { fieldError, Failure } from '../../kernel/failure.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Deploy } from '../../core/deploy.ts'
import type { Feature } from '../../feature/feature.ts'
import { sha256 } from '../../kernel/digest.ts'
import { type FilePlace, showPlace } from '../../config/kinds/sftp.ts'
import { greeting } from '../../io/greeting/greeting.ts'
import { greetedGate, type ServerGate } from '../../io/ssh/server-gate.ts'
import { remoteFile } from '../../io/ssh/remote-file.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { SSH_PROXY } from '../../model/component.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { sshTargetEndpoints } from './endpoints.ts'
import { hostKeysCheck, targetFindings } from './checks.ts'
import { seenGuests } from './guests.ts'
import { knownHosts, sshConfig } from './model/render.ts'
import { keyWatch } from './key-watch.ts'
import { lastContacts } from './last-contacts.ts'
import { lostTargets, targetNames } from './read.ts'
import { type ProxyHost, sshTargetRecords } from './records.ts'
import type { SshTargetService } from './service.ts'
import { PROXY_NAMES, type ssh_targets } from './settings.ts'
import { contactHost } from './sshd/contact.ts'
import {
  PROXY_FILE_MODE,
  type ProxyFile,
  type ProxyFileParts,
  proxyFileTarget,
  type ProxyTarget,
} from './target/target.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** A file here is glanced at for one system call; one elsewhere costs a login. */
const LOCAL_EVERY_MS = 1_000
const REMOTE_EVERY_MS = 30_000

interface GatewaySettings {
  readonly ssh_targets: ValuesOf<typeof ssh_targets>
  /** Of its `authorized_keys`, which another feature keeps. */
  readonly ssh: { readonly authorized_keys: unknown }
}

/** Throws `bad_configuration` where both files are one, are not on one machine, or that machine's keys are not said. */
export function sshTargetsFeature(
  { ssh_targets: settings, ssh }: GatewaySettings,
  core: Core,
  lab: DiscoveryService,
) {
  const { store, clock, events, commit, stamp } = core
  const { config, known_hosts, targets: listed, user } = settings
  const [config_place, known_place] = [config, known_hosts].map((one) => one && showPlace(one))
  if (config !== null && config_place === known_place) throw fault('must be another file than the other one')
  if (config !== null && known_hosts !== null && machineOf(config) !== machineOf(known_hosts))
    throw fault('must be on the same machine as PLUMBLINE_SSH_PROXY_CONFIG')
  const remote = [config, known_hosts].find((one) => one?.kind === 'sftp')
  const gate = remote?.kind === 'sftp' ? greetedGate(remote, clock, greeting) : null
  const kept = (
    place: FilePlace,
    key: string,
    render: (hosts: readonly ProxyHost[]) => string,
  ): ProxyTarget =>
    proxyFileTarget({
      key,
      render,
      ...proxyFile(place, { key, settings, core, gate }),
      store: store.of(sshTargetRecords),
      clock,
      stamp,
    })
  const contacts = lastContacts(contactHost, clock)
  const service: Omit<SshTargetService, 'deploy'> = {
    store,
    clock,
    events,
    commit,
    wanted: { listed, user },
    is_set_up: config !== null,
    keeps_keys: ssh.authorized_keys !== null,
    seen: () => seenGuests(lab),
    contact: contacts.contact,
    contacted_at: contacts.at,
  }
  const watch = keyWatch({ store, clock, log: core.log, contact: contacts.contact })
  const keys_path = known_hosts === null ? null : pathThere(known_hosts)
  // The keys first: a name that leads somewhere is checked there.
  const targets = [
    ...(known_hosts === null ? [] : [kept(known_hosts, `${SSH_PROXY}:known_hosts`, knownHosts)]),
    ...(config === null ? [] : [kept(config, SSH_PROXY, (hosts) => sshConfig(hosts, keys_path))]),
  ]
  return {
    name: 'ssh-targets',
    targets,
    findings: targetFindings(service),
    checks: [hostKeysCheck(service)],
    lifecycles: [...(config === null ? [] : [watch]), { close: async () => gate?.close() }],
    /** For the inventory, which answers them. */
    mounted: (deploy: Deploy) => ({
      endpoints: sshTargetEndpoints({ ...service, deploy }),
      listed,
      names: () => targetNames(store),
      are_listed: listed.length > 0,
      lost: () => lostTargets(service),
    }),
  } satisfies Feature & Record<string, unknown>
}

const machineOf = (place: FilePlace): string =>
  place.kind === 'file' ? '' : showPlace({ ...place, path: '/' })

/** As ssh on that machine finds it. */
const pathThere = ({ path }: FilePlace): string => (path.startsWith('/') ? path : `~/${path}`)

interface Surrounding {
  readonly key: string
  readonly settings: GatewaySettings['ssh_targets']
  readonly core: Core
  /** Of the machine elsewhere. */
  readonly gate: ServerGate | null
}

type Placed = Pick<ProxyFileParts, 'file' | 'every_ms' | 'reasonOf'>

function proxyFile(place: FilePlace, { key, settings, core, gate }: Surrounding): Placed {
  if (place.kind === 'file') {
    const options = { max_bytes: MAX_BYTES, access: WRITTEN_BY_OWNER, log: core.log }
    return { file: managedFile(place.path, options), every_ms: LOCAL_EVERY_MS }
  }
  const { host_keys, identity_file } = settings
  if (host_keys.length === 0)
    throw fault(
      'is needed for sftp://…: ssh-keyscan HOST shows it; compare it on the host',
      PROXY_NAMES.host_key,
    )
  if (identity_file === null)
    throw fault('is needed for sftp://…: make one with ssh-keygen -t ed25519 -N ""', PROXY_NAMES.identity)
  const { host, port, user, path } = place
  const remote = remoteFile({
    ...gate!,
    server: { host, port, user, identity_file, passphrase: null, host_keys, settings: PROXY_NAMES },
    path,
    place: showPlace(place),
    mark: sha256([core.store.installation_id, key]).slice(0, 16),
    max_bytes: MAX_BYTES,
    mode: PROXY_FILE_MODE,
    access: WRITTEN_BY_OWNER,
    tells_mode: true,
  })
  const file: ProxyFile = {
    ...remote,
    path: remote.place,
    replace: (chunks, { evidence, kept }, signal) =>
      remote.replace(Buffer.concat(chunks), { evidence, kept }, signal),
  }
  const reasonOf = ({ code }: Failure) => (code === 'provider_credentials' ? 'refused' : 'unreachable')
  return { file, every_ms: REMOTE_EVERY_MS, reasonOf }
}

function fault(msg: string, name = 'PLUMBLINE_SSH_PROXY_KNOWN_HOSTS'): Failure {
  return new Failure('bad_configuration', `${name} ${msg}.`, { errors: [fieldError([name], msg, 'config')] })
}
