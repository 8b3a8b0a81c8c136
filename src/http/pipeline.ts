/**
 * The way of one request, as one function instead of a stack of middlewares: access, rate limit, body, inputs,
 * idempotency, handler, answer. Whatever refuses throws; `app.ts` makes the problem answer of it.
 */
import { Failure } from '../kernel/failure.ts'
import type { Milliseconds } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Background } from '../core/background/background.ts'
import { OperationProgress } from '../core/background/progress.ts'
import type { Subjects } from '../core/subjects.ts'
import type { AccessSettings } from './access/settings.ts'
import { decide, type Decision, headersAlone } from './access/access.ts'
import { type IncomingBody, LARGEST_BODY, tooLarge } from './body/body-limit.ts'
import { callOf } from './call.ts'
import { type Caller, type KeyGuard, tooManyWrong, UNKNOWN_CALLER } from './access/caller.ts'
import type { Call, Endpoint } from './contract.ts'
import { type AnswerMemory, honoursKey, idempotencyKey, once } from './idempotency.ts'
import { type Inputs, readInputs, readParams } from './body/inputs.ts'
import type { Level } from './access/level.ts'
import { PROVEN_BY_HANDLER } from './access/pace.ts'
import type { Plain } from './plain.ts'
import type { Refusal } from './refusal.ts'
import { isSafe, type RequestFacts, splitTarget } from './access/request-facts.ts'
import { replyOf, unlessUnchanged } from './reply.ts'
import { answersLater, respondInTime, respondLater } from './respond-async.ts'
import { methodUnknown, pathUnknown, type Route } from './routes.ts'

/** A request on its way in: the policy's facts, and how to get at the rest. */
export interface Incoming {
  readonly facts: RequestFacts
  readonly body: IncomingBody
  readonly signal: () => AbortSignal
}

export interface Arrival extends Incoming {
  readonly request_id: string
  /** What the request calls itself, or null. It is told beside ours and never in its place. */
  readonly caller_request_id: string | null
  readonly subjects: Subjects
}

/** Remembers which keys were right and which were wrong, by client. */
export interface KeyMemory extends KeyGuard {
  right(client: string): void
  /** How long the client is to wait for being wrong again; 0: not at all. */
  wrong(client: string): Milliseconds
}

/** The rate limit: 0 lets a caller pass, anything else is how long to wait. */
type Admit = (caller: Caller, level: Level) => Milliseconds

export interface PipelineOptions {
  readonly access: AccessSettings
  /** Null: Idempotency-Key is not honoured. */
  readonly answers: AnswerMemory | null
  /** Null: every call is answered when it is done, whatever its caller prefers. */
  readonly background: Background | null
  readonly admit: Admit | null
  /** Null: keys may be tried without end. */
  readonly keys: KeyMemory | null
  readonly check_replies: boolean
  readonly log: Log
}

interface Passing extends PipelineOptions {
  /** All that there are, for "did you mean". */
  readonly routes: readonly Route[]
}

/** Where on its way a request is; the request log tells it. */
export interface Progress {
  caller: Caller
}

const NO_BYTES = new Uint8Array()

/** The endpoint for a request, null where the path or its method is unknown. */
export const endpointFor = (route: Route | null, facts: RequestFacts): Endpoint | null =>
  route?.by_method.get(facts.method) ?? null

/** Whether the answer is given before all machinery. Anything unusual about the request takes the long way. */
export const isBare = (endpoint: Endpoint | null, facts: RequestFacts): endpoint is Endpoint =>
  endpoint?.bare === true && facts.target === endpoint.path && !facts.has_body

/** Liveness: hardly anything is looked at, so that it answers whatever else is wrong. */
export async function passBare(
  arrival: Arrival,
  endpoint: Endpoint,
  options: PipelineOptions,
): Promise<Plain | Response> {
  const refused = headersAlone(arrival.facts)
  if (refused !== null) throw failureOf(refused)
  const inputs = { params: {}, query: {}, body: undefined }
  return replyOf(endpoint, callOf(arrival, UNKNOWN_CALLER, inputs), { check: options.check_replies })
}

/** A dry run said twice, or where there is none, is refused by the schema of the query. */
const readsOnly = (endpoint: Endpoint, { method, target }: RequestFacts): boolean =>
  endpoint.reads === true ||
  isSafe(method) ||
  new URLSearchParams(splitTarget(target).query).get('dry_run') === 'true'

