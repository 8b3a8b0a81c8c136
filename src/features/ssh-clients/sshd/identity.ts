/**
 * The private key with which we log in: read anew for each session, because it may be replaced while we run, and unlocked
 * once for each content. A passphrase costs a third of a second of computing (bcrypt_pbkdf), which no look may cost.
 */
import { readFile } from 'node:fs/promises'
import type { ParsedKey } from 'ssh2'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'

export interface Identity {
  readonly identity_file: string
  /** Null for a key without one. */
  readonly passphrase: Secret | null
}

/** By path; as many as there are gateways. */
const unlocked = new Map<string, { readonly digest: string; readonly key: ParsedKey }>()

/** Throws `provider_credentials`, without a word of the key or of its passphrase. */
export async function identityOf({ identity_file, passphrase }: Identity): Promise<ParsedKey> {
  const bytes = await readKey(identity_file)
  const digest = sha256([bytes, '\n', passphrase?.reveal() ?? ''])
  const known = unlocked.get(identity_file)
  if (known?.digest === digest) return known.key
  // Loaded on first use: who has no such gateway does not pay for it.
  const { default: ssh2 } = await import('ssh2')
  const parsed = ssh2.utils.parseKey(bytes, passphrase?.reveal())
  // A file may hold several; the first one counts, as in OpenSSH.
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (key === undefined || key instanceof Error) throw unusable(identity_file, key?.message ?? '', passphrase)
  unlocked.set(identity_file, { digest, key })
  return key
}

async function readKey(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new Failure(
      'provider_credentials',
      `ssh: the private key ${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}). ` +
        'Check PLUMBLINE_AUTHORIZED_KEYS_IDENTITY.',
      { cause },
    )
  }
}

function unusable(path: string, said: string, passphrase: Secret | null): Failure {
  const locked = /no passphrase given/i.test(said)
  const mistaken = passphrase !== null && /passphrase/i.test(said)
  const fault = locked
    ? 'has a passphrase, and PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE is not set'
    : mistaken
      ? 'is not opened by PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE'
      : 'does not parse: it must be a private key in the form of OpenSSH or PEM'
  return new Failure('provider_credentials', `ssh: the private key ${path} ${fault}.`)
}
