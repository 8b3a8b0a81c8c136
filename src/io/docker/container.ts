/** One Docker container over the Engine's socket (API 1.41 and later): since when it runs, and restarting it. */
import { Client } from 'undici'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Restarted } from '../../ports/sso-provider.ts'

const ASK_WITHIN_MS: Milliseconds = 3_000
/** The Engine stops a container within 10 s, by force at the end, and answers when it has started again. */
const RESTART_WITHIN_MS: Milliseconds = 25_000
const STOPS_WITHIN_S = 10
const MAX_BYTES = 1024 * 1024

export interface Container {
  /** Null while it does not run. Throws `component_unavailable`. */
  startedAt(signal: AbortSignal): Promise<Instant | null>
  restart(signal: AbortSignal): Promise<Restarted>
  close(): Promise<void>
}

/** @param name of the container, as the settings' grammar takes it: nothing in it can leave its place in a path */
export function dockerContainer(name: string, socket: string): Container {
  const client = new Client('http://docker', { socketPath: socket, maxResponseSize: MAX_BYTES })
  const ask = async (method: 'GET' | 'POST', path: string, signal: AbortSignal, within_ms: Milliseconds) => {
    try {
      const { statusCode, body } = await client.request({
        method,
        path: `/containers/${encodeURIComponent(name)}${path}`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(within_ms)]),
      })
      return { status: statusCode, text: await body.text() }
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw new Failure(
        'component_unavailable',
        `docker: nobody answers at ${socket} (${(cause as Error).message}); is it there, and may we write to it?`,
        { cause },
      )
    }
  }
  return {
    async startedAt(signal) {
      const { status, text } = await ask('GET', '/json', signal, ASK_WITHIN_MS)
      if (status !== 200) throw unavailable(name, status)
      return startOf(text, name)
    },
    async restart(signal) {
      const { status } = await ask('POST', `/restart?t=${STOPS_WITHIN_S}`, signal, RESTART_WITHIN_MS)
      return status === 204
        ? { ok: true, proven: true }
        : { ok: false, why: unavailable(name, status).message }
    },
    close: () => client.destroy(),
  }
}

const unavailable = (name: string, status: number): Failure =>
  new Failure(
    'component_unavailable',
    status === 404
      ? `docker: there is no container ${name}`
      : `docker: the Engine answered ${status} about the container ${name}`,
  )

/** `State.StartedAt` is RFC 3339 with nanoseconds; a container that never ran has the year 1. */
function startOf(text: string, name: string): Instant | null {
  let state: unknown
  try {
    state = (JSON.parse(text) as { State?: unknown }).State
  } catch {
    state = undefined
  }
  const { Running, StartedAt } = (state ?? {}) as { Running?: unknown; StartedAt?: unknown }
  if (Running === false) return null
  const at = typeof StartedAt === 'string' ? Date.parse(StartedAt) : Number.NaN
  if (Number.isFinite(at) && at > 0) return at
  throw new Failure(
    'component_unavailable',
    `docker: what the Engine says of the container ${name} has no start time`,
  )
}
