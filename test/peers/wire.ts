/**
 * Asking a server on loopback over a socket of this process, with the answer told as `dig` would print it: a process for each
 * question costs the gate more than the question. Whatever `dig` would have to print in a way that is not known here is null.
 */
import { createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet'
import type { DigRecord, TsigKey } from './dig.ts'

const WAIT_MS = 5000
const TRIES = 4
const STATUS = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']
const TSIG_TYPE = 250
const FUDGE_S = 300

export interface WireReply {
  readonly status: string
  readonly answers: readonly DigRecord[]
}

/** Throws where nobody answers. */
export async function askWire(port: number, name: string, type: string): Promise<WireReply | null> {
  const packet = await datagram(port, questionOf(name, type))
  const status = STATUS[packet.flags! & 0xf]
  const answers = packet.answers?.map(recordOf) ?? []
  return packet.flag_tc || status === undefined || !areKnown(answers) ? null : { status, answers }
}

/** Every record of the zone, its SOA first and last. Null also where the server gives no whole transfer. */
export async function transferWire(
  port: number,
  zone: string,
  key?: TsigKey,
): Promise<readonly DigRecord[] | null> {
  const question = questionOf(zone, 'AXFR')
  const packets = await transferred(port, key === undefined ? question : signed(question, key))
  const records = packets
    .flatMap(({ answers }) => answers ?? [])
    .filter(({ type }) => (type as string) !== 'TSIG')
    .map(recordOf)
  return areKnown(records) ? records : null
}

const areKnown = (records: readonly (DigRecord | null)[]): records is readonly DigRecord[] =>
  records.every((record) => record !== null)

function questionOf(name: string, type: string): Buffer {
  const id = Math.floor(Math.random() * 0xffff)
  const questions = [{ type: type as 'A', name }]
  return type === 'AXFR'
    ? dnsPacket.encode({ id, type: 'query', flags: 0, questions })
    : dnsPacket.encode({
        id,
        type: 'query',
        flags: 0,
        questions,
        additionals: [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: 1232,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ],
      })
}

async function datagram(port: number, question: Buffer): Promise<DecodedPacket> {
  for (let tries = 1; ; tries++) {
    const socket = createSocket('udp4')
    try {
      socket.connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const reply = once(socket, 'message', { signal: AbortSignal.timeout(WAIT_MS) })
      socket.send(question)
      const [bytes] = (await reply) as [Buffer]
      const packet = dnsPacket.decode(bytes)
      // Bound by chance to the port that it asks, a socket hears itself.
      if (packet.type === 'response' && packet.id === question.readUInt16BE(0)) return packet
    } catch (error) {
      if (tries >= TRIES) throw error
    } finally {
      socket.close()
    }
  }
}

/** All messages of a transfer: it ends with the second SOA, with a refusal, or with the connection. */
async function transferred(port: number, question: Buffer): Promise<readonly DecodedPacket[]> {
  const socket = connect({ port, host: '127.0.0.1', timeout: WAIT_MS * TRIES })
  socket.once('timeout', () => socket.destroy(new Error(`port ${port} gives no transfer in time`)))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(question.length)
  socket.write(Buffer.concat([length, question]))
  const packets: DecodedPacket[] = []
  let rest = Buffer.alloc(0)
  let ends = 0
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const size = 2 + rest.readUInt16BE(0)
        const packet = dnsPacket.decode(rest.subarray(2, size))
        rest = rest.subarray(size)
        packets.push(packet)
        ends += packet.answers?.filter(({ type }) => type === 'SOA').length ?? 0
        if (ends >= 2 || (packet.flags! & 0xf) !== 0) return packets
      }
    }
    return packets
  } finally {
    socket.destroy()
  }
}

/** By RFC 8945, section 4: the question with a signature of it as its last record. */
function signed(question: Buffer, key: TsigKey): Buffer {
  const name = wireName(key.name)
  const algorithm = wireName(key.algorithm)
  const time = Buffer.alloc(8)
  time.writeUIntBE(Math.floor(Date.now() / 1000), 0, 6)
  time.writeUInt16BE(FUDGE_S, 6)
  const ANY_TTL_0 = Buffer.from([0, 255, 0, 0, 0, 0])
  const NO_ERROR_NO_OTHER = Buffer.alloc(4)
  const mac = createHmac(key.algorithm.replace('hmac-', ''), Buffer.from(key.secret, 'base64'))
    .update(Buffer.concat([question, name, ANY_TTL_0, algorithm, time, NO_ERROR_NO_OTHER]))
    .digest()
  const data = Buffer.concat([
    algorithm,
    time,
    uint16(mac.length),
    mac,
    question.subarray(0, 2),
    NO_ERROR_NO_OTHER,
  ])
  const whole = Buffer.concat([question, name, uint16(TSIG_TYPE), ANY_TTL_0, uint16(data.length), data])
  // One additional record more.
  whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
  return whole
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ])

/** Null for what `dig` may print otherwise. */
function recordOf(answer: Answer): DigRecord | null {
  const value = valueOf(answer)
  if (value === null || !('ttl' in answer) || !PLAIN_NAME.test(answer.name)) return null
  return {
    name: answer.name.toLowerCase().replace(/\.$/, ''),
    type: answer.type,
    ttl: answer.ttl ?? 0,
    value,
  }
}

/** Nothing in it is escaped. */
const PLAIN_NAME = /^[a-z0-9._*-]*$/i
const PLAIN_TEXT = /^[ !#-[\]-~]*$/

function valueOf(answer: Answer): string | null {
  // oxlint-disable-next-line switch-exhaustiveness-check -- of all others nothing is printed
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data
    case 'CNAME':
    case 'NS':
      return printedName(answer.data)
    case 'MX': {
      const exchange = printedName(answer.data.exchange)
      return exchange && `${answer.data.preference ?? 0} ${exchange}`
    }
    case 'SOA': {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = answer.data
      const names = [printedName(mname), printedName(rname)]
      return names.includes(null) ? null : [...names, serial, refresh, retry, expire, minimum].join(' ')
    }
    case 'TXT': {
      const strings = [answer.data].flat().map(String)
      return strings.every((text) => PLAIN_TEXT.test(text))
        ? strings.map((text) => `"${text}"`).join(' ')
        : null
    }
    default:
      return null
  }
}

const printedName = (name: string): string | null =>
  !PLAIN_NAME.test(name) ? null : name === '.' ? name : `${name}.`
