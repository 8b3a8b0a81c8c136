/**
 * A way to a name server that takes dynamic updates, with a liar on it who holds the key: it proves all that it says. Each
 * request is signed anew for the server and each reply for who asked, so that their clocks may differ.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { dataFromValue, valueOfData } from '../../src/features/dns/providers/rdata.ts'
import { typeName } from '../../src/features/dns/providers/record-types.ts'
import { exchange } from '../../src/features/dns/providers/rfc2136/connection.ts'
import {
  CLASS,
  type Message,
  OPCODE,
  type ReadRecord,
  readMessage,
  TYPE,
  writeMessage,
  writeQuestion,
  writeRecord,
} from '../../src/features/dns/providers/rfc2136/message.ts'
import {
  signRequest,
  type Tsig,
  tsigOf,
  unsignedForm,
} from '../../src/features/dns/providers/rfc2136/tsig.ts'
import { Secret } from '../../src/kernel/secret.ts'
import { signReply } from '../features/dns/providers/scripted-name-server.ts'
import type { TsigKey } from '../peers/dig.ts'
import { bareName, type Liar } from './liar.ts'

const NXDOMAIN = 3
/** Records in one message of a transfer. */
const MAX_RECORDS = 100

export async function lyingNameServer(target_port: number, given: TsigKey): Promise<Liar> {
  const key = { ...given, secret: new Secret(given.secret) }
  const lies = { promised: new Set<string>(), hidden: new Set<string>(), everywhere: false, silent: false }
  const serial = { told: null as string | null, is_held: false }
  const isPromised = ({ name }: ReadRecord) => lies.promised.has(bareName(name))
  const isHidden = (name: string) => lies.hidden.has(bareName(name))

  const pass = async (bare: Buffer, isLast: (message: Message) => boolean): Promise<Message[]> => {
    const { message } = signRequest(bare, key, Math.floor(Date.now() / 1000))
    const replies: Message[] = []
    const options = { signal: new AbortController().signal, idle_ms: 10_000 }
    for await (const bytes of exchange({ host: '127.0.0.1', port: target_port }, message, options)) {
      replies.push(readMessage(bytes))
      if (isLast(replies.at(-1)!)) break
    }
    return replies
  }

  /** Where names are not compressed, and with the serial that is to be believed. */
  const copied = (bytes: Buffer, record: ReadRecord): Buffer => {
    const { name, type, ttl, data_at, data_end } = record
    const value = valueOfData(typeName(type), { message: bytes, at: data_at, end: data_end })
    return writeRecord({
      name,
      type,
      class: CLASS.IN,
      ttl,
      data: dataFromValue(typeName(type), type === TYPE.SOA ? held(value) : value),
    })
  }
  const held = (soa: string): string => {
    const words = soa.split(' ')
    if (!serial.is_held || serial.told === null) serial.told = words[2]!
    return words.with(2, serial.told).join(' ')
  }

  const updated = async (request: Message, bare: Buffer): Promise<Buffer[]> => {
    const { id, bytes, questions, answers, authorities } = request
    if (![...answers, ...authorities].some(isPromised)) return [copy(id, await pass(bare, () => true))]
    const raw = (record: ReadRecord) =>
      writeRecord({ ...record, data: bytes.subarray(record.data_at, record.data_end) })
    const sections = [
      questions.map(({ name, type }) => writeQuestion(name, type)),
      answers.filter((record) => !isPromised(record)).map(raw),
      authorities.filter((record) => !isPromised(record)).map(raw),
      [],
    ]
    if (sections[2]!.length === 0) return [reply(id, OPCODE.UPDATE, 0)]
    return [copy(id, await pass(writeMessage({ id, opcode: OPCODE.UPDATE }, sections), () => true))]
  }
  const copy = (id: number, [message]: readonly Message[]): Buffer =>
    reply(id, message!.opcode, message!.rcode)

  const answered = async ({ id, questions }: Message, bare: Buffer): Promise<Buffer[] | null> => {
    const [{ name, type } = { name: '', type: 0 }] = questions
    const is_listing = type === TYPE.AXFR
    const is_about_one = !is_listing && type !== TYPE.SOA
    if (is_about_one && lies.silent) return null
    const question = [writeQuestion(name, type)]
    if (is_about_one && lies.everywhere && isHidden(name))
      return [reply(id, OPCODE.QUERY, NXDOMAIN, question)]
    let starts = 0
    const got = await pass(bare, ({ rcode, answers }) => {
      starts += answers.filter((record) => record.type === TYPE.SOA).length
      return !is_listing || rcode !== 0 || starts > 1
    })
    const shown = got.flatMap(({ bytes, answers }) =>
      answers.filter((record) => !(is_listing && isHidden(record.name))).map((one) => copied(bytes, one)),
    )
    const chunks = Array.from({ length: Math.ceil(shown.length / MAX_RECORDS) || 1 }, (_, i) =>
      shown.slice(i * MAX_RECORDS, (i + 1) * MAX_RECORDS),
    )
    const { rcode } = got[0]!
    return chunks.map((records, i) => reply(id, OPCODE.QUERY, rcode, i === 0 ? question : [], records))
  }

  const serve = async (socket: Socket, bytes: Buffer): Promise<void> => {
    const request = readMessage(bytes)
    const tsig = tsigOf(request)
    if (tsig === null) throw new Error('nobody asks without a signature here')
    const bare = unsignedForm(request, tsig)
    const replies =
      request.opcode === OPCODE.UPDATE ? await updated(request, bare) : await answered(request, bare)
    if (replies === null) return void socket.destroy()
    for (const message of signed(replies, tsig)) socket.write(message)
    socket.end()
  }
  const signed = (replies: readonly Buffer[], { mac, time_s }: Tsig): Buffer[] => {
    let prior = mac
    return replies.map((bare, i) => {
      const made = signReply(bare, { key, prior, now_s: time_s, is_later: i > 0 })
      prior = made.mac
      const length = Buffer.alloc(2)
      length.writeUInt16BE(made.message.length)
      return Buffer.concat([length, made.message])
    })
  }

  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return
      serve(socket, bytes.subarray(2, 2 + bytes.readUInt16BE(0))).catch(() => socket.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { readonly port: number }).port,
    promise: (names) => void (lies.promised = new Set(names)),
    hide(names, everywhere = false) {
      lies.hidden = new Set(names)
      lies.everywhere = everywhere
    },
    silence: (is_silent) => void (lies.silent = is_silent),
    holdSerial: (is_held) => void (serial.is_held = is_held),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** AA and QR set. */
function reply(
  id: number,
  opcode: number,
  rcode: number,
  question: readonly Buffer[] = [],
  answers: readonly Buffer[] = [],
): Buffer {
  const message = writeMessage({ id, opcode }, [question, answers, [], []])
  message.writeUInt16BE(0x8400 | (opcode << 11) | rcode, 2)
  return message
}
