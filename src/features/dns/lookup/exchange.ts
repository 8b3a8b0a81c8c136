/** One question to one server, by datagram or by connection, and what came of it. Sockets are gone when the promise settles. */
import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import type { DnsServer } from './port.ts'
import { matchOf, type Match, type Question } from './question.ts'

export interface Wait {
  readonly signal: AbortSignal
  readonly try_ms: number
}

export type Exchanged =
  | { readonly kind: 'reply'; readonly match: Exclude<Match, 'foreign'>; readonly bytes: Buffer }
  /** Nothing that was ours. `strange` replies came that were not to the question. */
  | { readonly kind: 'silent'; readonly strange: number }
  | { readonly kind: 'error'; readonly error: unknown }

/** The socket is connected, so that the system drops what comes from elsewhere. What is not ours is ignored until the time is up. */
export function overUdp(server: DnsServer, question: Question, wait: Wait): Promise<Exchanged> {
  const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4')
  let strange = 0
  const work = settling(wait, (settle) => {
    socket.on('error', (error) => settle({ kind: 'error', error }))
    socket.on('message', (bytes) => {
      const match = matchOf(question, bytes)
      if (match === 'foreign') strange++
      else settle({ kind: 'reply', match, bytes })
    })
    // A callback given to `connect` would take its errors away from the handler above.
    socket.on('connect', () => socket.send(question.bytes))
    socket.connect(server.port, server.address)
    return () => ({ kind: 'silent', strange })
  })
  return work.finally(() => socket.close())
}

/** RFC 1035 §4.2.2: two octets of length before each message. Any letter case is good here. */
export function overTcp(server: DnsServer, question: Question, wait: Wait): Promise<Exchanged> {
  const socket = connect({ host: server.address, port: server.port, noDelay: true })
  let bytes = Buffer.alloc(0)
  const work = settling(wait, (settle) => {
    socket.on('error', (error) => settle({ kind: 'error', error }))
    socket.on('close', () => settle({ kind: 'silent', strange: 0 }))
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const message = wholeMessage(bytes)
      if (message === null) return
      const match = matchOf(question, message)
      if (match === 'foreign') settle({ kind: 'silent', strange: 1 })
      else settle({ kind: 'reply', match, bytes: message })
    })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(question.bytes.length)
    socket.write(Buffer.concat([length, question.bytes]))
    return () => ({ kind: 'silent', strange: 0 })
  })
  return work.finally(() => socket.destroy())
}

/** At most 64 KiB: that is all that the length can say. */
function wholeMessage(bytes: Buffer): Buffer | null {
  if (bytes.length < 2) return null
  const end = 2 + bytes.readUInt16BE(0)
  return bytes.length < end ? null : bytes.subarray(2, end)
}

type Begin = (settle: (outcome: Exchanged) => void) => () => Exchanged

/** Whatever happens first: an outcome, the end of the time, the signal. */
function settling({ signal, try_ms }: Wait, begin: Begin): Promise<Exchanged> {
  let cleanUp = () => {}
  return new Promise<Exchanged>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    const late = begin(resolve)
    const timer = setTimeout(() => resolve(late()), try_ms)
    signal.addEventListener('abort', abort, { once: true })
    cleanUp = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }).finally(() => cleanUp())
}
