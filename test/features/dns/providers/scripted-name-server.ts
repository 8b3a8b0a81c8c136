/** A name server that says what a test wrote down, and a signer of replies that shares no code with the reader it tests. */
import { createHmac } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import type { TsigKey } from '../../../../src/features/dns/providers/rfc2136/tsig.ts'

export interface SignOptions {
  readonly key: TsigKey
  /** The request's MAC, or that of the signed message before. */
  readonly prior: Buffer
  readonly now_s: number
  /** Unsigned messages since the last signed one. */
  readonly between?: readonly Buffer[]
  /** Not the first message of the reply: only the timers are digested. */
  readonly is_later?: boolean
  readonly error?: number
  readonly other?: Buffer
  /** Cuts the MAC. */
  readonly mac_octets?: number
}

const name = (text: string): Buffer =>
  Buffer.concat([
    ...text.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]),
    Buffer.of(0),
  ])
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

/** RFC 8945 §4.3, written anew. */
export function signReply(bare: Buffer, options: SignOptions): { message: Buffer; mac: Buffer } {
  const { key, prior, now_s, between = [], is_later = false, error = 0, other = Buffer.alloc(0) } = options
  const time = Buffer.alloc(8)
  time.writeUIntBE(now_s, 0, 6)
  time.writeUInt16BE(300, 6)
  const rest = [u16(error), u16(other.length), other]
  const variables = is_later
    ? [time]
    : [name(key.name), Buffer.from([0, 255, 0, 0, 0, 0]), name(key.algorithm), time, ...rest]
  const mac = createHmac(key.algorithm.replace('hmac-', ''), Buffer.from(key.secret.reveal(), 'base64'))
    .update(Buffer.concat([u16(prior.length), prior, ...between, bare, ...variables]))
    .digest()
    .subarray(0, options.mac_octets)
  const data = Buffer.concat([name(key.algorithm), time, u16(mac.length), mac, bare.subarray(0, 2), ...rest])
  const record = Buffer.concat([
    name(key.name),
    Buffer.from([0, 250, 0, 255, 0, 0, 0, 0]),
    u16(data.length),
    data,
  ])
  const message = Buffer.concat([bare, record])
  message.writeUInt16BE(message.readUInt16BE(10) + 1, 10)
  return { message, mac }
}

export interface Asked {
  /** Without its length. */
  readonly message: Buffer
  readonly mac: Buffer
  readonly id: number
  /** Sends one message with its length before it. */
  send(message: Buffer): void
  /** Sends octets as they are. */
  raw(bytes: Buffer): void
  readonly socket: Socket
}

export interface ScriptedNameServer {
  readonly port: number
  /** What it does with the next and all further requests. */
  script(deed: (asked: Asked) => void): void
  close(): Promise<void>
}

export async function scriptedNameServer(): Promise<ScriptedNameServer> {
  let deed: (asked: Asked) => void = () => undefined
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return
      const message = bytes.subarray(2, 2 + bytes.readUInt16BE(0))
      bytes = Buffer.alloc(0)
      const send = (reply: Buffer) => void socket.write(Buffer.concat([u16(reply.length), reply]))
      const raw = (octets: Buffer) => void socket.write(octets)
      deed({ message, mac: macOf(message), id: message.readUInt16BE(0), send, raw, socket })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    script(next) {
      deed = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Of a request signed with SHA-256 and no other data: 32 octets before id, error and length of other data. */
const macOf = (message: Buffer): Buffer => message.subarray(-38, -6)
