/**
 * Domain names in three forms: as written in a master file (RFC 1035 §5.1), on the wire (§3.1), and the normal form of
 * the model: lower case, no trailing dot, the root as `.`. A byte that would mean something to a reader of master files
 * stays escaped in the normal form, so that no two names share one text.
 */
import { RecordFault, shown } from './record-fault.ts'
import { unescaped } from './tokens.ts'

const MAX_LABEL = 63
const MAX_WIRE = 255
// Nearly every name there is; the rest takes the slow path.
const PLAIN = /^[A-Za-z0-9_*-]{1,63}(?:\.[A-Za-z0-9_*-]{1,63})*$/
const ESCAPED = new Set(Buffer.from('."\\();@$'))

/** The normal form of a written name. @param origin normal form of what a relative name is completed with. */
export function normalName(written: string, origin: string): string {
  if (written === '@') return origin
  const absolute = written.endsWith('.')
  const body = absolute ? written.slice(0, -1) : written
  if (PLAIN.test(body)) {
    const name = absolute ? body : under(body, origin)
    // One length octet for each dot, one for the first label, one for the root.
    if (name.length + 2 > MAX_WIRE) throw tooLong(written)
    return name.toLowerCase()
  }
  const { labels, closed } = split(written)
  const name = labels.length === 0 ? '.' : labels.map(labelText).join('.')
  const whole = closed ? name : under(name, origin)
  if (nameToWire(whole).length > MAX_WIRE) throw tooLong(written)
  return whole
}

const under = (name: string, origin: string): string => (origin === '.' ? name : `${name}.${origin}`)

/** Octets of a name in normal form, uncompressed and in lower case (RFC 4034 §6.2). */
export function nameToWire(name: string): Buffer {
  const { labels } = split(name === '.' ? '.' : `${name}.`)
  const wire = Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)])
  if (wire.length > MAX_WIRE) throw tooLong(name)
  return wire
}

/**
 * Reads a name at `offset`, compressed or not; `next` is the first octet after it. A pointer must lead backwards from
 * where the name (or the last jump) began, so no chain of them can loop.
 */
export function readName(message: Buffer, offset: number): { name: string; next: number } {
  const labels: string[] = []
  let at = offset
  let before = offset
  let next: number | null = null
  let length = 1
  for (;;) {
    const count = message[at]
    if (count === undefined) throw new RecordFault('ends inside a name')
    if (count === 0) break
    if (count >= 0xc0) {
      const low = message[at + 1]
      if (low === undefined) throw new RecordFault('ends inside a name')
      next ??= at + 2
      at = ((count & 0x3f) << 8) | low
      if (at >= before) throw new RecordFault('has a name whose compression does not lead backwards')
      before = at
      continue
    }
    if (count > MAX_LABEL || at + 1 + count > message.length)
      throw new RecordFault('has a label that is too long')
    length += count + 1
    if (length > MAX_WIRE) throw new RecordFault('has a name of more than 255 octets')
    labels.push(labelText(message.subarray(at + 1, at + 1 + count)))
    at += count + 1
  }
  return { name: labels.length === 0 ? '.' : labels.join('.'), next: next ?? at + 1 }
}

/** For a master file: absolute, with its closing dot. */
export const absoluteName = (name: string): string => (name === '.' ? '.' : `${name}.`)

/** For a master file, as people write it: `@`, relative to the origin where it lies below it, else absolute. */
export function relativeName(name: string, origin: string): string {
  if (name === origin) return '@'
  return origin !== '.' && isBelow(name, origin) ? name.slice(0, -origin.length - 1) : absoluteName(name)
}

/** True for the origin itself and what lies below it. A dot that is escaped divides nothing. */
export const isBelow = (name: string, origin: string): boolean =>
  name === origin ||
  origin === '.' ||
  (name.endsWith(`.${origin}`) &&
    (!name.includes('\\') || /(?<!\\)(?:\\\\)*$/.test(name.slice(0, -origin.length - 1))))

/** `closed`: the text ends with a dot of its own. */
function split(written: string): { labels: Buffer[]; closed: boolean } {
  if (written === '.') return { labels: [], closed: true }
  const pieces: string[] = ['']
  for (let at = 0; at < written.length; at++) {
    const char = written[at]!
    if (char === '.') pieces.push('')
    else if (char === '\\') pieces[pieces.length - 1] += char + (written[++at] ?? '')
    else pieces[pieces.length - 1] += char
  }
  const closed = pieces.at(-1) === ''
  if (closed) pieces.pop()
  const labels = pieces.map((piece) => unescaped(piece))
  if (labels.length === 0 || labels.some((label) => label.length === 0))
    throw new RecordFault(`has an empty label: ${shown(written)}`)
  if (labels.some((label) => label.length > MAX_LABEL))
    throw new RecordFault(`has a label of more than ${MAX_LABEL} octets: ${shown(written)}`)
  return { labels, closed }
}

function labelText(label: Buffer): string {
  let text = ''
  for (const byte of label) {
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
    if (ESCAPED.has(lower)) text += `\\${String.fromCharCode(lower)}`
    else if (lower > 0x20 && lower < 0x7f) text += String.fromCharCode(lower)
    else text += `\\${String(lower).padStart(3, '0')}`
  }
  return text
}

const tooLong = (name: string): RecordFault =>
  new RecordFault(`has a name of more than ${MAX_WIRE} octets: ${shown(name)}`)
