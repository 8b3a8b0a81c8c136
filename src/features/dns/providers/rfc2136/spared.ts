/** Exchanges that spare callers the wait for a server which is known not to answer. Anything that comes is a sign of life. */
import { randomInt } from 'node:crypto'
import type { Clock, Milliseconds } from '../../../../kernel/clock.ts'
import { deadlineSignal } from '../../../../kernel/async/deadline.ts'
import { PeerGate } from '../../../../kernel/async/peer-gate.ts'
import { hostPort } from '../../../../model/network/address.ts'
import { exchange, type ExchangeOptions, type Server } from './connection.ts'
import { OPCODE, TYPE, writeMessage, writeQuestion } from './message.ts'

export interface Spared {
  readonly clock: Clock
  /** Left out, each caller waits for itself. */
  readonly gate?: PeerGate | undefined
}

export const nameServerGate = (server: Server, clock: Clock, back?: () => void): PeerGate =>
  new PeerGate({
    clock,
    back,
    place: `rfc2136: ${hostPort(server.host, server.port)}`,
    signOf: () => 'silent',
    probe: async (signal, max_ms) => {
      const deadline = deadlineSignal(clock, max_ms)
      const ends = AbortSignal.any([signal, deadline.signal])
      await anyReply(server, ends, max_ms).finally(() => deadline.end())
    },
  })

export async function* sparingly(
  server: Server,
  request: Buffer,
  options: ExchangeOptions & Spared,
): AsyncGenerator<Buffer, void, undefined> {
  const { clock, gate, signal } = options
  signal.throwIfAborted()
  await gate?.check()
  let since = clock.elapsed()
  // At once, so that nobody who comes while the connection is taken down waits as long.
  const left = () => gate?.failed(signal.reason, clock.elapsed() - since)
  signal.addEventListener('abort', left, { once: true })
  try {
    for await (const bytes of exchange(server, request, options)) {
      gate?.alive()
      yield bytes
      since = clock.elapsed()
    }
  } catch (error) {
    gate?.failed(error, clock.elapsed() - since)
    throw error
  } finally {
    signal.removeEventListener('abort', left)
  }
}

/** A question to which every name server says something, if only that it refuses. */
async function anyReply(server: Server, signal: AbortSignal, idle_ms: Milliseconds): Promise<void> {
  const id = randomInt(0x1_0000)
  const request = writeMessage({ id, opcode: OPCODE.QUERY }, [[writeQuestion('.', TYPE.SOA)], [], [], []])
  for await (const _ of exchange(server, request, { signal, idle_ms })) return
  throw new Error('nothing came')
}
