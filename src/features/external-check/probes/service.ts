/** Prometheus and Grafana, each by the address that says of itself whether all is well. */
import { Failure } from '../../../kernel/failure.ts'
import { visible } from '../../../kernel/text/visible.ts'
import type { ProbeOutcome } from '../../../model/network/external-check.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'

const MAX_MS = 4000
const MAX_BYTES = 64 * 1024
const MAX_SHOWN = 200

interface Service {
  readonly base: string
  readonly path: string
  /** What is wrong with an answer of 200, as the end of a sentence; null where nothing is. */
  readonly fault: (text: string) => string | null
}

export const prometheus = (base: string): Service => ({ base, path: '/-/healthy', fault: () => null })

export const grafana = (base: string): Service => ({ base, path: '/api/health', fault: grafanaFault })

function grafanaFault(text: string): string | null {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return 'answers 200 with something else than JSON, as a sign-in page or another service does'
  }
  const database = (said as { readonly database?: unknown } | null)?.database
  if (database === 'ok') return null
  return typeof database === 'string'
    ? `says that its database is "${visible(database.slice(0, MAX_SHOWN))}"`
    : 'answers 200 without saying how its database is'
}

export async function askService(
  http: HttpClient,
  { base, path, fault }: Service,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  try {
    const reply = await http.request({
      method: 'GET',
      url: `${base}${path}`,
      signal,
      deadline_ms: MAX_MS,
      max_bytes: MAX_BYTES,
    })
    const wrong = reply.status === 200 ? fault(reply.text) : `answers ${statusWords(reply)}`
    return {
      passed: wrong === null,
      answers: true,
      detail: `${base}${path} ${wrong ?? 'is well'}`,
      is_final: false,
    }
  } catch (error) {
    const detail =
      error instanceof Failure ? error.message.replace(/\.$/, '') : `${base}${path} was not asked to the end`
    return { passed: false, answers: false, detail, is_final: false }
  }
}

/** Nothing is followed: a loop cannot begin, and where it leads is for a person to set. */
function statusWords({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): string {
  const { location } = headers
  return location === undefined
    ? String(status)
    : `${status} and leads to ${visible(location.slice(0, MAX_SHOWN))}, which is not followed`
}
