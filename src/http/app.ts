/**
 * The façade: a list of endpoints becomes one function from a request to its answer. Both ways in, the socket and the
 * in-process call, go through it.
 */
import { randomUUID } from 'node:crypto'
import { Subjects } from '../core/subjects.ts'
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import { Failure, type FailureCode } from '../kernel/failure.ts'
import type { Facts, Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Caller, UNKNOWN_CALLER } from './access/caller.ts'
import { headerValue, type RequestFacts, splitTarget } from './access/request-facts.ts'
import { unprovenProxies } from './access/unproven-proxies.ts'
import type { Endpoint } from './contract.ts'
import {
  type Arrival,
  endpointFor,
  type Incoming,
  isBare,
  pass,
  passBare,
  type PipelineOptions,
  type Progress,
} from './pipeline.ts'
import { type Plain, seal, type Sealed } from './plain.ts'
import { problemOf } from './problem.ts'
import { type Route, routeFinder, routesOf } from './routes.ts'
import { handle, type Origin } from './socket/in-process.ts'
import { idleBodies, openBodies } from './socket/open-bodies.ts'

export interface AppOptions extends PipelineOptions {
  readonly endpoints: readonly Endpoint[]
  readonly metrics: Metrics
  readonly clock: Clock
}

export interface App {
  /** Never rejects: whatever is thrown inside is a problem answer. */
  answer(incoming: Incoming): Promise<Sealed>
  /** The same without a socket. Whoever calls says who is calling; an unknown peer (null) is public. */
  handle(request: Request, origin: Origin): Promise<Response>
}

