/** What an error of the connection or of SFTP means for the operator: which failure it is, and what would help. */
import { Failure, systemErrorCode } from '../../kernel/failure.ts'

export interface Peer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly settings: { readonly host_key: string; readonly let_in?: string | undefined }
  readonly host_keys: readonly { readonly fingerprint: string }[]
  /** Fingerprint of the host key that was shown and not taken; null where none was refused. */
  readonly presented: string | null
}

/** A Failure for whatever keeps us from a session; failures and aborts pass unchanged. */
export function connectionFault(error: unknown, peer: Peer): unknown {
  if (error instanceof Failure || error instanceof DOMException) return error
  const { code, text } = reasonOf(error as SshError, peer)
  return new Failure(code, `ssh: ${peer.host}:${peer.port} ${text}`, { cause: error, inside: String(error) })
}

interface SshError {
  readonly level?: string
  readonly message: string
}

interface Reason {
  readonly code: 'component_unavailable' | 'provider_credentials'
  readonly text: string
}

const unavailable = (text: string): Reason => ({ code: 'component_unavailable', text })
const credentials = (text: string): Reason => ({ code: 'provider_credentials', text })

function reasonOf(error: SshError, { user, settings, host_keys, presented }: Peer): Reason {
  if (presented !== null)
    return credentials(
      `shows the host key ${presented}, and was known by ${knownBy(host_keys)}. Somebody may stand in between; if the ` +
        `server has a new key, put that into ${settings.host_key}.`,
    )
  const mismatch = algorithmMismatch(error.message)
  if (mismatch !== null) return mismatch
  if (error.level === 'client-authentication')
    return credentials(
      `does not let ${user} in with this key. ${settings.let_in ?? 'Add its public half there.'}`,
    )
  const code = systemErrorCode(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return unavailable('is no known host name.')
  return unavailable(`is not reached: ${code ?? error.message}.`)
}

/** Null where they have what they need in common. */
function algorithmMismatch(message: string): Reason | null {
  if (/no matching key exchange/i.test(message))
    return unavailable(
      'offers only key exchanges that this client does not have (such as mlkem768x25519-sha256 and ' +
        'sntrup761x25519-sha512). Let sshd also offer curve25519-sha256 (KexAlgorithms).',
    )
  if (/no matching host key format/i.test(message))
    return credentials('has no host key of the pinned type. Pin one that it has.')
  if (/no matching/i.test(message))
    return unavailable(`and this client have no algorithm in common: ${message}.`)
  return null
}

const knownBy = (host_keys: Peer['host_keys']): string =>
  host_keys.length === 0 ? 'none' : host_keys.map(({ fingerprint }) => fingerprint).join(' or ')

/** Status codes of SFTP version 3 (draft-ietf-secsh-filexfer-02 §7). */
export const STATUS = { eof: 1, no_such_file: 2, permission_denied: 3, failure: 4 } as const

export const statusOf = (error: unknown): number | null => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'number' ? code : null
}

/** @param operation what was tried with which path: `read /home/gate/.ssh/authorized_keys` */
export function sftpFault(error: unknown, operation: string): unknown {
  const status = statusOf(error)
  if (status === null) return error
  const details = { cause: error, inside: String(error) }
  return status === STATUS.permission_denied
    ? new Failure(
        'storage_unwritable',
        `ssh: the gateway does not let us ${operation}: permission denied.`,
        details,
      )
    : new Failure(
        'component_unavailable',
        `ssh: the gateway could not ${operation} (SFTP status ${status}: ${(error as Error).message}). ` +
          'See that its disk has space and the folder exists.',
        details,
      )
}
