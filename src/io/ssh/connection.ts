/** One session with an SSH server whose key is known: opened, used and ended. Whatever goes wrong becomes a Failure. */
import { readFile } from 'node:fs/promises'
import type {
  AuthHandlerMiddleware,
  Client,
  ConnectConfig,
  ParsedKey,
  PublicKeyAuthMethod,
  SFTPWrapper,
} from 'ssh2'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Secret } from '../../kernel/secret.ts'
import { fingerprintOf } from '../../model/ssh/public-key.ts'
import { connectionFault } from './faults.ts'
import { algorithmsFor, typeIn } from './host-key.ts'

export interface SshServer extends Identity {
  readonly host: string
  readonly port: number
  readonly user: string
  /** Any one of them. */
  readonly host_keys: readonly HostKeyPin[]
  /** Takes the key of a server of which none is known, `type base64`. Without it such a server is refused. */
  readonly firstUse?: (key: string) => void
  /** How long it may take until we are in; 15 s unless said otherwise. */
  readonly ready_within_ms?: number
}

/** Where the words of a failure send the operator. */
export interface SshSettingNames {
  readonly host_key: string
  readonly identity: string
  /** Null where a key with a passphrase is not taken. */
  readonly passphrase: string | null
  /** A sentence: what makes the server take the key. Left out: its public half there. */
  readonly let_in?: string
}

const READY_WITHIN_MS = 15_000

