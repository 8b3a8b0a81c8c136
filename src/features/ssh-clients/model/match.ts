/**
 * Which client a caller means by a part of its key. A text that any key could contain must not delete one: too short, a
 * type's name, or the beginning that all keys of a type share. A whole key or fingerprint means exactly that key.
 */
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { KEY_TYPES } from '../../../model/ssh/key-blob.ts'
import { parsePublicKey } from '../../../model/ssh/public-key.ts'

/** The names that a body may have for a key, or a part of one. */
export type KeyField = 'public_key' | 'key'

const SHORTEST = 8
const LONGEST = 8192

/**
 * Throws `validation_failed`, `not_found`, and `conflict` with the candidates.
 * @param field under which it was sent
 */
export function clientMeant(
  clients: readonly SshClient[],
  key: string,
  field: KeyField = 'public_key',
): SshClient {
  const text = key.trim()
  const fault = faultOf(text)
  if (fault !== null) throw invalid([fieldError(['body', field], fault, 'ssh_key_part')])
  const found = matching(clients, text)
  const [one, another] = found
  if (one === undefined)
    throw new Failure(
      'not_found',
      'No client of ours has this in its key, name or fingerprint. Foreign keys are never touched.',
    )
  if (another === undefined) return one
  throw ambiguous(found)
}

function matching(clients: readonly SshClient[], text: string): readonly SshClient[] {
  const whole = parsePublicKey(text)
  return clients.filter((client) =>
    whole.ok
      ? client.fingerprint === whole.value.fingerprint
      : textOf(client).some((part) => part.includes(text)),
  )
}

const ambiguous = (found: readonly SshClient[]): Failure =>
  new Failure('conflict', `${found.length} clients match. Say the fingerprint of the one that is meant.`, {
    facts: { candidates: found.map(({ fingerprint, type, name }) => ({ fingerprint, type, name })) },
  })

const textOf = ({ type, key, name, fingerprint }: SshClient): readonly string[] => [
  `${type} ${key} ${name}`,
  fingerprint,
]

function faultOf(text: string): string | null {
  if (text.length > LONGEST) return `must be at most ${LONGEST} characters`
  if (text.length < SHORTEST)
    return `must be at least ${SHORTEST} characters of the key, its name or its fingerprint`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'must be one line'
  return SHARED.some((shared) => shared.includes(text))
    ? 'is what every key of its type has; say more of the key'
    : null
}

const lengthOf = (bytes: number): number[] => [0, 0, bytes >> 8, bytes & 0xff]
const named = (name: string): number[] => [...lengthOf(name.length), ...Buffer.from(name)]

/** What follows the type's name in every key of the type, up to the first byte that differs. */
const FOLLOWERS: Readonly<Record<string, readonly number[]>> = {
  'ssh-ed25519': lengthOf(32),
  'sk-ssh-ed25519@openssh.com': lengthOf(32),
  'ecdsa-sha2-nistp256': [...named('nistp256'), ...lengthOf(65), 4],
  'ecdsa-sha2-nistp384': [...named('nistp384'), ...lengthOf(97), 4],
  'ecdsa-sha2-nistp521': [...named('nistp521'), ...lengthOf(133), 4],
  'sk-ecdsa-sha2-nistp256@openssh.com': [...named('nistp256'), ...lengthOf(65), 4],
  // Nearly every RSA key has the exponent 65537.
  'ssh-rsa': [...lengthOf(3), 1, 0, 1, 0, 0],
}

/** By type: its name and the base64 that begins each of its keys. A character is shared when all of its six bits are. */
const SHARED: readonly string[] = KEY_TYPES.map((type) => {
  const head = [...named(type), ...(FOLLOWERS[type] ?? [])]
  const ending = (byte: number): string => Buffer.from([...head, byte, byte, byte]).toString('base64')
  const [low, high] = [ending(0), ending(0xff)]
  let shared = 0
  while (low[shared] === high[shared]) shared++
  return `${type} ${low.slice(0, shared)}`
})
