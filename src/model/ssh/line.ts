/** One line of an `authorized_keys` file: writing ours, and reading any the way sshd does (auth2-pubkeyfile.c). */
import type { SshClient } from './client.ts'
import { fieldsOf } from './key-blob.ts'
import { optionWords } from './options.ts'
import { fingerprintOf } from './public-key.ts'

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

/** Null for a blank line, a comment, and for what sshd would pass over as well. A `\r` at the end belongs to the comment. */
export function readLine(text: string): KeyLine | null {
  const line = text.replace(/^[ \t]+/, '')
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

const KEY = /^([^ \t]+)[ \t]+([A-Za-z0-9+/=]+)(?:[ \t]+(.*)|\r?)$/s

function readKey(text: string): Omit<KeyLine, 'options'> | null {
  const [, type, key, comment = ''] = KEY.exec(text) ?? []
  if (type === undefined || key === undefined) return null
  const blob = Buffer.from(key, 'base64')
  const inner = blob.length >= 4 ? fieldsOf(blob.subarray(0, 4 + blob.readUInt32BE(0)))?.[0] : undefined
  if (inner?.toString('latin1') !== type) return null
  return { type, key, fingerprint: fingerprintOf(blob), comment: comment.replace(/\s+$/, '') }
}
