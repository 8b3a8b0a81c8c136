/** DNS messages on the wire (RFC 1035 §4.1): records are written uncompressed, and read with every length doubted. */
import { nameToWire, readName } from '../domain-name.ts'
import { RecordFault } from '../record-fault.ts'

export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const
export const TYPE = { CNAME: 5, SOA: 6, TSIG: 250, AXFR: 252, ANY: 255 } as const
export const OPCODE = { QUERY: 0, UPDATE: 5 } as const
export const HEADER_BYTES = 12
/** What the two octets of length before a message on TCP can say. */
export const MAX_MESSAGE = 65_535

export interface WireRecord {
  readonly name: string
  readonly type: number
  readonly class: number
  readonly ttl: number
  readonly data: Buffer
}

export const writeQuestion = (name: string, type: number): Buffer =>
  Buffer.concat([nameToWire(name), uint16(type), uint16(CLASS.IN)])

export function writeRecord({ name, type, class: klass, ttl, data }: WireRecord): Buffer {
  const lengths = Buffer.alloc(10)
  lengths.writeUInt16BE(type, 0)
  lengths.writeUInt16BE(klass, 2)
  lengths.writeUInt32BE(ttl, 4)
  lengths.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameToWire(name), lengths, data])
}

/** The four sections in their order; of an update: zone, prerequisites, updates, additional (RFC 2136 §2). */
export function writeMessage(
  { id, opcode }: { readonly id: number; readonly opcode: number },
  sections: readonly (readonly Buffer[])[],
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(opcode << 11, 2)
  sections.forEach((section, at) => header.writeUInt16BE(section.length, 4 + 2 * at))
  return Buffer.concat([header, ...sections.flat()])
}

export interface ReadRecord {
  readonly name: string
  readonly type: number
  readonly class: number
  readonly ttl: number
  /** Where it begins in the message, and where its data lies: names in the data may point anywhere before. */
  readonly start: number
  readonly data_at: number
  readonly data_end: number
}

export interface Message {
  readonly bytes: Buffer
  readonly id: number
  readonly is_reply: boolean
  readonly opcode: number
  readonly authoritative: boolean
  readonly truncated: boolean
  readonly rcode: number
  readonly questions: readonly { readonly name: string; readonly type: number; readonly class: number }[]
  readonly answers: readonly ReadRecord[]
  readonly authorities: readonly ReadRecord[]
  readonly additionals: readonly ReadRecord[]
}

/** Throws RecordFault for a message that is not whole, or longer than it says. */
export function readMessage(bytes: Buffer): Message {
  if (bytes.length < HEADER_BYTES) throw new RecordFault('is shorter than a header')
  const flags = bytes.readUInt16BE(2)
  const reader = new Reader(bytes)
  const message = {
    bytes,
    id: bytes.readUInt16BE(0),
    is_reply: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    rcode: flags & 0xf,
    questions: reader.many(bytes.readUInt16BE(4), () => reader.question()),
    answers: reader.many(bytes.readUInt16BE(6), () => reader.record()),
    authorities: reader.many(bytes.readUInt16BE(8), () => reader.record()),
    additionals: reader.many(bytes.readUInt16BE(10), () => reader.record()),
  }
  if (reader.at !== bytes.length) throw new RecordFault('has octets behind its last record')
  return message
}

class Reader {
  readonly #bytes: Buffer
  at = HEADER_BYTES

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The counts are the sender's word; every element takes octets, so the message's end bounds them. */
  many<T>(count: number, read: () => T): T[] {
    const found: T[] = []
    while (found.length < count) found.push(read())
    return found
  }

  question(): Message['questions'][number] {
    const name = this.#name()
    return { name, type: this.#uint(2), class: this.#uint(2) }
  }

  record(): ReadRecord {
    const start = this.at
    const name = this.#name()
    const fixed = { type: this.#uint(2), class: this.#uint(2), ttl: this.#uint(4) }
    const length = this.#uint(2)
    const data_at = this.at
    this.at += length
    if (this.at > this.#bytes.length) throw new RecordFault('ends inside a record')
    return { name, ...fixed, start, data_at, data_end: this.at }
  }

  #name(): string {
    const { name, next } = readName(this.#bytes, this.at)
    this.at = next
    return name
  }

  #uint(octets: 2 | 4): number {
    if (this.at + octets > this.#bytes.length) throw new RecordFault('ends inside a record')
    this.at += octets
    return this.#bytes.readUIntBE(this.at - octets, octets)
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
