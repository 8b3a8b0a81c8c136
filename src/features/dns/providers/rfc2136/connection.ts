/** One request on one TCP connection, and the messages that come back (RFC 1035 §4.2.2: two octets of length before each). */
import { connect, type Socket } from 'node:net'
import { Failure, systemErrorCode } from '../../../../kernel/failure.ts'
import { hostPort } from '../../../../model/network/address.ts'

export interface Server {
  /** Address or host name. */
  readonly host: string
  readonly port: number
}

export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** The longest silence. */
  readonly idle_ms: number
}

/**
 * Yields messages as they come until the server closes or the caller stops; then the connection is gone. Throws
 * `component_unavailable` when the server cannot be reached, falls silent or breaks off, and the signal's reason.
 */
export async function* exchange(
  server: Server,
  request: Buffer,
  { signal, idle_ms }: ExchangeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  signal.throwIfAborted()
  const socket = connect({ host: server.host, port: server.port, noDelay: true })
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  let silent = false
  socket.setTimeout(idle_ms, () => {
    silent = true
    socket.destroy()
  })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(request.length)
  socket.write(Buffer.concat([length, request]))
  try {
    yield* messagesOf(socket)
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    throw silent ? silence(server, idle_ms) : failureAt(server, error)
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
}

async function* messagesOf(socket: Socket): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      yield rest.subarray(2, end)
      rest = rest.subarray(end)
    }
  }
}

const where = ({ host, port }: Server): string => `rfc2136: ${hostPort(host, port)}`

const silence = (server: Server, idle_ms: number): Failure =>
  new Failure(
    'component_unavailable',
    `${where(server)} was silent for ${idle_ms / 1000} s. See that a name server listens there on TCP and that no firewall swallows the connection.`,
  )

/** Also what an early end is: `where` it broke off says enough. */
export const brokenOff = (server: Server): Failure =>
  new Failure(
    'component_unavailable',
    `${where(server)} closed the connection before its answer was complete. See the name server's log.`,
  )

function failureAt(server: Server, error: unknown): unknown {
  if (error instanceof Failure) return error
  const code = systemErrorCode(error)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return brokenOff(server)
  if (code === null) return error
  return new Failure(
    'component_unavailable',
    `${where(server)} could not be reached (${code}). See that the name server runs and listens there on TCP.`,
    { cause: error },
  )
}
