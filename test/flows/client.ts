/** Calls a house in-process as a keyed caller on this host, and reads the answer. */
import type { Daemon } from '../../src/build-daemon.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // Bodies are looked into freely by tests.
  readonly body: Record<string, never> & Record<string, unknown>
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Null: without a key. */
  readonly key?: string | null
  readonly peer?: string | null
}

export type Client = (method: string, path: string, options?: CallOptions) => Promise<Answered>

export const clientOf =
  (house: Pick<Daemon, 'app' | 'key'>): Client =>
  async (method, path, { body, headers = {}, key = house.key.reveal(), peer = '127.0.0.1' } = {}) => {
    const sent = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = await house.app.request(request, undefined, { peer })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: jsonOr(text) as Answered['body'] }
  }

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
