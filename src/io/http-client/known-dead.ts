/** An HTTP client that knows which peers do not answer: one gate for each origin. Any answer is a sign of life, whatever its status. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { PeerGate, type Sign } from '../../kernel/async/peer-gate.ts'
import type { HttpClient } from '../../ports/http-client.ts'
import { isNobodyThere, isUnreadable, parsedUrl } from './errors.ts'

export interface KnownDeadOptions {
  readonly clock: Clock
  /** How often a dead peer is tried. */
  readonly every_ms?: Milliseconds
  /** A failure that came sooner held nobody up, and says nothing of the next request. */
  readonly held_up_ms?: Milliseconds
  /** Called when a peer answers again. */
  readonly back?: () => void
}

/** Of the probe's answer nothing is read but that it came. */
const PROBE_BYTES = 1024 * 1024

/** One wrapper for each peer, or for several: each origin is known by itself. */
export function knownDead(client: HttpClient, options: KnownDeadOptions): HttpClient {
  const gates = new Map<string, PeerGate>()
  let is_closed = false
  const gateOf = (origin: string): PeerGate => {
    const known = gates.get(origin)
    if (known !== undefined) return known
    const gate = new PeerGate({
      ...options,
      place: origin,
      signOf,
      probe: (signal, deadline_ms) =>
        client.request({ method: 'GET', url: `${origin}/`, signal, deadline_ms, max_bytes: PROBE_BYTES }),
    })
    if (is_closed) gate.close()
    gates.set(origin, gate)
    return gate
  }
  return {
    async close() {
      is_closed = true
      for (const gate of gates.values()) gate.close()
      await client.close()
    },
    async request(request) {
      request.signal.throwIfAborted()
      const gate = gateOf(parsedUrl(request.url).origin)
      return gate.run(() => client.request(request), request)
    },
  }
}

function signOf(error: unknown): Sign {
  if (!(error instanceof Failure)) return 'silent'
  if (isUnreadable(error)) return 'alive'
  return isNobodyThere(error) ? 'gone' : 'silent'
}
