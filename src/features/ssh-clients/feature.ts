/** From settings to the SSH gateway: its file, here or over SFTP, the target over it, and what operations know of both. */
import { authorizedKeysFile } from './files/authorized-keys.ts'
import { remoteAuthorizedKeys } from './sshd/authorized-keys.ts'
import { greeting } from '../../io/greeting/greeting.ts'
import { greetedGate, type ServerGate } from '../../io/ssh/server-gate.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { showPlace } from '../../config/kinds/sftp.ts'
import type { ssh } from './settings.ts'
import { Failure, fieldError } from '../../kernel/failure.ts'
import { PERMISSIONS, type Permission, type Permissions } from '../../model/ssh/options.ts'
import type { SshService } from './service.ts'
import { sshClientEndpoints } from './endpoints.ts'
import type { AuthorizedKeys } from './authorized-keys-port.ts'
import { gatewayState } from './target/gateway-state.ts'
import { gatewayTarget } from './target/target.ts'
import { sshClientRecords } from './records.ts'
import { withNewestLook } from './newest-look.ts'

type SshSettings = ValuesOf<typeof ssh>

/**
 * A file here is glanced at for one system call; a gateway elsewhere is logged in to, once for each look. Two looks fit into
 * the minute within which a key that came past us must be on the health page.
 */
const LOCAL_EVERY_MS = 1_000
const REMOTE_EVERY_MS = 30_000

const NAMES = {
  host_key: 'PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY',
  identity: 'PLUMBLINE_AUTHORIZED_KEYS_IDENTITY',
  passphrase: 'PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE',
}

/** Throws `bad_configuration` for a gateway over SFTP without a pinned host key or an identity. */
export function sshClientsFeature(settings: SshSettings, core: Core): Feature {
  const { store, clock, log, events, engine, commit, stamp } = core
  const { authorized_keys, client_options } = settings
  const gate = authorized_keys?.kind === 'sftp' ? greetedGate(authorized_keys, clock, greeting) : null
  const own = keysFile(settings, { store, log, gate })
  const { file, looks } = own === null ? { file: null, looks: null } : withNewestLook(own)
  const every_ms = authorized_keys?.kind === 'sftp' ? REMOTE_EVERY_MS : LOCAL_EVERY_MS
  const place = file?.place ?? ''
  const stateOf: SshService['stateOf'] = (seen, clients) => gatewayState(place, seen, clients)
  const names = Object.keys(PERMISSIONS) as Permission[]
  const allowed = names.map((name) => [name, client_options.includes(name)] as const)
  const defaults = Object.fromEntries(allowed) as unknown as Permissions
  return {
    name: 'ssh-clients',
    targets:
      file === null
        ? []
        : [gatewayTarget({ file, store: store.of(sshClientRecords), clock, every_ms, stamp })],
    endpoints: sshClientEndpoints({ file, looks, stateOf, defaults, store, events, engine, commit }),
    lifecycles: [{ close: async () => gate?.close() }],
  }
}

function keysFile(
  settings: SshSettings,
  { store, log, gate }: Pick<Core, 'store' | 'log'> & { readonly gate: ServerGate | null },
): AuthorizedKeys | null {
  const { authorized_keys: place, identity_file, identity_passphrase, host_keys } = settings
  if (place === null) return null
  if (place.kind === 'file') return authorizedKeysFile(place.path, { log })
  if (host_keys.length === 0)
    throw missing(
      'PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY',
      'ssh-keyscan HOST shows the host key; compare it on the host',
    )
  if (identity_file === null)
    throw missing('PLUMBLINE_AUTHORIZED_KEYS_IDENTITY', 'make one with ssh-keygen -t ed25519 -N ""')
  const { host, port, user, path } = place
  return remoteAuthorizedKeys({
    server: { host, port, user, identity_file, passphrase: identity_passphrase, host_keys, settings: NAMES },
    path,
    place: showPlace(place),
    installation_id: store.installation_id,
    ...gate!,
  })
}

function missing(name: string, remedy: string): Failure {
  const msg = `is needed for PLUMBLINE_AUTHORIZED_KEYS=sftp://…: ${remedy}`
  return new Failure('bad_configuration', `${name} ${msg}.`, { errors: [fieldError([name], msg, 'config')] })
}
