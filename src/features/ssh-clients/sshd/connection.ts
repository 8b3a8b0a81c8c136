/** One SFTP session with a server whose key is pinned: opened, used and ended. Whatever goes wrong becomes a Failure. */
import type {
  AuthHandlerMiddleware,
  Client,
  ConnectConfig,
  ParsedKey,
  PublicKeyAuthMethod,
  ServerHostKeyAlgorithm,
  SFTPWrapper,
} from 'ssh2'
import { connectionFault } from './faults.ts'
import { type Identity, identityOf } from './identity.ts'
import { fingerprintOf, type HostKeyPin, isPinned } from './pins.ts'

export interface SshServer extends Identity {
  readonly host: string
  readonly port: number
  readonly user: string
  /** Any one of them; never empty. */
  readonly host_keys: readonly HostKeyPin[]
}

const READY_WITHIN_MS = 15_000

/** Throws `component_unavailable`, `provider_credentials`, or what `use` throws. */
export async function withSftp<T>(
  server: SshServer,
  use: (sftp: SFTPWrapper) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  const identity = await identityOf(server)
  // Loaded on first use: who has no such gateway does not pay for it.
  const { default: ssh2 } = await import('ssh2')
  const client = new ssh2.Client()
  const broken = Promise.withResolvers<never>()
  // Unheard once the work is done.
  broken.promise.catch(() => undefined)
  const abort = () => broken.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const session = open(client, { server, identity, broken })
    return await Promise.race([session.then(use), broken.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    client.end()
    client.destroy()
  }
}

interface Opening {
  readonly server: SshServer
  readonly identity: ParsedKey
  readonly broken: PromiseWithResolvers<never>
}

function open(client: Client, { server, identity, broken }: Opening): Promise<SFTPWrapper> {
  let presented: string | null = null
  const opened = Promise.withResolvers<SFTPWrapper>()
  opened.promise.catch(() => undefined)
  const fail = (error: unknown) => broken.reject(connectionFault(error, { ...server, presented }))
  client.on('error', fail)
  client.on('close', () => fail(new Error('the connection was closed')))
  client.on('ready', () =>
    client.sftp((error, sftp) => (error === undefined ? opened.resolve(sftp) : fail(error))),
  )
  const config: ConnectConfig = {
    host: server.host,
    port: server.port,
    username: server.user,
    authHandler: onlyWith({ type: 'publickey', username: server.user, key: identity }),
    readyTimeout: READY_WITHIN_MS,
    // There is no check at all without this one.
    hostVerifier: (key: Buffer) => {
      if (isPinned(key, server.host_keys)) return true
      presented = fingerprintOf(key)
      return false
    },
    ...algorithms(server.host_keys),
  }
  try {
    client.connect(config)
  } catch (error) {
    fail(error)
  }
  return opened.promise
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
  const types = pins.map(({ type }) => type)
  if (types.includes(null)) return {}
  const serverHostKey = [...new Set(types)].flatMap((type) =>
    type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type!],
  )
  return { algorithms: { serverHostKey: serverHostKey as ServerHostKeyAlgorithm[] } }
}