/** Throws `component_unavailable`, `provider_credentials`, or what `use` throws. */
export async function withSsh<T>(
  server: SshServer,
  use: (client: Client) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  const identity = await identityOf(server)
  // Loaded on first use: who has no such server does not pay for it.
  const { default: ssh2 } = await import('ssh2')
  const client = new ssh2.Client()
  const broken = Promise.withResolvers<never>()
  // Unheard once the work is done.
  broken.promise.catch(() => undefined)
  const abort = () => broken.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const session = open(client, { server, identity, broken })
    return await Promise.race([session.then(() => use(client)), broken.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    client.end()
    client.destroy()
  }
}

/** As `withSsh`, with the files of the server. */
export const withSftp = <T>(
  server: SshServer,
  use: (sftp: SFTPWrapper) => Promise<T>,
  signal: AbortSignal,
): Promise<T> => withSsh(server, async (client) => use(await sftpOf(client, server)), signal)

function sftpOf(client: Client, server: SshServer): Promise<SFTPWrapper> {
  const opened = Promise.withResolvers<SFTPWrapper>()
  client.sftp((error, sftp) =>
    error === undefined
      ? opened.resolve(sftp)
      : opened.reject(connectionFault(error, { ...server, presented: null })),
  )
  return opened.promise
}

interface Opening {
  readonly server: SshServer
  readonly identity: ParsedKey
  readonly broken: PromiseWithResolvers<never>
}

function open(client: Client, { server, identity, broken }: Opening): Promise<void> {
  let presented: string | null = null
  const opened = Promise.withResolvers<void>()
  opened.promise.catch(() => undefined)
  const fail = (error: unknown) => broken.reject(connectionFault(error, { ...server, presented }))
  client.on('error', fail)
  client.on('close', () => fail(new Error('the connection was closed')))
  client.on('ready', () => opened.resolve())
  const config = configOf(server, identity, (fingerprint) => (presented = fingerprint))
  try {
    client.connect(config)
  } catch (error) {
    fail(error)
  }
  return opened.promise
}

/** @param refused gets the fingerprint of the host key that was shown and not taken */
const configOf = (
  server: SshServer,
  identity: ParsedKey,
  refused: (fingerprint: string) => void,
): ConnectConfig => ({
  host: server.host,
  port: server.port,
  username: server.user,
  authHandler: onlyWith({ type: 'publickey', username: server.user, key: identity }),
  readyTimeout: server.ready_within_ms ?? READY_WITHIN_MS,
  // There is no check at all without this one.
  hostVerifier: (key: Buffer) => isAccepted(key, server, refused),
  ...algorithms(server.host_keys),
})

function isAccepted(key: Buffer, server: SshServer, refused: (fingerprint: string) => void): boolean {
  if (isPinned(key, server.host_keys)) return true
  if (server.host_keys.length === 0 && server.firstUse !== undefined) {
    server.firstUse(`${typeIn(key)} ${key.toString('base64')}`)
    return true
  }
  refused(fingerprintOf(key))
  return false
}

/** One try with one key: nothing else is offered to a server. */
function onlyWith(method: PublicKeyAuthMethod): AuthHandlerMiddleware {
  let tried = false
  return (_left, _partial, next) => {
    if (tried) return next(false as never)
    tried = true
    next(method)
  }
}

/** A server has several keys and shows one: the one that is pinned is asked for, where its type is known. */
function algorithms(pins: readonly HostKeyPin[]): Pick<ConnectConfig, 'algorithms'> {
  const types = pins.flatMap(({ type }) => type ?? [])
  const is_known = types.length > 0 && types.length === pins.length
  return is_known ? { algorithms: { serverHostKey: algorithmsFor(types) } } : {}
}

// Host keys that a server is known by: the whole key, or its SHA-256 fingerprint as `ssh-keygen -l` shows it.

export interface HostKeyPin {
  /** Null where only the fingerprint is known. */
  readonly type: string | null
  /** `SHA256:…` */
  readonly fingerprint: string
}

const isPinned = (key: Uint8Array, pins: readonly HostKeyPin[]): boolean =>
  pins.some(({ fingerprint }) => fingerprint === fingerprintOf(key))

// The private key with which we log in: read anew for each session, because it may be replaced while we run, and unlocked
// once for each content. A passphrase costs a third of a second of computing (bcrypt_pbkdf), which no look may cost.

interface Identity {
  readonly identity_file: string
  /** Null for a key without one. */
  readonly passphrase: Secret | null
  readonly settings: SshSettingNames
}

/** By path; as many as there are gateways. */
const unlocked = new Map<string, { readonly digest: string; readonly key: ParsedKey }>()

/** Throws `provider_credentials`, without a word of the key or of its passphrase. */
async function identityOf({ identity_file, passphrase, settings }: Identity): Promise<ParsedKey> {
  const bytes = await readKey(identity_file, settings)
  const digest = sha256([bytes, '\n', passphrase?.reveal() ?? ''])
  const known = unlocked.get(identity_file)
  if (known?.digest === digest) return known.key
  // Loaded on first use: who has no such server does not pay for it.
  const { default: ssh2 } = await import('ssh2')
  const parsed = ssh2.utils.parseKey(bytes, passphrase?.reveal())
  // A file may hold several; the first one counts, as in OpenSSH.
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (key === undefined || key instanceof Error)
    throw unusable(identity_file, key?.message ?? '', { passphrase, settings })
  unlocked.set(identity_file, { digest, key })
  return key
}

async function readKey(path: string, { identity }: SshSettingNames): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new Failure(
      'provider_credentials',
      `ssh: the private key ${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}). ` +
        `Check ${identity}.`,
      { cause },
    )
  }
}

function unusable(
  path: string,
  said: string,
  { passphrase, settings }: Pick<Identity, 'passphrase' | 'settings'>,
): Failure {
  const locked = /no passphrase given/i.test(said)
  const mistaken = passphrase !== null && /passphrase/i.test(said)
  const remedy =
    settings.passphrase === null ? ': take one without' : `, and ${settings.passphrase} is not set`
  const fault = locked
    ? `has a passphrase${remedy}`
    : mistaken
      ? `is not opened by ${settings.passphrase}`
      : 'does not parse: it must be a private key in the form of OpenSSH or PEM'
  return new Failure('provider_credentials', `ssh: the private key ${path} ${fault}.`)
}
