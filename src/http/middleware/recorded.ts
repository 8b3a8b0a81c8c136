/** One line and one count per request, written after the response. Paths are patterns and queries never appear. */
import type { Subjects } from '../../core/subjects.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { Facts, Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Caller } from '../access/caller.ts'
import { unprovenProxies } from '../access/unproven-proxies.ts'
import { isBare } from './admission.ts'
import { callerIn, type Middleware, type Passing } from './way.ts'

interface Recorders {
  readonly log: Log
  readonly metrics: Metrics
  /** What stands before the paths of a service that has a listener of its own, so that two with one path are told apart. */
  readonly base?: string
}

export function recorded(options: Recorders & { readonly clock: Clock }): Middleware {
  const tellUnproven = unprovenProxies(options.log)
  return async (c, next) => {
    const started_ms = options.clock.elapsed()
    await next()
    const outcome = outcomeOf(c, options.clock.elapsed() - started_ms, options.base)
    setImmediate(logAnswer, outcome, options)
    tellUnproven(outcome.caller)
  }
}

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

function outcomeOf(c: Passing, took_ms: Milliseconds, base = ''): Outcome {
  const { facts, request_id, caller_request_id, subjects, signal } = c.get('arrival')
  const error = c.get('thrown') ?? null
  const route = c.get('route')
  return {
    method: facts.method,
    path: route === undefined ? 'unmatched' : base + route.path,
    status: c.get('answer').status,
    took_ms,
    request_id,
    caller_request_id,
    caller: callerIn(c),
    subjects,
    error,
    abandoned: error !== null && signal().aborted,
    bare: isBare(c.get('endpoint'), facts),
  }
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
  'read_only_key',
  'read_only_session',
  'session_not_proven',
  'sign_in_closed',
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
  const facts = factsOf(outcome)
  if (outcome.status >= 500 && !outcome.abandoned) log.error('request answered', facts)
  else if (outcome.bare || isLook(outcome)) log.debug('request answered', facts)
  else log.info('request answered', facts)
}

function factsOf({ caller, caller_request_id, ...outcome }: Outcome): Facts {
  return {
    method: METHODS.includes(outcome.method) ? outcome.method : 'other',
    route: outcome.path,
    status: outcome.status,
    ...outcome.subjects.facts(),
    took_ms: Math.round(outcome.took_ms),
    request_id: outcome.request_id,
    ...(caller_request_id === null ? {} : { caller_request_id }),
    class: caller.class,
    actor: caller.actor,
    ...(caller.identity_dropped ? { identity_dropped: true } : {}),
    ...(caller.unproven_proxy === null ? {} : { unproven_proxy: caller.unproven_proxy }),
    ...(outcome.abandoned ? { abandoned: true } : reasonOf(outcome.error)),
  }
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

/** The code always; the text from inside, and the error itself, only where the fault is ours and not the caller's. */
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
