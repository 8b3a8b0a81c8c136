/**
 * The data of records in three forms: words of a master file, octets on the wire, and the values of the model. One table
 * of fields per type, so the forms cannot drift apart. Types without a row are kept as octets (RFC 3597 §5).
 */
import {
  algorithm,
  base64,
  duration,
  type FieldKind,
  hex,
  ipv4,
  ipv6,
  name,
  type Octets,
  string,
  strings,
  tag,
  text,
  u16,
  u32,
  u8,
} from './rdata-fields.ts'
import { RecordFault, shown } from './record-fault.ts'
import { type Token, tokensOf } from './tokens.ts'

const FIELDS: Readonly<Record<string, readonly FieldKind[]>> = {
  A: [ipv4],
  AAAA: [ipv6],
  AFSDB: [u16, name],
  CAA: [u8, tag, text],
  CDS: [u16, algorithm, u8, hex],
  CNAME: [name],
  DNAME: [name],
  DS: [u16, algorithm, u8, hex],
  HINFO: [string, string],
  KX: [u16, name],
  MX: [u16, name],
  NAPTR: [u16, u16, string, string, string, name],
  NS: [name],
  OPENPGPKEY: [base64],
  PTR: [name],
  RP: [name, name],
  SMIMEA: [u8, u8, u8, hex],
  SOA: [name, name, u32, duration, duration, duration, duration],
  SPF: [strings],
  SRV: [u16, u16, u16, name],
  SSHFP: [u8, u8, hex],
  TLSA: [u8, u8, u8, hex],
  TXT: [strings],
  URI: [u16, u16, text],
}
const JOINED = ['TXT', 'SPF']

export const hasGrammar = (type: string): boolean => Object.hasOwn(FIELDS, type)

/** From words. A type without a grammar is taken in generic form only. Throws RecordFault. */
export function dataFromWords(type: string, words: readonly Token[], origin: string): Buffer {
  if (words[0]?.text === '\\#' && !words[0].quoted) return checked(type, genericData(words.slice(1)))
  const fields = FIELDS[type]
  if (fields === undefined)
    throw new RecordFault(
      `is of type ${type}, which is taken only in generic form (\\# length hex, RFC 3597)`,
    )
  const rest = { tokens: [...words], origin }
  const wire = Buffer.concat(fields.map((field) => field.parse(rest)))
  if (rest.tokens.length > 0) throw new RecordFault(`has more than its data: ${shown(rest.tokens[0]!.text)}`)
  if (wire.length > MAX_RDATA) throw new RecordFault(`is longer than ${MAX_RDATA} octets`)
  return wire
}

/** From a value of the model. Throws RecordFault. */
export function dataFromValue(type: string, value: string): Buffer {
  return JOINED.includes(type) ? textToWire(value) : dataFromWords(type, tokensOf(value), '.')
}

/** The value in normal form of data that stands in a message or alone. Throws RecordFault for data that is not whole. */
export function valueOfData(type: string, octets: Octets): string {
  const { message, at, end } = octets
  if (JOINED.includes(type)) return textOf(stringsOf(message.subarray(at, end)))
  return wordsOfData(type, octets, 'value')
}

/** For a master file. */
export const fileWords = (type: string, data: Buffer): string =>
  wordsOfData(type, { message: data, at: 0, end: data.length }, 'file')

export const valueOf = (type: string, data: Buffer): string =>
  valueOfData(type, { message: data, at: 0, end: data.length })

function wordsOfData(type: string, octets: Octets, form: 'value' | 'file'): string {
  const fields = FIELDS[type]
  if (fields === undefined) {
    const data = octets.message.subarray(octets.at, octets.end)
    return `\\# ${data.length} ${data.toString('hex')}`.trimEnd()
  }
  const words = fields.map((field) => field.show(octets, form))
  if (octets.at !== octets.end) throw new RecordFault(`has more data than a ${type} record holds`)
  return words.join(' ')
}

function genericData(words: readonly Token[]): Buffer {
  const [length, ...pieces] = words.map((word) => word.text)
  const joined = pieces.join('')
  if (length === undefined || !/^\d{1,5}$/.test(length) || !/^(?:[0-9a-f]{2})*$/i.test(joined))
    throw new RecordFault('is not in generic form: \\#, the length, then that many octets in hexadecimal')
  if (joined.length !== Number(length) * 2)
    throw new RecordFault(`says that it has ${length} octets and has ${joined.length / 2}`)
  return Buffer.from(joined, 'hex')
}

/** A known type may be written in generic form, too; its octets must then make sense. */
function checked(type: string, data: Buffer): Buffer {
  if (!hasGrammar(type)) return data
  const value = valueOf(type, data)
  return JOINED.includes(type) ? data : dataFromValue(type, value)
}

// The data of TXT records: any number of strings of up to 255 octets on the wire, one text in the model.

const MAX_STRING = 255
/** What the length field of a record's data can say. */
const MAX_RDATA = 65_535

/** Strings with their lengths before them, as few as possible; one empty string for an empty text (RFC 1035 §3.3.14). */
function textToWire(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (!text.isWellFormed()) throw new RecordFault('holds half a surrogate pair')
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_STRING)
    pieces.push(bytes.subarray(at, at + MAX_STRING))
  const wire = Buffer.concat(pieces.flatMap((piece) => [Buffer.of(piece.length), piece]))
  if (wire.length > MAX_RDATA) throw new RecordFault(`is longer than ${MAX_RDATA} octets`)
  return wire
}

/** The strings of a TXT record's data. */
function stringsOf(wire: Buffer): Buffer[] {
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
function textOf(strings: readonly Buffer[]): string {
  const bytes = Buffer.concat(strings)
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  return [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\${byte}`)).join('')
}
