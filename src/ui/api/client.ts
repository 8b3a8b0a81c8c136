/** The one way to the API: answers as values, faults told apart, nothing thrown. */
import { learnTime } from './clock.ts'
import type { Fault } from './fault.ts'
import { sessionSecret } from './session-secret.ts'
import type { Problem } from './types.ts'

export type Answer<T> =
  | { readonly ok: true; readonly status: number; readonly body: T; readonly etag: string | null }
  | { readonly ok: false; readonly status: number; readonly fault: Fault }

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly if_match?: string
  readonly if_none_match?: string
  /** Long work answers with an operation to follow. */
  readonly prefer_async?: boolean
  /** Where the answer is a picture: then its body is a `Blob`. */
  readonly accept?: string
}

const READ_TIMEOUT_MS = 30_000
const WRITE_TIMEOUT_MS = 90_000

/** Called whenever an answer says that nobody is signed in, so that the page can ask. */
let onSignedOut: (fault: Fault) => void = () => undefined
export const whenSignedOut = (report: (fault: Fault) => void): void => {
  onSignedOut = report
}

/** Called after each exchange: whether anything answered. */
let onReached: (reached: boolean) => void = () => undefined
export const whenReached = (report: (reached: boolean) => void): void => {
  onReached = report
}

export async function call<T>(request: Request): Promise<Answer<T>> {
  const first = await exchange<T>(request)
  // The document preloads the overview; what it was refused before somebody signed in is no answer to who asks now.
  const answer = isSignedOut(first) && isRead(request) ? await exchange<T>(request) : first
  onReached(answer.ok || answer.fault.kind !== 'offline')
  if (!answer.ok && isSignedOut(answer)) onSignedOut(answer.fault)
  return answer
}

const isRead = ({ method = 'GET' }: Request): boolean => method === 'GET'

const isSignedOut = (answer: Answer<unknown>): boolean =>
  !answer.ok && (answer.fault.kind === 'signed_out' || answer.fault.kind === 'proxy')

async function exchange<T>(request: Request): Promise<Answer<T>> {
  try {
    const response = await window.fetch(request.path, initOf(request))
    learnTime(response.headers.get('date'))
    return await readAnswer<T>(response)
  } catch {
    return { ok: false, status: 0, fault: { kind: 'offline' } }
  }
}

function initOf({
  method = 'GET',
  body,
  if_match,
  if_none_match,
  prefer_async = false,
  accept = 'application/json',
}: Request): RequestInit {
  const headers = new Headers({ accept })
  const secret = sessionSecret()
  if (secret !== null) headers.set('x-plumbline-session-secret', secret)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (method !== 'GET') headers.set('idempotency-key', randomKey())
  if (if_match !== undefined) headers.set('if-match', if_match)
  if (if_none_match !== undefined) headers.set('if-none-match', if_none_match)
  if (prefer_async) headers.set('prefer', 'respond-async')
  return {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'manual',
    cache: 'no-store',
    signal: AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** `crypto.randomUUID` is missing on a plain-http address of the local network. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const { status, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304))
    return { ok: false, status, fault: { kind: 'proxy' } }
  const etag = response.headers.get('etag')
  if (status === 304 || status === 204) return { ok: true, status, body: undefined as T, etag }
  const media = response.headers.get('content-type') ?? ''
  if (response.ok && media.startsWith('image/'))
    return { ok: true, status, body: (await response.blob()) as T, etag }
  const text = await response.text()
  const body = media.includes('json') ? parsed(text) : undefined
  if (response.ok && body !== undefined) return { ok: true, status, body: body as T, etag }
  return { ok: false, status, fault: faultOf(status, media, body) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf(status: number, media: string, body: unknown): Fault {
  const problem = isProblem(body) ? body : null
  if (status === 401) return problem === null ? { kind: 'proxy' } : { kind: 'signed_out', problem }
  // The cookie is here and the secret beside it is not: another session's, or cleared away.
  if (problem?.code === 'session_not_proven') return { kind: 'signed_out', problem }
  if (problem !== null) return { kind: 'problem', problem }
  // A page where data was asked for is somebody else's: the sign-in page of a proxy.
  return media.includes('html') && status < 400 ? { kind: 'proxy' } : { kind: 'unreadable', status }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'request_id' in body && 'detail' in body
