/** What happens to a call that was let in: its inputs are read, a repeat is recognized, the handler is asked. */
import type { Background } from '../../core/background/background.ts'
import { OperationProgress } from '../../core/background/progress.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import { isProven } from './admission.ts'
import { type IncomingBody, LARGEST_BODY, tooLarge } from '../body/body-limit.ts'
import { readInputs, readParams } from '../body/inputs.ts'
import { callOf } from '../call.ts'
import { readerAmong } from '../../core/shares.ts'
import type { Call, Endpoint } from '../contract.ts'
import { type AnswerMemory, idempotencyKey, once } from '../idempotency.ts'
import type { Plain } from '../plain.ts'
import { replyOf } from '../reply.ts'
import { answersLater, type LaterCall, respondInTime, respondLater } from '../respond-async.ts'
import { type Arrival, callerIn, type Middleware, type Passing } from './way.ts'

const NO_BYTES = new Uint8Array()

/** The body within its limit, and every input through its schema. */
export const understood =
  (endpoint: Endpoint): Middleware =>
  async (c, next) => {
    const arrival = c.get('arrival')
    const { target, has_body } = arrival.facts
    // Without a body the handler asks, after the query was judged: a query that is refused tells no key from another.
    if (has_body)
      await endpoint.prove?.(
        callOf(arrival, callerIn(c), { params: readParams(endpoint, target), query: {}, body: undefined }),
      )
    const body = has_body ? await wholeBody(arrival.body, endpoint) : NO_BYTES
    c.set('bytes', body)
    c.set('inputs', await readInputs(endpoint, { target, body, proven: isProven(c) }))
    await next()
  }

async function wholeBody(body: IncomingBody, { body_limit = LARGEST_BODY }: Endpoint): Promise<Uint8Array> {
  const bytes = await body.read(body_limit)
  if (bytes === null) throw tooLarge(body_limit)
  return bytes
}

/** Idempotency-Key. */
export const repeatable =
  (memory: AnswerMemory, log: Log): Middleware =>
  async (c, next) => {
    const { facts, request_id } = c.get('arrival')
    const key = idempotencyKey(facts)
    const run = async () => {
      await next()
      return settled(c.get('answer'))
    }
    const keyed = { request: facts, caller: callerIn(c), body: c.get('bytes') }
    const unsaved = (error: unknown) => log.error('idempotent answer not kept', { request_id, error })
    if (key === null || isDryRun(c)) await next()
    else c.set('answer', await once({ memory, key, keyed, unsaved }, run))
  }

const isDryRun = (c: Passing): boolean =>
  (c.get('inputs').query as Readonly<Record<string, unknown>>)['dry_run'] === true

export interface Answering {
  readonly check_replies: boolean
  /** Null: every call is answered when it is done, whatever its caller prefers. */
  readonly background: Background | null
  readonly log: Log
}

export const answered =
  (endpoint: Endpoint, options: Answering): Middleware =>
  async (c) =>
    c.set('answer', await answerTo(c, endpoint, options))

/** Now, or as an operation that does not mind when its caller leaves, where that is asked for or takes its time. */
async function answerTo(
  c: Passing,
  endpoint: Endpoint,
  { background, log, check_replies }: Answering,
): Promise<Plain | Response> {
  const arrival = c.get('arrival')
  const { facts, request_id, subjects } = arrival
  const callFor = (source: Arrival & { readonly progress?: OperationProgress }) =>
    callOf(source, callerIn(c), c.get('inputs'))
  const run = (call: Call) => replyOf(endpoint, call, { check: check_replies })
  const now = callFor(arrival)
  if (background === null || endpoint.respond_async === undefined) return run(now)
  endpoint.refuses?.()
  const surprised = (error: unknown) => {
    if (!(error instanceof Failure) || error.code === 'internal')
      log.error('operation failed inside', { request_id, error })
  }
  const staysCall = (error: unknown) => {
    const is_expected = error instanceof Failure && error.code !== 'internal'
    log[is_expected ? 'warn' : 'error']('call cannot go on as an operation', { request_id, error })
  }
  const progress = new OperationProgress()
  const later = {
    background,
    facts,
    actor: now.actor,
    reader: readerAmong(now),
    surprised,
    staysCall,
    progress,
    subjects,
  }
  const work = (signal: AbortSignal) => run(callFor({ ...arrival, signal: () => signal, progress }))
  // Of those who may only look, only what takes long goes on as an operation: each is kept for days.
  const is_later = answersLater(endpoint, facts) && now.may !== 'read'
  const begun = is_later
    ? await begunLater(endpoint, later, async (signal) => settled(await work(signal)))
    : null
  return begun ?? respondInTime(later, arrival.signal(), { work, settled })
}

/** Null where a full disk lets no operation begin: a preference gives way, and what closes must not wait for room. */
async function begunLater(
  { respond_async }: Endpoint,
  later: LaterCall,
  work: (signal: AbortSignal) => Promise<Plain>,
): Promise<Plain | null> {
  try {
    return await respondLater(later, work)
  } catch (error) {
    const is_full = error instanceof Failure && error.code === 'storage_full'
    if (!is_full || respond_async === 'always') throw error
    later.staysCall(error)
    return null
  }
}

/** A handler's own response, read to its end so that it can be remembered. What streams must therefore be a GET. */
const settled = async (reply: Plain | Response): Promise<Plain> =>
  reply instanceof Response
    ? { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.bytes() }
    : reply
