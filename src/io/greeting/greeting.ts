/** Whether somebody is there who speaks first, as servers of SSH and SMTP do. Taking a connection is no sign of life: a stuck process does so, too. */
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { deadlineSignal } from '../../kernel/async/deadline.ts'

export interface Greeter {
  readonly host: string
  readonly port: number
  /** Its first bytes are those of a handshake, which is sign enough; nothing is said over it. */
  readonly tls?: boolean
  readonly max_ms: Milliseconds
}

/** Resolves with the first bytes or the handshake; rejects when none came in time. Says nothing itself. */
export async function greeting(
  { host, port, tls = false, max_ms }: Greeter,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const deadline = deadlineSignal(clock, max_ms)
  const ends = AbortSignal.any([signal, deadline.signal])
  const greeted = Promise.withResolvers<void>()
  const socket = tls
    ? connectTls({ host, port, rejectUnauthorized: false }, greeted.resolve)
    : connect({ host, port }).once('data', () => greeted.resolve())
  const leave = () => greeted.reject(ends.reason as Error)
  socket.once('error', greeted.reject).once('close', () => greeted.reject(new Error('closed')))
  if (ends.aborted) leave()
  ends.addEventListener('abort', leave, { once: true })
  try {
    await greeted.promise
  } finally {
    ends.removeEventListener('abort', leave)
    deadline.end()
    socket.on('error', () => undefined).destroy()
  }
}
