/** The data of TXT records: any number of strings of up to 255 octets on the wire, one text in the model. */
import { RecordFault } from './record-fault.ts'

const LONGEST_STRING = 255
/** What the length field of a record's data can say. */
export const LONGEST_RDATA = 65_535

/** Strings with their lengths before them, as few as possible; one empty string for an empty text (RFC 1035 §3.3.14). */
export function textToWire(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (!text.isWellFormed()) throw new RecordFault('holds half a surrogate pair')
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += LONGEST_STRING)
    pieces.push(bytes.subarray(at, at + LONGEST_STRING))
  const wire = Buffer.concat(pieces.flatMap((piece) => [Buffer.of(piece.length), piece]))
  if (wire.length > LONGEST_RDATA) throw new RecordFault(`is longer than ${LONGEST_RDATA} octets`)
  return wire
}

/** The strings of a TXT record's data. */
export function stringsOf(wire: Buffer): Buffer[] {
  const strings: Buffer[] = []
  for (let at = 0; at < wire.length; at += wire[at]! + 1) {
    if (at + 1 + wire[at]! > wire.length) throw new RecordFault('ends inside a string')
    strings.push(wire.subarray(at + 1, at + 1 + wire[at]!))
  }
  if (strings.length === 0) throw new RecordFault('has no string')
  return strings
}

/**
 * The joined text. What is not UTF-8 is shown with its bytes above ASCII as `\DDD`: such a set was not made by us and is
 * only read.
 */
export function textOf(strings: readonly Buffer[]): string {
  const bytes = Buffer.concat(strings)
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  return [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\${byte}`)).join('')
}
