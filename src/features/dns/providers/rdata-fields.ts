/**
 * The kinds of fields that the data of records is made of. Each is read from words (a master file, a value of the model)
 * into wire form, and from wire form back into words. The wire form is the hub: what two spellings share.
 */
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import { absoluteName, nameToWire, normalName, readName } from './domain-name.ts'
import { RecordFault, shown } from './record-fault.ts'
import { quoted, type Token, unescaped } from './tokens.ts'
import { parseTtl } from './ttl.ts'

/** Words not yet read. Relative names are completed with `origin`. */
export interface Words {
  readonly tokens: Token[]
  readonly origin: string
}

/** A part of a message: names may point back before `at`, nothing is read from `end` on. */
export interface Octets {
  readonly message: Buffer
  readonly end: number
  at: number
}

export interface FieldKind {
  parse(words: Words): Buffer
  /** `file`: for a master file, names with their closing dot. `value`: normal form. */
  show(octets: Octets, form: 'value' | 'file'): string
}

function nextWord({ tokens }: Words): Token {
  const token = tokens.shift()
  if (token === undefined) throw new RecordFault('has too little data')
  return token
}

function take(octets: Octets, count: number): Buffer {
  if (octets.at + count > octets.end) throw new RecordFault('has too little data')
  octets.at += count
  return octets.message.subarray(octets.at - count, octets.at)
}

function unsigned(octets: 1 | 2 | 4, read: (text: string) => number | null = decimal): FieldKind {
  return {
    parse(words) {
      const { text } = nextWord(words)
      const number = read(text)
      if (number === null || number >= 256 ** octets)
        throw new RecordFault(`has no number below ${256 ** octets} where one is needed: ${shown(text)}`)
      const wire = Buffer.alloc(octets)
      wire.writeUIntBE(number, 0, octets)
      return wire
    },
    show: (from) => String(take(from, octets).readUIntBE(0, octets)),
  }
}

const decimal = (text: string): number | null => (/^\d{1,10}$/.test(text) ? Number(text) : null)

export const u8 = unsigned(1)
export const u16 = unsigned(2)
export const u32 = unsigned(4)
/** Seconds, or with units: `1h30m`. */
export const duration = unsigned(4, parseTtl)

// Mnemonics of DNSSEC algorithms that files use (RFC 4034 appendix A.1 and its successors).
const ALGORITHMS: Readonly<Record<string, number>> = {
  RSASHA1: 5,
  RSASHA256: 8,
  RSASHA512: 10,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
}
export const algorithm = unsigned(1, (text) => ALGORITHMS[text.toUpperCase()] ?? decimal(text))

export const name: FieldKind = {
  parse: (words) => nameToWire(normalName(nextWord(words).text, words.origin)),
  show(from, form) {
    const { name: found, next } = readName(from.message, from.at)
    if (next > from.end) throw new RecordFault('ends inside a name')
    from.at = next
    return form === 'file' ? absoluteName(found) : found
  },
}

export const ipv4: FieldKind = {
  parse(words) {
    const { text } = nextWord(words)
    if (!isIPv4(text)) throw new RecordFault(`is not an IPv4 address: ${shown(text)}`)
    return Buffer.from(text.split('.').map(Number))
  },
  show: (from) => take(from, 4).join('.'),
}

export const ipv6: FieldKind = {
  parse(words) {
    const { text } = nextWord(words)
    if (!isIPv6(text) || text.includes('%')) throw new RecordFault(`is not an IPv6 address: ${shown(text)}`)
    return ipv6Octets(text)
  },
  show(from) {
    const groups = take(from, 16).toString('hex').match(/.{4}/g)!
    return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
  },
}

function ipv6Octets(text: string): Buffer {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0]
  const four = dotted === undefined ? null : Buffer.from(dotted.split('.').map(Number)).toString('hex')
  const hex = four === null ? text : text.replace(dotted!, `${four.slice(0, 4)}:${four.slice(4)}`)
  const [head = '', tail] = hex.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** One character-string of up to 255 octets. `bare`: shown without quotes where it needs none (the tag of a CAA). */
function characterString(bare: boolean): FieldKind {
  return {
    parse(words) {
      const bytes = unescaped(nextWord(words).text)
      if (bytes.length > 255) throw new RecordFault('has a string of more than 255 octets')
      return Buffer.concat([Buffer.of(bytes.length), bytes])
    },
    show(from) {
      const bytes = take(from, take(from, 1)[0]!)
      const text = bytes.toString('latin1')
      return bare && /^[A-Za-z0-9]+$/.test(text) ? text : quoted(bytes)
    },
  }
}

export const string = characterString(false)
export const tag = characterString(true)

/** One or more character-strings up to the end. */
export const strings: FieldKind = {
  parse(words) {
    const pieces: Buffer[] = []
    do pieces.push(string.parse(words))
    while (words.tokens.length > 0)
    return Buffer.concat(pieces)
  },
  show(from, form) {
    const pieces: string[] = []
    do pieces.push(string.show(from, form))
    while (from.at < from.end)
    return pieces.join(' ')
  },
}

/** A quoted text without a length, up to the end. */
export const text: FieldKind = {
  parse: (words) => unescaped(nextWord(words).text),
  show: (from) => quoted(take(from, from.end - from.at)),
}

/** Bytes up to the end, in one or more words. */
function encoded(encoding: 'hex' | 'base64', grammar: RegExp): FieldKind {
  return {
    parse(words) {
      const joined = words.tokens.splice(0).map((token) => token.text)
      const whole = joined.join('')
      if (!grammar.test(whole)) throw new RecordFault(`is not ${encoding}: ${shown(joined.join(' '))}`)
      return Buffer.from(whole, encoding)
    },
    show: (from) => take(from, from.end - from.at).toString(encoding),
  }
}

export const hex = encoded('hex', /^(?:[0-9a-f]{2})+$/i)
export const base64 = encoded('base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
