/** What the scripted authority can do instead of its duty, at each of its resources. */
import type { ServerResponse } from 'node:http'

export type Resource =
  | 'directory'
  | 'new-nonce'
  | 'new-account'
  | 'new-order'
  | 'order'
  | 'authorization'
  | 'challenge'
  | 'finalize'
  | 'certificate'
  | 'renewal-info'

export interface PlainAnswer {
  readonly status: number
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Misconduct =
  | PlainAnswer
  /** Nothing at all; the connection stays open. */
  | 'says nothing'
  /** The head and half a body; the connection stays open. */
  | 'goes silent half-way'
  /** The same, and then the connection is closed. */
  | 'breaks off half-way'
  | 'hangs up'

export const URN = 'urn:ietf:params:acme:error:'

/** A problem document as RFC 8555 §6.7 has it. */
export const problem = (
  type: string,
  detail: string,
  { status = 403, headers = {}, ...members }: ProblemExtras = {},
): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { type: `${URN}${type}`, detail, status, ...members },
})

export interface ProblemExtras {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly subproblems?: readonly unknown[]
}

/** @param nonce for a fresh `Replay-Nonce`, which every whole answer carries */
export function give(response: ServerResponse, answer: Misconduct, nonce: string): void {
  if (answer === 'says nothing') return
  if (answer === 'hangs up') return void response.socket?.destroy()
  if (typeof answer === 'string') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"status":')
    if (answer === 'breaks off half-way') setImmediate(() => response.socket?.destroy())
    return
  }
  const { status, body = '', headers = {} } = answer
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'replay-nonce': nonce, ...headers })
  response.end(text)
}
