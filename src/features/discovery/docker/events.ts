/** The event stream of a Docker host, as a hint that the containers may have changed. What an event says is not read. */
import { Agent, type buildConnector, type Dispatcher, request } from 'undici'

export interface EventLine {
  readonly dispatcher: Dispatcher
  close(): Promise<void>
}

/** @param connect as for the other calls of the host: a socket, TCP, or TLS */
export function eventLine(connect: buildConnector.connector): EventLine {
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
