/** The way to a backend: streams both ways, changes of the protocol, and what the proxy answers where there is no backend. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Exchange, type Handler, reply, writeHead } from './exchange.ts'
import { type Dial, open } from './ask.ts'
import { HeaderList, withoutHopByHop } from './header-list.ts'

export interface Transport {
  readonly serverName?: string
  readonly insecureSkipVerify?: boolean
  readonly rootCAs?: readonly string[]
}

export interface Backend {
  /** `http://10.0.0.5:8080`, as the configuration says it. */
  readonly url: string
  readonly passes_host: boolean
  readonly transport: Transport
}

export function forwardTo({ url, passes_host, transport }: Backend, dial: Dial): Handler {
  const target = new URL(url)
  const prefix = target.pathname.replace(/\/$/, '')
  return (exchange) => {
    const { request, method, upgrade_head, host } = exchange
    const headers = onward(exchange)
    headers.set('Host', passes_host ? host : target.host)
    const asked = open(dial(target.origin), {
      method,
      path: prefix + exchange.url,
      headers: headers.raw(),
      rejectUnauthorized: transport.insecureSkipVerify !== true,
      ...(transport.serverName !== undefined && { servername: transport.serverName }),
      ...(transport.rootCAs !== undefined && { ca: [...transport.rootCAs] }),
      agent: false,
    })
    asked.on('error', () => badGateway(exchange))
    asked.on('response', (answer) => passBack(exchange, answer))
    exchange.response.on('close', () => asked.destroy())
    if (upgrade_head === null) request.pipe(asked)
    else joinSockets(exchange, asked)
  }
}

function onward({ headers, address, upgrade_head }: Exchange): HeaderList {
  const kept = withoutHopByHop(headers)
  kept.set('X-Forwarded-For', [...headers.all('x-forwarded-for'), address].join(', '))
  if (upgrade_head !== null) {
    kept.set('Connection', 'Upgrade')
    kept.set('Upgrade', headers.get('upgrade'))
  }
  return kept
}

function passBack(exchange: Exchange, answer: IncomingMessage): void {
  writeHead(exchange, answer.statusCode!, withoutHopByHop(HeaderList.from(answer.rawHeaders)))
  exchange.response.flushHeaders()
  answer.on('error', () => exchange.response.destroy())
  answer.pipe(exchange.response)
}

function joinSockets(exchange: Exchange, asked: ClientRequest): void {
  asked.on('upgrade', (answer: IncomingMessage, theirs: Socket, head: Buffer) => {
    const ours = exchange.request.socket
    exchange.response.detachSocket(ours)
    const headers = HeaderList.from(answer.rawHeaders)
    for (const change of exchange.on_answer.toReversed()) change(headers)
    const raw = headers.raw()
    const lines = raw.filter((_, i) => i % 2 === 0).map((name, i) => `${name}: ${raw[2 * i + 1]}\r\n`)
    ours.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
    if (head.length > 0) ours.write(head)
    if (exchange.upgrade_head!.length > 0) theirs.write(exchange.upgrade_head!)
    for (const [one, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const)
      one.pipe(other).on('error', () => one.destroy())
    ours.on('close', () => theirs.destroy())
    theirs.on('close', () => ours.destroy())
  })
  asked.end()
}

function badGateway(exchange: Exchange): void {
  if (exchange.response.headersSent) exchange.response.destroy()
  else reply(exchange, { status: 502 })
}
