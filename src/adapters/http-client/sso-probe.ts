/** Anonymous requests through the proxy, over one pool: the host that is asked for goes as Host and as TLS name. */
import { Agent, request as send } from 'undici'
import type { Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { SsoProbe } from '../../ports/sso-probe.ts'

const WITHIN_MS: Milliseconds = 2_000
const CONNECTIONS = 8

export interface OpenProbe extends SsoProbe {
  close(): Promise<void>
}

/**
 * @param origin `https://192.0.2.7:443`. Its certificate is not looked at: nothing that is received counts but a status
 * and where it leads, and certificates have a check of their own.
 */
export function proxyProbe(origin: string): OpenProbe {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 32 * 1024,
    connect: { rejectUnauthorized: false, timeout: WITHIN_MS },
  })
  return {
    async ask(host, path, signal) {
      try {
        const { statusCode, headers, body } = await send(`${origin}${path}`, {
          dispatcher: agent,
          method: 'GET',
          // As a browser asks for a page: others are told 401 instead of where to sign in.
          headers: { host, accept: 'text/html', 'user-agent': 'plumbline' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
        })
        // Whatever it is, it is none of ours; breaking it off costs a connection and no memory.
        body.on('error', () => undefined).destroy()
        const { location } = headers
        return { status: statusCode, location: typeof location === 'string' ? location : null }
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        const why = (cause as { code?: string; name?: string }).code ?? (cause as Error).name
        throw new Failure('component_unavailable', `the proxy did not answer for ${host} (${why})`, { cause })
      }
    },
    close: () => agent.destroy(),
  }
}
