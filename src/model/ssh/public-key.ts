/** An SSH public key as people hand it over: one line `type base64 comment`, of which nothing is kept that was not understood. */
import { createHash } from 'node:crypto'
import { accept, type Parsed, refuse } from '../text/result.ts'
import type { TextForm } from '../text/form.ts'
import { checkBlob, KEY_TYPES } from './key-blob.ts'

export interface SshPublicKey {
  readonly type: string
  /** The blob in base64 with padding: the one spelling there is (RFC 4648 §4). */
  readonly key: string
  readonly bits: number
  /** `SHA256:` and the digest of the blob, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string
}

/** An RSA key of 16,384 bits has 2,800 characters. */
const MAX_CHARACTERS = 8000
export const MAX_NAME = 64

export interface HandedKey extends SshPublicKey {
  /** Reduced to characters that mean nothing to anybody. */
  readonly comment: string
}

/** A line of a `.pub` file, with or without its newline. Options before the key are refused: they would be somebody else's. */
export function parsePublicKey(text: string): Parsed<HandedKey> {
  if (text.length > MAX_CHARACTERS) return refuse('ssh_key', `must be at most ${MAX_CHARACTERS} characters`)
  if (text.includes('PRIVATE KEY-----'))
    return refuse(
      'ssh_key',
      'is a private key, which must never leave its owner; send the line of the .pub file',
    )
  const line = text.replace(/^[ \t]+/, '').replace(/[ \t]*(?:\r?\n)?$/, '')
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(line))
    return refuse(
      'ssh_key',
      'must be one line of type, key and comment, parted by blanks, without control characters',
    )
  const [type = '', key = '', ...comment] = line.split(' ')
  if (!KEY_TYPES.includes(type)) return refuse('ssh_key', typeFault(type))
  const parsed = parseKey(type, key)
  return parsed.ok ? accept({ ...parsed.value, comment: safeName(comment.join(' ')) }) : parsed
}

function typeFault(type: string): string {
  if (/-cert-v\d/.test(type)) return 'is a certificate; give the key itself'
  if (type === 'ssh-dss')
    return 'is a DSA key, which sshd no longer takes; make one with "ssh-keygen -t ed25519"'
  return `must begin with its type, one of ${KEY_TYPES.join(', ')}; options are given in the field options`
}

export function parseKey(type: string, key: string): Parsed<SshPublicKey> {
  const blob = Buffer.from(key, 'base64')
  if (key === '' || blob.toString('base64') !== key)
    return refuse('ssh_key', 'is damaged: after the type, base64 with its padding must follow')
  const bits = checkBlob(type, blob)
  return bits.ok ? accept({ type, key, bits: bits.value, fingerprint: fingerprintOf(blob) }) : bits
}

export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** NIST SP 800-57 part 1: what is made today is to last beyond 2030. */
const MIN_NEW_RSA_BITS = 3072

/** Why a key is too weak to be let in anew, with what helps; null for one that is not. One that is in already stays. */
export const weaknessOf = ({ type, bits }: Pick<SshPublicKey, 'type' | 'bits'>): string | null =>
  type === 'ssh-rsa' && bits < MIN_NEW_RSA_BITS
    ? `has ${bits} bits, and a new RSA key must have at least ${MIN_NEW_RSA_BITS}; make one with "ssh-keygen -t ed25519"`
    : null

/** Anything that is no plain letter, digit or one of `@._-` becomes a hyphen; empty for nothing. */
export const safeName = (text: string): string =>
  text
    .slice(0, 1024)
    .replaceAll(/[^A-Za-z0-9@._-]+/g, '-')
    .replaceAll(/-+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-|-$/g, '')

export const SAFE_NAME = /^[A-Za-z0-9@._-]{1,64}$/
export const isSafeName = (text: string): boolean => SAFE_NAME.test(text)

/** A key of Ed25519 whole; of the others the beginning, behind which numbers follow that have to fit each other. */
export const PUBLIC_KEY_FORM: TextForm = {
  pattern: `^(?:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42}|(?:${KEY_TYPES.filter(
    (type) => type !== 'ssh-ed25519',
  )
    .join('|')
    .replaceAll('.', '\\.')}) AAAA[A-Za-z0-9+/]{40,7900}={0,2})(?: [!-~]{1,64})?$`,
  maxLength: MAX_CHARACTERS,
}

/** What only one client has, or the whole line of it: neither the name of a type nor what all keys of a type begin with. */
export const KEY_PART_FORM: TextForm = {
  pattern: '^[!-~][ -~]{6,8190}[!-~]$',
  minLength: 8,
  maxLength: 8192,
}
