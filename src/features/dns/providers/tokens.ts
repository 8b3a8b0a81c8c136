/**
 * Words of a master file, and the bytes they stand for (RFC 1035 §5.1: `\X`, `\DDD`, quotes). A word is held as one
 * character per byte (Latin-1), escapes and all, so nothing in it is lost or altered.
 */
import { RecordFault, shown } from './record-fault.ts'

export interface Token {
  /** Without the quotes around it, escapes left in. */
  readonly text: string
  readonly quoted: boolean
}

const WORD = /[ \t]*(?:"((?:[^"\\]|\\[^])*)"|((?:[^\s"\\]|\\[^])+))(?=[ \t]|$)/y

/** The words of a value in normal form. */
export function tokensOf(value: string): Token[] {
  const text = Buffer.from(value.trim()).toString('latin1')
  const tokens: Token[] = []
  WORD.lastIndex = 0
  while (WORD.lastIndex < text.length) {
    const match = WORD.exec(text)
    if (match === null) throw new RecordFault(`is no list of words: ${shown(value)}`)
    tokens.push({ text: match[1] ?? match[2]!, quoted: match[1] !== undefined })
  }
  return tokens
}

/** The bytes of a word. Characters above Latin-1 never come from a file; they are refused. */
export function unescaped(text: string): Buffer {
  if (!text.includes('\\')) return latin1(text)
  const whole = text.replaceAll(/\\(\d{3}|[^\d]|.)/gs, (all, body: string) => {
    if (body.length === 1 && !/\d/.test(body)) return body
    const code = Number(body)
    if (body.length !== 3 || code > 255) throw new RecordFault(`has a bad escape: ${shown(all)}`)
    return String.fromCharCode(code)
  })
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) throw new RecordFault(`ends inside an escape: ${shown(text)}`)
  return latin1(whole)
}

function latin1(text: string): Buffer {
  if (/[\u0100-\uffff]/.test(text))
    throw new RecordFault(`has a character that must be escaped: ${shown(text)}`)
  return Buffer.from(text, 'latin1')
}

/** One character-string in quotes, readable where it is printable ASCII. */
export function quoted(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte)
    else text += `\\${String(byte).padStart(3, '0')}`
  }
  return `"${text}"`
}
