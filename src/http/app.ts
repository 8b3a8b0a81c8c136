/**
 * The façade: a list of endpoints becomes one function from a request to its answer. Both ways in, the socket and the
 * in-process call, go through it.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Caller, UNKNOWN_CALLER } from './access/caller.ts'
import type { Endpoint } from './contract.ts'
import { idleBodies, openBodies } from './socket/open-bodies.ts'
import {
  endpointFor,
  type Incoming,
  isBare,
  pass,
  passBare,
  type Arrival,
  type PipelineOptions,
  type Progress,
} from './pipeline.ts'
import { Subjects } from '../core/subjects.ts'
import { type Plain, seal, type Sealed } from './plain.ts'
import { problemOf } from './problem.ts'
import { headerValue, type RequestFacts, splitTarget } from './access/request-facts.ts'
import { handle, type Origin } from './socket/in-process.ts'
import { logAnswer } from './request-log.ts'
import { type Route, routeFinder, routesOf } from './routes.ts'
import { unprovenProxies } from './access/unproven-proxies.ts'

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
