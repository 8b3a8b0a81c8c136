/** WireGuard keys: 32 bytes in base64, in the spellings that they have in paths, and the public half of a private one. */
import { createPrivateKey, createPublicKey } from 'node:crypto'

/** The last character carries four bits, and those of the 43rd that say nothing are zero: `wg` refuses all else. */
const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

export const isKey = (text: string): boolean => KEY.test(text)

/** What a device has that was never given a key. */
export const isAllZero = (key: string): boolean => /^A+=$/.test(key)

/** In base64url without padding: no character of it means anything in a path (RFC 4648 §5). */
export const urlSpelling = (key: string): string =>
  key.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** The key in any of its spellings, as `wg` writes it; null for what is none. */
export function keyFrom(spelling: string): string | null {
  const plain = spelling.replaceAll('-', '+').replaceAll('_', '/')
  const key = plain.length === 43 ? `${plain}=` : plain
  return isKey(key) ? key : null
}

/** What stands before the 32 bytes of an X25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** @param private_key one that `isKey` */
export function publicKeyOf(private_key: string): string {
  const bytes = Buffer.concat([PKCS8, Buffer.from(private_key, 'base64')])
  try {
    const key = createPublicKey(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }))
    return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
  } finally {
    bytes.fill(0)
  }
}
