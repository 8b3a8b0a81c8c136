/**
 * `Prefer: respond-async` (RFC 7240 §4.1): what can be refused at once is refused at once; the rest goes on as an
 * operation, whose address is the answer. Under an Idempotency-Key that answer is remembered, so that a repeat is led to
 * the same operation, however that ended.
 */
import type { Actor } from '../model/actor.ts'
import type { Background } from '../operations/background/background.ts'
import type { Endpoint } from './contract.ts'
import type { Plain } from './plain.ts'
import { problemOf } from './problem.ts'
import { headerValues, type RequestFacts, splitTarget } from './request-facts.ts'

const PREFERENCE = 'respond-async'
const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** Whether the request holds a preference, in any of its lines and beside any others. */
export function prefers(facts: RequestFacts, name: string): boolean {
  const text = headerValues(facts, 'prefer').join(',').replaceAll(QUOTED, '')
  return text.split(',').some((preference) => preference.split(';', 1)[0]!.trim().toLowerCase() === name)
}

export function answersLater(endpoint: Endpoint, facts: RequestFacts): boolean {
  const { respond_async } = endpoint
  return respond_async === 'always' || (respond_async === 'asked' && prefers(facts, PREFERENCE))
}

export interface LaterCall {
  readonly background: Background
  readonly facts: RequestFacts
  readonly actor: Actor
  /** Told of what was thrown and is not meant for callers. */
  readonly surprised: (error: unknown) => void
}

/** 202 as soon as the operation is durable; `work` runs on and its answer is kept, a problem like any other. */
export async function respondLater(
  { background, facts, actor, surprised }: LaterCall,
  work: (signal: AbortSignal) => Promise<Plain>,
): Promise<Plain> {
  const { name, request_id } = actor
  const { path } = splitTarget(facts.target)
  const operation = await background.start(
    { actor: name, request_id, method: facts.method, path },
    async (signal) => {
      try {
        const { status, body } = await work(signal)
        return { status, body: textOf(body) }
      } catch (error) {
        surprised(error)
        const { status, body } = problemOf(error, request_id)
        return { status, body: JSON.stringify(body) }
      }
    },
  )
  const applied = prefers(facts, PREFERENCE) ? { 'preference-applied': PREFERENCE } : {}
  const location = `/api/operations/${operation.id}`
  const headers = { 'content-type': 'application/json', location, ...applied }
  return { status: 202, headers, body: JSON.stringify(operation) }
}

const textOf = (body: Plain['body']): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString()
