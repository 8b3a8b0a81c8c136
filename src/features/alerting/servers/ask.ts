/** Asking one of the two servers, in such a way that every trouble is an answer in words. */
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'

/** Both give lists that grow with what they watch. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_QUOTED = 300

export interface Server {
  /** As it is called in sentences. */
  readonly name: string
  /** Without a slash at its end. */
  readonly url: string
  readonly http: Pick<HttpClient, 'request'>
}

export type Answer<State> =
  | { readonly known: true; readonly state: State }
  | { readonly known: false; readonly reason: 'unreachable' | 'malformed'; readonly detail: string }

interface Question {
  readonly path: string
  /** Sent with POST; left out: GET. */
  readonly json?: unknown
}

/** @param read throws nothing; null for what is no such answer */
export async function ask<State>(
  { name, url, http }: Server,
  { path, json }: Question,
  read: (text: string) => State | null,
  signal: AbortSignal,
): Promise<Answer<State>> {
  const what = { url: url + path, signal, max_bytes: MAX_BYTES }
  const reply = await replyOf(() =>
    http.request(json === undefined ? { ...what, method: 'GET' } : { ...what, method: 'POST', json }),
  )
  if (typeof reply === 'string') return { known: false, reason: 'unreachable', detail: reply }
  if (reply.status !== 200)
    return { known: false, reason: 'unreachable', detail: `${name} answered ${path} with ${quoted(reply)}.` }
  const state = read(reply.text)
  return state === null
    ? {
        known: false,
        reason: 'malformed',
        detail: `What ${name} answered to ${path} is nothing of its kind.`,
      }
    : { known: true, state }
}

/** The reply, or why there is none. Throws the signal's reason. */
export async function replyOf(send: () => Promise<HttpReply>): Promise<HttpReply | string> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** The status, and the beginning of what stands beside it. */
export function quoted({ status, text }: Pick<HttpReply, 'status' | 'text'>): string {
  // oxlint-disable-next-line no-control-regex
  const words = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return words === '' || words.startsWith('<') ? `${status}` : `${status} (${words.slice(0, MAX_QUOTED)})`
}

/** Undefined for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
