/** The public half of an SSH key, as `ssh-keygen` writes it. */
import { parseKey } from '../../../model/ssh/public-key.ts'

/** `ssh-ed25519 AAAA… comment`, in one line; null for what is no public key, a private one above all. */
export function parseOpenSsh(text: string): string | null {
  const [line = '', ...rest] = text.trim().split('\n')
  const [type = '', key = '', ...comment] = line.trim().split(/\s+/)
  if (rest.length > 0 || !parseKey(type, key).ok) return null
  return [type, key, ...comment].join(' ').replaceAll(/[^\u0020-\u007e]/g, '')
}
