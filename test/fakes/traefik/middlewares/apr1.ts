/** Apache's MD5 password hash, as `htpasswd -m` and `openssl passwd -apr1` write it. */
import { createHash } from 'node:crypto'

const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const md5 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function apr1(password: string, salt: string): string {
  const length = Buffer.byteLength(password)
  const bytes = Buffer.from(password)
  const inner = md5(password, salt, password)
  const repeated = Buffer.alloc(length)
  for (let i = 0; i < length; i++) repeated[i] = inner[i % 16]!
  const bits: Uint8Array[] = []
  for (let left = length; left > 0; left >>= 1)
    bits.push((left & 1) === 1 ? Buffer.from([0]) : bytes.subarray(0, 1))
  let digest = md5(password, '$apr1$', salt, repeated, ...bits)
  for (let round = 0; round < 1000; round++)
    digest = md5(
      round % 2 === 1 ? password : digest,
      round % 3 === 0 ? '' : salt,
      round % 7 === 0 ? '' : password,
      round % 2 === 1 ? digest : password,
    )
  return `$apr1$${salt}$${encoded(digest)}`
}

const GROUPS = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const

function encoded(digest: Buffer): string {
  const triples = GROUPS.map(([a, b, c]) => digits((digest[a]! << 16) | (digest[b]! << 8) | digest[c]!, 4))
  return triples.join('') + digits(digest[11]!, 2)
}

const digits = (value: number, count: number): string =>
  Array.from({ length: count }, (_, i) => DIGITS[(value >> (6 * i)) & 63]).join('')
