/** The API as the command uses it: the same requests, whether a daemon answers them or this process does. */
import { type Milliseconds, systemClock } from '../kernel/clock.ts'
import { Failure, type FieldError } from '../kernel/failure.ts'
import type { Plan } from '../model/plan.ts'
import type { OperationView } from '../core/background/operation.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with query, such as `/api/domains?limit=5`. */
  readonly path: string
  readonly body?: unknown
  /** Beside those of every call, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A daemon has not answered yet, and shows no sign of life: how long it is waited for still. Null: it lives. */
export type OnSilence = (left_ms: Milliseconds | null) => void

export interface Api {
  /** `http://127.0.0.1:8080`, or `this process`. */
  readonly where: string
  call(request: ApiRequest, onSilence?: OnSilence): Promise<ApiAnswer>
  /** Told of an operation that is waited for, as often as it is looked at, and null at its end. */
  following?(operation: OperationView | null): void
  close(): Promise<void>
}

/** Whether something may have been changed by it. */
export const isWrite = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>): boolean =>
  method !== 'GET' && new URL(path, 'http://any').searchParams.get('dry_run') !== 'true'

/** The same failure of a change that may have been carried out. */
export const outcomeUnknown = ({ code, message, details }: Failure): Failure =>
  new Failure(
    code,
    `${message} Whether it was carried out is unknown: "plumbline audit" and "plumbline plan" say so, look there before you repeat it.`,
    { ...details, facts: { ...details.facts, outcome: 'unknown' } },
  )

export const expectGood = async <T>(api: Api, request: ApiRequest): Promise<T> =>
  goodBody(await answerTo(api, request))

/** With its headers, where they say part of it. A problem answer is left to `goodBody`. */
export const answerTo = async (api: Api, request: ApiRequest): Promise<ApiAnswer> =>
  ended(api, request, await api.call(request))

/** The body of a good answer. A problem answer becomes a Failure with its detail and one line per field. */
export function goodBody<T>(answer: Pick<ApiAnswer, 'status' | 'body'>): T {
  if (answer.status < 400) return answer.body as T
  const problem = (answer.body ?? {}) as {
    code?: string
    detail?: string
    title?: string
    errors?: FieldError[]
    plan?: Plan
  }
  const lines = (problem.errors ?? []).map(({ loc, msg }) => `\n  ${loc.join('.')}: ${msg}`)
  const text = problem.detail ?? problem.title ?? `the server answered ${answer.status}`
  throw new Failure(
    answer.status >= 500 ? 'component_unavailable' : 'conflict',
    lines.length > 0 ? `Refused:${lines.join('')}` : text,
    {
      ...(lines.length > 0 && { errors: problem.errors! }),
      facts: { status: answer.status, code: problem.code ?? null, plan: problem.plan ?? null },
    },
  )
}

/** A change that takes its time is answered with an operation: its own answer is waited for. */
async function ended(api: Api, { method }: ApiRequest, answer: ApiAnswer): Promise<ApiAnswer> {
  const { location } = answer.headers
  if (answer.status !== 202 || location === undefined || method === 'GET') return answer
  try {
    return await followed(api, location)
  } finally {
    api.following?.(null)
  }
}

async function followed(api: Api, location: string): Promise<ApiAnswer> {
  for (;;) {
    const { status, headers, body } = await api.call({ method: 'GET', path: location }).catch(lost)
    if (status >= 400) return { status, headers, body }
    const operation = body as OperationView
    api.following?.(operation)
    if (operation.answer !== null) return { ...operation.answer, headers }
    if (operation.state !== 'running') return { status: 503, headers, body: { detail: operation.hint } }
    await systemClock.sleep(FOLLOW_EVERY_MS)
  }
}

const lost = (error: unknown): never => {
  throw error instanceof Failure ? outcomeUnknown(error) : error
}

const FOLLOW_EVERY_MS: Milliseconds = 500

/** JSON where it is JSON; the text itself otherwise. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
