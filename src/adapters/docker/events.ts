/** The event stream of a Docker host, as a hint that the containers may have changed. What an event says is not read. */
import { Agent, type Dispatcher, request } from 'undici'

export interface EventLine {
  readonly dispatcher: Dispatcher
  close(): Promise<void>
}

/** @param socket_path null for TCP */
export function eventLine(socket_path: string | null): EventLine {
  const connect = socket_path === null ? { timeout: 5000 } : { timeout: 5000, socketPath: socket_path }
  const agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 10_000, bodyTimeout: 0, connect })
  return { dispatcher: agent, close: () => agent.destroy() }
}

/** Those that change what is listed. An exec in a container is none. */
const FILTERS = encodeURIComponent(
  JSON.stringify({
    type: ['container'],
    event: ['create', 'destroy', 'die', 'health_status', 'pause', 'rename', 'start', 'unpause', 'update'],
  }),
)

/** Resolves with true at the first event, with false when the stream ends for whatever reason. Never rejects. */
export async function firstEvent(
  { dispatcher }: EventLine,
  {
    base,
    version,
    signal,
  }: { readonly base: string; readonly version: string; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const { body } = await request(`${base}/v${version}/events?filters=${FILTERS}`, { dispatcher, signal })
    body.on('error', () => undefined)
    const came = await new Promise<boolean>((resolve) => {
      body.once('data', () => resolve(true))
      body.once('close', () => resolve(false))
    })
    body.destroy()
    return came
  } catch {
    // A hint that cannot come is none: whoever waits looks by itself.
    return false
  }
}
