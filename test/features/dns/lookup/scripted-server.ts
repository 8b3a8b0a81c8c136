/** A name server on loopback that answers what a test tells it, by datagram and by connection on one port. */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import dnsPacket from 'dns-packet'

export interface Told {
  /** The question as it came, letter case included. */
  readonly bytes: Buffer
  readonly packet: dnsPacket.DecodedPacket
  readonly over: 'udp' | 'tcp'
  send(bytes: Buffer): void
  /** From another port, as a forger would. UDP only. */
  sendFromElsewhere(bytes: Buffer): void
}

export interface ScriptedServer {
  readonly server: { readonly address: string; readonly port: number }
  /** What it does with every question. */
  script(deed: (told: Told) => void): void
  /** Questions so far, by way. */
  readonly asked: { udp: number; tcp: number }
  close(): Promise<void>
}

export async function scriptedServer(): Promise<ScriptedServer> {
  let deed: (told: Told) => void = () => undefined
  const asked = { udp: 0, tcp: 0 }
  const { udp, tcp, port } = await bothOnOnePort()
  const elsewhere = createSocket('udp4')
  await new Promise<void>((resolve) => elsewhere.bind(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  udp.on('message', (bytes, from: RemoteInfo) => {
    asked.udp++
    const send = (socket: UdpSocket) => (reply: Buffer) => {
      socket.send(reply, from.port, from.address)
    }
    deed({
      bytes,
      packet: dnsPacket.decode(bytes),
      over: 'udp',
      send: send(udp),
      sendFromElsewhere: send(elsewhere),
    })
  })
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.once('data', (chunk: Buffer) => {
      asked.tcp++
      const bytes = chunk.subarray(2)
      const send = (reply: Buffer) => void socket.write(Buffer.concat([uint16(reply.length), reply]))
      deed({ bytes, packet: dnsPacket.decode(bytes), over: 'tcp', send, sendFromElsewhere: () => undefined })
    })
  })
  return {
    server: { address: '127.0.0.1', port },
    script: (next) => void (deed = next),
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => udp.close(() => resolve()))
      await new Promise<void>((resolve) => elsewhere.close(() => resolve()))
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

async function bothOnOnePort() {
  for (;;) {
    const tcp = createServer()
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    const { port } = tcp.address() as { port: number }
    const udp = createSocket('udp4')
    const is_free = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true))
    })
    if (is_free) return { udp, tcp, port }
    await new Promise<void>((resolve) => udp.close(() => resolve()))
    await new Promise((resolve) => tcp.close(resolve))
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** A reply that repeats the question to the letter. */
export function replyTo(
  told: Pick<Told, 'packet'>,
  answers: readonly dnsPacket.Answer[] = [],
  flags: number = dnsPacket.AUTHORITATIVE_ANSWER,
): Buffer {
  const { id = 0, questions = [] } = told.packet
  return dnsPacket.encode({ type: 'response', id, flags, questions, answers: [...answers] })
}
