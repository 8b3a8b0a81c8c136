/**
 * Collecting a zone transfer (AXFR, RFC 5936): complete only when the SOA that began it has come a second time, the
 * same, as the very last record of a proved message. Anything less is a failure, never a shorter zone.
 */
import { type ListedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import { isBelow } from '../domain-name.ts'
import { valueOfData } from '../rdata.ts'
import { RecordFault, shown } from '../record-fault.ts'
import { typeName } from '../record-types.ts'
import { CLASS, type Message, type ReadRecord, TYPE } from './message.ts'

/** A zone of this size is some millions of records. */
export const MAX_TRANSFER_BYTES = 64 * 1024 * 1024

interface Set {
  readonly name: string
  readonly type: string
  ttl: number
  readonly values: string[]
}

export class Transfer {
  readonly #zone: string
  readonly #sets = new Map<string, Set>()
  /** As the first record said it: name, TTL and data. */
  #soa: string | null = null
  #is_closed = false
  #bytes = 0

  constructor(zone: string) {
    this.#zone = zone
  }

  /** True when the closing SOA has come. Throws RecordFault for what does not belong into this zone's transfer. */
  take(message: Message): boolean {
    this.#bytes += message.bytes.length
    if (this.#bytes > MAX_TRANSFER_BYTES)
      throw new RecordFault(`makes the transfer larger than ${MAX_TRANSFER_BYTES} bytes`)
    const [asked] = message.questions
    if (asked !== undefined && (asked.name !== this.#zone || asked.type !== TYPE.AXFR))
      throw new RecordFault('answers another question')
    if (message.answers.length === 0) throw new RecordFault('has no record')
    for (const record of message.answers) this.#takeRecord(message.bytes, record)
    return this.#is_closed
  }

  /** Only after `take` said that it is complete. */
  sets(): ListedRrset[] {
    return [...this.#sets.values()].map(({ name, type, ttl, values }) => ({
      name,
      type,
      ttl,
      values: [...new globalThis.Set(values)].sort(),
      ids: [],
      comment: null,
      proxied: null,
    }))
  }

  #takeRecord(bytes: Buffer, record: ReadRecord): void {
    const { name, ttl } = record
    if (this.#is_closed) throw new RecordFault('goes on after the end of the zone')
    if (record.class !== CLASS.IN) throw new RecordFault('has a record of another class')
    if (!isBelow(name, this.#zone)) throw new RecordFault(`has ${shown(name)}, which is outside the zone`)
    const type = typeName(record.type)
    const value = valueOfData(type, { message: bytes, at: record.data_at, end: record.data_end })
    if (record.type === TYPE.SOA) return this.#takeSoa(name, value)
    if (this.#soa === null) throw new RecordFault('does not begin with the zone’s SOA')
    const key = rrsetKey({ name, type })
    const set = this.#sets.get(key)
    if (set === undefined) this.#sets.set(key, { name, type, ttl, values: [value] })
    else {
      set.ttl = Math.min(set.ttl, ttl)
      set.values.push(value)
    }
  }

  #takeSoa(name: string, value: string): void {
    if (name !== this.#zone) throw new RecordFault('has the SOA of another zone')
    if (this.#soa === null) this.#soa = value
    else if (this.#soa !== value) throw new RecordFault('ends with another SOA than it began with')
    else this.#is_closed = true
  }
}
