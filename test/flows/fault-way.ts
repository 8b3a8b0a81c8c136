/** A way over TCP to a server that can be closed, cut, held, halved, slowed down, or answered in the server's place. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../kit/ports.ts'

/**
 * `open`: all passes. `refused`: nobody listens. `reset`: taken and cut off at once. `hanging`: taken, and never answered.
 * `half`: an answer ends in the middle. `dripping`: an answer comes byte by byte. `html`: a page for people with 200,
 * whatever is asked. `denied`: 401 to whatever is asked.
 */
export type Mood = 'open' | 'refused' | 'reset' | 'hanging' | 'half' | 'dripping' | 'html' | 'denied'

export interface FaultWay {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** What passes on ends at once. */
  be(mood: Mood): Promise<void>
  /** From now on it leads to another server on this host; null for the first. */
  lead(port: number | null): void
  close(): Promise<void>
}

const PAGE = '<!doctype html><title>It works!</title><p>Sign in to go on.'
const CANNED: Partial<Readonly<Record<Mood, string>>> = {
  html: `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\nconnection: close\r\n\r\n${PAGE}`,
  denied: 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
}
/** A minute for a hundred bytes: nobody waits for the end. */
const DRIP_EVERY_MS = 600
/** Enough for a status line, and for no whole answer. */
const HALF_BYTES = 40

export async function faultWay(target_port: number): Promise<FaultWay> {
  const open = new Set<Socket>()
  let mood: Mood = 'open'
  let led_to = target_port
  const serve = (client: Socket) => {
    keep(client, open)
    if (mood === 'reset') return void client.resetAndDestroy()
    if (mood === 'hanging') return void client.resume()
    const canned = CANNED[mood]
    if (canned !== undefined) return void client.once('data', () => client.end(canned))
    const upstream = connect(led_to, '127.0.0.1')
    keep(upstream, open)
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => (mood === 'open' ? client.destroy() : undefined))
    const answer = ANSWERED[mood] ?? passOn
    answer(upstream, client)
  }
  const port = await freePort()
  let server = await listening(serve, port)
  const shut = async () => {
    for (const socket of open) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async be(next) {
      await shut()
      mood = next
      if (next !== 'refused') server = await listening(serve, port)
    },
    lead: (to) => void (led_to = to ?? target_port),
    close: shut,
  }
}

type Answering = (upstream: Socket, client: Socket) => void

const passOn: Answering = (upstream, client) => void upstream.pipe(client)

const ANSWERED: Partial<Readonly<Record<Mood, Answering>>> = {
  half(upstream, client) {
    upstream.once('data', (bytes) => client.end(bytes.subarray(0, HALF_BYTES)))
  },
  dripping(upstream, client) {
    let held = Buffer.alloc(0)
    upstream.on('data', (bytes) => (held = Buffer.concat([held, bytes])))
    const timer = setInterval(() => {
      if (held.length > 0) client.write(held.subarray(0, 1))
      held = held.subarray(1)
    }, DRIP_EVERY_MS)
    client.on('close', () => clearInterval(timer))
  },
}

function keep(socket: Socket, open: Set<Socket>): void {
  open.add(socket)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => open.delete(socket))
}

async function listening(serve: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}
