/** The API as the command uses it: the same requests, whether a daemon answers them or this process does. */
import { Failure } from '../kernel/failure.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with query, such as `/api/domains?limit=5`. */
  readonly path: string
  readonly body?: unknown
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Api {
  /** `http://127.0.0.1:8080`, or `this process`. */
  readonly where: string
  call(request: ApiRequest): Promise<ApiAnswer>
  close(): Promise<void>
}

/** The body of a good answer. A problem answer becomes a Failure with its detail and one line per field. */
export async function expectGood<T>(api: Api, request: ApiRequest): Promise<T> {
  const answer = await api.call(request)
  if (answer.status < 400) return answer.body as T
  const problem = (answer.body ?? {}) as {
    code?: string
    detail?: string
    title?: string
    errors?: FieldLine[]
  }
  const lines = (problem.errors ?? []).map(({ loc, msg }) => `\n  ${loc.join('.')}: ${msg}`)
  const text = problem.detail ?? problem.title ?? `the server answered ${answer.status}`
  throw new Failure(
    answer.status >= 500 ? 'component_unavailable' : 'conflict',
    lines.length > 0 ? `Refused:${lines.join('')}` : text,
    {
      facts: { status: answer.status, code: problem.code ?? null },
    },
  )
}

interface FieldLine {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

/** JSON where it is JSON; the text itself otherwise. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