/** Throws when two endpoints claim the same path and method, or the same id; where replies are checked, bodies are too. */
export function buildApp(options: AppOptions): App {
  const { endpoints, check_replies } = options
  const [fault] = check_replies ? [...openBodies(endpoints), ...idleBodies(endpoints)] : []
  if (fault !== undefined) throw new Error(fault)
  const routes = routesOf(options.endpoints)
  const find = routeFinder(routes)
  const responding: Responding = { ...options, routes, tellUnproven: unprovenProxies(options.log) }
  const answer = (incoming: Incoming): Promise<Sealed> => {
    const { facts, body, signal } = incoming
    const arrival: Arrival = { facts, body, signal, ...requestIds(facts), subjects: new Subjects() }
    return respond(arrival, find(splitTarget(facts.target).path), responding)
  }
  return { answer, handle: (request, origin) => handle(answer, request, origin) }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** A caller who names two requests alike, or like somebody else's, must not be able to make one of them in log and trail. */
function requestIds(facts: RequestFacts): Pick<Arrival, 'request_id' | 'caller_request_id'> {
  const given = headerValue(facts, 'x-request-id')
  return {
    request_id: randomUUID(),
    caller_request_id: given !== null && REQUEST_ID.test(given) ? given : null,
  }
}

interface Responding extends AppOptions {
  readonly routes: readonly Route[]
  readonly tellUnproven: (caller: Caller) => void
}

async function respond(arrival: Arrival, route: Route | null, options: Responding): Promise<Sealed> {
  const started_ms = options.clock.elapsed()
  const { facts, request_id } = arrival
  const endpoint = endpointFor(route, facts)
  const progress: Progress = { caller: UNKNOWN_CALLER }
  const bare = isBare(endpoint, facts)
  let answer: Plain | Response
  let error: unknown = null
  try {
    answer = bare ? await passBare(arrival, endpoint, options) : await pass(arrival, route, options, progress)
  } catch (thrown) {
    error = thrown
    answer = problem(thrown, { request_id, route, endpoint })
    if (facts.has_body) await arrival.body.discard()
  }
  const outcome = {
    method: facts.method,
    path: route?.path ?? 'unmatched',
    status: answer.status,
    took_ms: options.clock.elapsed() - started_ms,
    request_id,
    caller_request_id: arrival.caller_request_id,
    caller: progress.caller,
    subjects: arrival.subjects,
    error,
    abandoned: error !== null && arrival.signal().aborted,
    bare,
  }
  setImmediate(logAnswer, outcome, options)
  options.tellUnproven(progress.caller)
  return seal(answer, { request_id, method: facts.method })
}

interface Asked {
  readonly request_id: string
  readonly route: Route | null
  readonly endpoint: Endpoint | null
}

function problem(error: unknown, { request_id, route, endpoint }: Asked): Plain {
  const { status, headers, body } = problemOf(error, request_id)
  const allow = status === 405 && route !== null ? { allow: route.allow } : {}
  const line = endpoint?.problem_line?.(body.code)
  return line === undefined
    ? { status, headers: { ...headers, ...allow }, body: JSON.stringify(body) }
    : {
        status: line.status,
        headers: { ...headers, ...inWords(line.status), ...allow },
        body: `${line.text}\n`,
      }
}

/** Clients of such protocols know Basic credentials alone. */
const inWords = (status: number): Record<string, string> => ({
  'content-type': 'text/plain; charset=utf-8',
  ...(status === 401 ? { 'www-authenticate': 'Basic realm="plumbline", charset="UTF-8"' } : {}),
})

// One line and one count per request, written after the response. Paths are patterns and queries never appear.

interface Outcome {
  readonly method: string
  /** The path pattern, or `unmatched`. */
  readonly path: string
  readonly status: number
  readonly took_ms: Milliseconds
  readonly request_id: string
  readonly caller_request_id: string | null
  readonly caller: Caller
  /** As far as the answer took them. */
  readonly subjects: Subjects
  /** What was thrown, or null. */
  readonly error: unknown
  /** The client went away before the answer; whatever was thrown then is its echo. */
  readonly abandoned: boolean
  /** Answered before the machinery: a liveness probe, of which there are many. */
  readonly bare: boolean
}

interface Recorders {
  readonly log: Log
  readonly metrics: Metrics
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Those that are counted by name. */
const COUNTED = ['GET', 'POST', 'PUT', 'DELETE']

/** Failures that come before a caller is let in: whoever is not, must not choose what is counted. */
const REFUSED: readonly FailureCode[] = [
  'malformed_request',
  'host_not_served',
  'cross_site_request',
  'network_not_trusted',
  'group_not_allowed',
  'method_not_allowed',
  'unauthenticated',
  'wrong_key',
  'rate_limited',
]

function logAnswer(outcome: Outcome, { log, metrics }: Recorders): void {
  const counted = labelsOf(outcome)
  metrics.count('plumbline_http_requests_total', { ...counted, status: String(outcome.status) })
  const { method } = counted
  metrics.observe('plumbline_http_request_duration_seconds', outcome.took_ms / 1000, { method })
  if (outcome.caller.identity_dropped) metrics.count('plumbline_http_identity_dropped_total')
  const facts = {
    method: METHODS.includes(outcome.method) ? outcome.method : 'other',
    route: outcome.path,
    status: outcome.status,
    ...outcome.subjects.facts(),
    took_ms: Math.round(outcome.took_ms),
    request_id: outcome.request_id,
    ...(outcome.caller_request_id === null ? {} : { caller_request_id: outcome.caller_request_id }),
    class: outcome.caller.class,
    actor: outcome.caller.actor,
    ...(outcome.caller.identity_dropped ? { identity_dropped: true } : {}),
    ...(outcome.caller.unproven_proxy === null ? {} : { unproven_proxy: outcome.caller.unproven_proxy }),
    ...(outcome.abandoned ? { abandoned: true } : reasonOf(outcome.error)),
  }
  if (outcome.status >= 500 && !outcome.abandoned) log.error('request answered', facts)
  else if (outcome.bare || isLook(outcome)) log.debug('request answered', facts)
  else log.info('request answered', facts)
}

/** What changed nothing and went well is of interest to whoever looks for it. */
const isLook = ({ method, status }: Outcome): boolean =>
  (method === 'GET' || method === 'HEAD') && status < 400

function labelsOf({ method, path, caller, error }: Outcome): { method: string; route: string } {
  const isRefused = error instanceof Failure && REFUSED.includes(error.code)
  const isStranger = caller.class === 'public' && error !== null
  if (isRefused || isStranger || path === 'unmatched') return { method: 'other', route: 'refused' }
  return { method: COUNTED.includes(method) ? method : 'other', route: path }
}

/** The code always; the text from inside, and the error itself, only where it is our trouble and not the caller's. */
function reasonOf(error: unknown): Facts {
  if (error === null) return {}
  if (!(error instanceof Failure)) return { code: 'internal', error }
  const { inside, cause } = error.details
  return {
    code: error.code,
    ...(inside === undefined ? {} : { inside }),
    ...(error.code === 'internal' ? { error } : cause === undefined ? {} : { error: cause }),
  }
}
