/** One line of an `authorized_keys` file: writing ours, and reading any the way sshd does (auth2-pubkeyfile.c). */
import type { SshClient } from '../../../model/ssh/client.ts'
import { blobOf, fieldsOf } from '../../../model/ssh/key-blob.ts'
import { optionWords } from '../../../model/ssh/options.ts'
import { fingerprintOf } from '../../../model/ssh/public-key.ts'

export interface KeyLine {
  /** The words before the key as they stand there; empty for none. */
  readonly options: string
  readonly type: string
  readonly key: string
  readonly fingerprint: string
  readonly comment: string
}

/** Without the newline. */
export const lineOf = ({ options, type, key, name }: SshClient): string =>
  `${optionWords(options).join(',')} ${type} ${key} ${name}`

/**
 * Null for a blank line, a comment, and for what sshd would pass over as well. To sshd a line ends at its first NUL. It
 * may refuse a key for what is inside; one that it takes is never missed.
 */
export function readLine(text: string): KeyLine | null {
  const [visible = ''] = text.split('\0', 1)
  const line = visible.replace(/^[ \t]+/, '')
  if (line === '' || line.startsWith('#')) return null
  const bare = readKey(line)
  if (bare !== null) return { options: '', ...bare }
  const end = endOfOptions(line)
  const found = readKey(line.slice(end).replace(/^[ \t]+/, ''))
  return found === null ? null : { options: line.slice(0, end), ...found }
}

/** The first blank outside of quotes. */
function endOfOptions(line: string): number {
  let quoted = false
  let at = 0
  for (; at < line.length && (quoted || (line[at] !== ' ' && line[at] !== '\t')); at++) {
    if (line[at] === '\\' && line[at + 1] === '"') at++
    else if (line[at] === '"') quoted = !quoted
  }
  return at
}

const KEY = /^([^ \t]+)[ \t]+([^ \t]+)(?:[ \t]+(.*))?$/s
/** sshd's base64 reader (b64_pton) passes over these wherever they stand. */
const PASSED_OVER = /[\r\f\v]/g

function readKey(text: string): Omit<KeyLine, 'options'> | null {
  const [, type, word, comment = ''] = KEY.exec(text) ?? []
  const key = word?.replaceAll(PASSED_OVER, '') ?? ''
  if (type === undefined || !/^[A-Za-z0-9+/]+=*$/.test(key)) return null
  const blob = Buffer.from(key, 'base64')
  const inner = blob.length >= 4 ? fieldsOf(blob.subarray(0, 4 + blob.readUInt32BE(0)))?.[0] : undefined
  if (inner?.toString('latin1') !== type) return null
  return { type, key, fingerprint: fingerprintOf(canonicalBlob(type, blob)), comment: comment.trimEnd() }
}

/** sshd reads the numbers of an RSA key with needless zeros, too, and then it is the same key as without them. */
function canonicalBlob(type: string, blob: Buffer): Buffer {
  const fields = type === 'ssh-rsa' ? fieldsOf(blob) : null
  if (fields === null) return blob
  const [name, ...numbers] = fields
  return blobOf([name!, ...numbers.map(withoutNeedlessZeros)])
}

function withoutNeedlessZeros(number: Buffer): Buffer {
  let start = 0
  while (start + 1 < number.length && number[start] === 0 && number[start + 1]! < 0x80) start++
  return number.subarray(start)
}
