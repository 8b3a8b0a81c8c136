/** A request to a backend that speaks HTTP/2 from the first byte on, without TLS (RFC 9113 §3.3). */
import { connect } from 'node:http2'
import { type Exchange, reply, writeHead } from './exchange.ts'
import { HeaderList } from './header-list.ts'

/** Of HTTP/1 alone; HTTP/2 refuses them. */
const HOP_BY_HOP = /^(?:connection|host|keep-alive|proxy-connection|transfer-encoding|upgrade)$/i

/** @param headers as they go on, with the host among them */
export function forwardH2c(exchange: Exchange, origin: string, path: string, headers: HeaderList): void {
  const session = connect(origin)
  const fail = () => {
    session.destroy()
    if (exchange.response.headersSent) exchange.response.destroy()
    else reply(exchange, { status: 502 })
  }
  session.on('error', fail)
  const raw = headers.raw()
  const kept = raw.flatMap((name, i) =>
    i % 2 === 0 && !HOP_BY_HOP.test(name) ? [[name.toLowerCase(), raw[i + 1]!] as const] : [],
  )
  const stream = session.request({
    ':method': exchange.method,
    ':path': path,
    ':authority': headers.get('host'),
    ...Object.fromEntries(kept),
  })
  stream.on('error', fail)
  stream.on('response', (answer) => {
    const lines = Object.entries(answer).flatMap(([name, value]) =>
      name.startsWith(':') ? [] : [name, String(value)],
    )
    writeHead(exchange, Number(answer[':status']), HeaderList.from(lines))
    stream.pipe(exchange.response)
  })
  stream.on('close', () => session.close())
  exchange.request.pipe(stream)
}