export async function pass(
  arrival: Arrival,
  route: Route | null,
  options: Passing,
  progress: Progress,
): Promise<Plain | Response> {
  const { facts } = arrival
  const endpoint = endpointFor(route, facts)
  const decision = decide(facts, endpoint?.level ?? 'public', options.access, {
    keys: options.keys,
    document: endpoint?.document === true,
    reads: endpoint !== null && readsOnly(endpoint, facts),
  })
  progress.caller = decision
  rememberKey(decision, options)
  pace(decision, endpoint?.level ?? 'public', options)
  if (!decision.allowed && decision.refusal.code !== 'method_not_allowed') throw failureOf(decision.refusal)
  // Where the handler proves the caller, what is said of the inputs must not tell a right key from a wrong one.
  const proven = decision.class !== 'public' && !PROVEN_BY_HANDLER.has(endpoint?.level ?? 'public')
  if (route === null) throw pathUnknown(splitTarget(facts.target).path, proven ? options.routes : [])
  if (endpoint === null) throw methodUnknown(facts.method, route)
  // Without a body the handler asks, after the query was judged: a query that is refused tells no key from another.
  if (facts.has_body)
    await endpoint.prove?.(
      callOf(arrival, decision, { params: readParams(endpoint, facts.target), query: {}, body: undefined }),
    )
  const body = facts.has_body ? await wholeBody(arrival.body, endpoint) : NO_BYTES
  const inputs = await readInputs(endpoint, { target: facts.target, body, proven })
  const answer = () => respond({ arrival, endpoint, caller: decision, inputs }, options)
  const key = honoursKey(endpoint) ? idempotencyKey(facts) : null
  if (key === null || options.answers === null || isDryRun(inputs)) return answer()
  return once(
    {
      memory: options.answers,
      key,
      keyed: { request: facts, caller: decision, body },
      unsaved: (error) =>
        options.log.error('idempotent answer not kept', { request_id: arrival.request_id, error }),
    },
    async () => settled(await answer()),
  )
}

const isDryRun = ({ query }: Inputs): boolean =>
  (query as Readonly<Record<string, unknown>>)['dry_run'] === true

interface Accepted {
  readonly arrival: Arrival
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly inputs: Inputs
}

/** Now, or as an operation that does not mind when its caller leaves, where that is asked for or takes its time. */
async function respond(
  { arrival, endpoint, caller, inputs }: Accepted,
  options: Passing,
): Promise<Plain | Response> {
  const { facts, request_id } = arrival
  const { background, log } = options
  const now = callOf(arrival, caller, inputs)
  if (background === null || endpoint.respond_async === undefined) return run(endpoint, now, facts, options)
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
  const { subjects } = arrival
  const later = { background, facts, actor: now.actor, surprised, staysCall, progress, subjects }
  const work = (signal: AbortSignal) =>
    run(endpoint, callOf({ ...arrival, signal: () => signal, progress }, caller, inputs), facts, options)
  return answersLater(endpoint, facts)
    ? respondLater(later, async (signal) => settled(await work(signal)))
    : respondInTime(later, arrival.signal(), { work, settled })
}

const failureOf = ({ code, detail, retry_after_ms }: Refusal): Failure =>
  new Failure(code, detail, retry_after_ms === undefined ? {} : { retry_after_ms })

/** Refused calls count as well: whoever floods with them is to be told so at the least cost. Throws `rate_limited`. */
function pace(decision: Decision, level: Level, { admit }: PipelineOptions): void {
  const wait_ms = decision.client === '' ? 0 : (admit?.(decision, level) ?? 0)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many requests from this caller.', { retry_after_ms: wait_ms })
}

/**
 * A wrong key counts whatever else the request is refused for: otherwise a body of the wrong type would be a way to try
 * keys for nothing. What stands in place of a key, on the levels `ddns` and `edge`, is counted by those who prove it.
 * Throws `rate_limited`.
 */
function rememberKey({ key, allowed, client }: Decision, { keys }: PipelineOptions): void {
  if (key === 'right' && allowed) keys?.right(client)
  const wait_ms = key === 'wrong' ? (keys?.wrong(client) ?? 0) : 0
  if (wait_ms > 0) throw failureOf(tooManyWrong(wait_ms))
}

async function wholeBody(body: IncomingBody, { body_limit = LARGEST_BODY }: Endpoint): Promise<Uint8Array> {
  const bytes = await body.read(body_limit)
  if (bytes === null) throw tooLarge(body_limit)
  return bytes
}

async function run(
  endpoint: Endpoint,
  call: Call,
  facts: RequestFacts,
  options: PipelineOptions,
): Promise<Plain | Response> {
  const reply = await replyOf(endpoint, call, { check: options.check_replies })
  return reply instanceof Response ? reply : unlessUnchanged(facts, reply)
}

/** A handler's own response, read to its end so that it can be remembered. What streams must therefore be a GET. */
const settled = async (reply: Plain | Response): Promise<Plain> =>
  reply instanceof Response
    ? { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.bytes() }
    : reply
