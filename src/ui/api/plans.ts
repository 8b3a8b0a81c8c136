/** A change from its plan to its proof: planned, applied exactly so, followed until it is proven. */
import { call, type Answer, type Request } from './client.ts'
import { notesOf } from '../model/restore-words.ts'
import type { Fault } from './fault.ts'
import type { KeptPlan, Operation, Plan } from './types.ts'

/** What is to be done: what is saved, as a kept plan; or one call that can be rehearsed. */
export type Change =
  | { readonly kind: 'plan'; readonly body: object; readonly path?: string }
  | {
      readonly kind: 'call'
      readonly method: 'POST' | 'PUT' | 'DELETE'
      readonly path: string
      readonly body?: object
    }

export interface Planned {
  /** Null where the call itself is made again, for real. */
  readonly id: string | null
  readonly plan: Plan
  /** When it was made, in milliseconds of the daemon's clock. */
  readonly made_at: number
  readonly expires_at: number | null
  /** What the answer says beside the plan: records that are left out, taken out of service, or made again. */
  readonly notes: readonly string[]
  /** The answer of the rehearsal, for what a page shows of it beside the plan; null of a kept plan. */
  readonly answer: unknown
}

export async function makePlan(change: Change, now: () => number): Promise<Answer<Planned>> {
  if (change.kind === 'plan') {
    const answer = await call<KeptPlan>({
      method: 'POST',
      path: change.path ?? '/api/plans',
      body: change.body,
    })
    return answer.ok ? { ...answer, body: keptPlan(answer.body) } : answer
  }
  const { method, path, body } = change
  const answer = await call<{ readonly plan: Plan }>(requestOf(method, withQuery(path, 'dry_run=true'), body))
  return answer.ok
    ? {
        ...answer,
        body: {
          id: null,
          plan: answer.body.plan,
          made_at: now(),
          expires_at: null,
          notes: notesOf(answer.body),
          answer: answer.body,
        },
      }
    : answer
}

const keptPlan = ({ id, plan, created_at, expires_at }: KeptPlan): Planned => ({
  id,
  plan,
  made_at: Date.parse(created_at),
  expires_at: Date.parse(expires_at),
  notes: [],
  answer: null,
})

const requestOf = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object | undefined): Request => ({
  method,
  path,
  ...(body !== undefined && { body }),
})

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** The first answer of applying: an operation to follow, or the result itself. */
export async function applyPlan(
  change: Change,
  planned: Planned,
  confirm: string | null,
): Promise<Answer<unknown>> {
  if (planned.id !== null)
    return await call({
      method: 'POST',
      path: `/api/plans/${planned.id}/apply`,
      prefer_async: true,
      ...(confirm !== null && { body: { confirm: planned.plan.hash } }),
    })
  if (change.kind === 'plan') throw new Error('a kept plan has an id')
  // Not only where a guard asks for it: what is applied is what was shown, or nothing.
  const path = withQuery(change.path, `confirm=${planned.plan.hash}`)
  return await call({ ...requestOf(change.method, path, change.body), prefer_async: true })
}

const FIRST_LOOK_MS = 250
const MAX_LOOK_MS = 1500

export const isOperation = (body: unknown): body is Operation =>
  typeof body === 'object' && body !== null && 'state' in body && 'progress' in body

export type Outcome =
  | { readonly kind: 'done'; readonly body: unknown; readonly operation: Operation | null }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly operation: Operation | null }

/** Looks at the operation until it has ended; an answer that cannot be had is asked for again. */
export async function follow(first: Operation, report: (operation: Operation) => void): Promise<Outcome> {
  let operation = first
  let wait = FIRST_LOOK_MS
  while (operation.state === 'running') {
    report(operation)
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 1.5, MAX_LOOK_MS)
    const answer = await call<Operation>({ path: `/api/operations/${operation.id}` })
    if (answer.ok) operation = answer.body
    else if (answer.status === 404) return { kind: 'failed', fault: answer.fault, operation }
  }
  report(operation)
  return outcomeOf(operation)
}

function outcomeOf(operation: Operation): Outcome {
  const { answer } = operation
  if (answer !== null && answer.status < 300) return { kind: 'done', body: answer.body, operation }
  const problem = answer?.body
  if (typeof problem === 'object' && problem !== null && 'detail' in problem)
    return { kind: 'failed', fault: { kind: 'problem', problem: problem as never }, operation }
  return { kind: 'failed', fault: { kind: 'unreadable', status: answer?.status ?? 0 }, operation }
}
