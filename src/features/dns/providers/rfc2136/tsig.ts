/** Signing requests and reading signatures (TSIG, RFC 8945 §4). HMAC over SHA-2 only; MACs are never cut short. */
import { createHmac } from 'node:crypto'
import type { Secret } from '../../../../kernel/secret.ts'
import { nameToWire, readName } from '../domain-name.ts'
import { RecordFault } from '../record-fault.ts'
import { CLASS, MAX_MESSAGE, type Message, TYPE, writeRecord } from './message.ts'
import type { TsigAlgorithm } from './tsig-algorithms.ts'

export interface TsigKey {
  /** Normal form. */
  readonly name: string
  readonly algorithm: TsigAlgorithm
  /** Base64, as key files hold it. */
  readonly secret: Secret
}

/** Seconds that clocks may differ (RFC 8945 §10). */
export const FUDGE_S = 300
/** Room that the signature of any key needs in a message. */
export const MAX_TSIG_BYTES = 400

/** What is signed beside the message (§4.3.3); the timers alone for later messages of a transfer. */
export interface TsigTimes {
  readonly time_s: number
  readonly fudge_s: number
}

export interface Tsig extends TsigTimes {
  readonly key_name: string
  readonly algorithm: string
  readonly mac: Buffer
  readonly original_id: number
  readonly error: number
  readonly other: Buffer
  /** Where the record begins in its message. */
  readonly start: number
}

export interface Signed {
  readonly message: Buffer
  readonly mac: Buffer
}

export function signRequest(message: Buffer, key: TsigKey, now_s: number): Signed {
  const times = { time_s: now_s, fudge_s: FUDGE_S }
  const none = { error: 0, other: Buffer.alloc(0) }
  const mac = hmac(key, [message, variables(key, { ...times, ...none })])
  const data = Buffer.concat([
    nameToWire(key.algorithm),
    timers(times),
    uint16(mac.length),
    mac,
    message.subarray(0, 2),
    uint16(0),
    uint16(0),
  ])
  const record = writeRecord({ name: key.name, type: TYPE.TSIG, class: CLASS.ANY, ttl: 0, data })
  const signed = Buffer.concat([message, record])
  if (signed.length > MAX_MESSAGE) throw new RecordFault('is too long for a message')
  signed.writeUInt16BE(signed.readUInt16BE(10) + 1, 10)
  return { message: signed, mac }
}

export const hmac = ({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer => {
  const mac = createHmac(algorithm.slice('hmac-'.length), Buffer.from(secret.reveal(), 'base64'))
  for (const part of parts) mac.update(part)
  return mac.digest()
}

export function variables(key: TsigKey, tsig: Pick<Tsig, 'time_s' | 'fudge_s' | 'error' | 'other'>): Buffer {
  return Buffer.concat([
    nameToWire(key.name),
    uint16(CLASS.ANY),
    Buffer.alloc(4),
    nameToWire(key.algorithm),
    timers(tsig),
    uint16(tsig.error),
    uint16(tsig.other.length),
    tsig.other,
  ])
}

export function timers({ time_s, fudge_s }: TsigTimes): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUIntBE(time_s, 0, 6)
  bytes.writeUInt16BE(fudge_s, 6)
  return bytes
}

/** The MAC's length, then the MAC: how an earlier one enters a later digest (§4.3.1). */
export const priorMac = (mac: Buffer): Buffer => Buffer.concat([uint16(mac.length), mac])

/** The message as it was before it was signed (§5.3): without its last record, under its first id. */
export function unsignedForm({ bytes }: Message, { start, original_id }: Tsig): Buffer {
  const bare = Buffer.from(bytes.subarray(0, start))
  bare.writeUInt16BE(original_id, 0)
  bare.writeUInt16BE(bare.readUInt16BE(10) - 1, 10)
  return bare
}

/** The signature of a message, null where it has none. Throws RecordFault where one stands in a wrong place (§5.1). */
export function tsigOf(message: Message): Tsig | null {
  const { answers, authorities, additionals, bytes } = message
  const found = [...answers, ...authorities, ...additionals].filter(({ type }) => type === TYPE.TSIG)
  const last = additionals.at(-1)
  if (found.length === 0) return null
  if (found.length > 1 || found[0] !== last)
    throw new RecordFault('has a signature that is not its last record')
  if (last!.class !== CLASS.ANY || last!.ttl !== 0) throw new RecordFault('has a signature of a wrong class')
  return {
    key_name: last!.name,
    start: last!.start,
    ...tsigData(bytes.subarray(0, last!.data_end), last!.data_at),
  }
}

function tsigData(bytes: Buffer, at: number): Omit<Tsig, 'key_name' | 'start'> {
  const { name: algorithm, next } = readName(bytes, at)
  const mac_at = next + 10
  if (mac_at > bytes.length) throw new RecordFault('ends inside its signature')
  const mac_end = mac_at + bytes.readUInt16BE(next + 8)
  if (mac_end + 6 > bytes.length) throw new RecordFault('ends inside its signature')
  const other = bytes.subarray(mac_end + 6)
  if (other.length !== bytes.readUInt16BE(mac_end + 4))
    throw new RecordFault('has a signature of a wrong length')
  return {
    algorithm,
    time_s: bytes.readUIntBE(next, 6),
    fudge_s: bytes.readUInt16BE(next + 6),
    mac: bytes.subarray(mac_at, mac_end),
    original_id: bytes.readUInt16BE(mac_end),
    error: bytes.readUInt16BE(mac_end + 2),
    other,
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
