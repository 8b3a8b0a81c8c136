/** Whether a backend answers HTTP/2 without TLS from the first byte on (RFC 9113 §3.3). */
import { connect } from 'node:net'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { BackendPlace } from '../../ports/backend-probe.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')
const SETTINGS = 4
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, SETTINGS, 0, 0, 0, 0, 0])

/** The first frame of a server is its settings (§3.4). */
export function speaksH2cOnce(
  { address, port }: BackendPlace,
  { within_ms, signal }: { readonly within_ms: Milliseconds; readonly signal: AbortSignal },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connect({ host: address, port })
    let seen = Buffer.alloc(0)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.destroy()
      settle()
    }
    const answer = (speaks: boolean) => end(() => resolve(speaks))
    const abort = () => end(() => reject(signal.reason as Error))
    const timer = setTimeout(() => answer(false), within_ms)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => void socket.write(Buffer.concat([PREFACE, EMPTY_SETTINGS])))
    socket.on('data', (bytes) => {
      seen = Buffer.concat([seen, bytes])
      if (seen.length >= 9) answer(seen[3] === SETTINGS && seen.readUInt32BE(5) === 0)
    })
    socket.on('error', () => answer(false))
    socket.once('close', () => answer(false))
  })
}
