/** The way to a backend: streams both ways, changes of the protocol, and what the proxy answers where there is no backend. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Exchange, type Handler, reply, writeHead } from './exchange.ts'
import { type Dial, open } from './ask.ts'
import { forwardH2c } from './forward-h2c.ts'
import { HeaderList, withoutHopByHop } from './header-list.ts'
import { statusOf, tlsOptions, type Transport } from './transport.ts'

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
    const path = prefix + exchange.url
    if (target.protocol === 'h2c:') {
      forwardH2c(exchange, dial(`http://${target.host}`), path, headers)
      return
    }
    const asked = open(dial(target.origin), {
      method,
      path,
      headers: headers.raw(),
      ...(target.protocol === 'https:' && tlsOptions(transport, target.hostname)),
      agent: false,
    })
    asked.on('error', (error) => badGateway(exchange, statusOf(error)))
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

function badGateway(exchange: Exchange, status: 500 | 502): void {
  if (exchange.response.headersSent) exchange.response.destroy()
  else reply(exchange, { status })
}
