/** One line and one count per request, written after the response. Paths are patterns and queries never appear. */
import { Failure } from '../kernel/failure.ts'
import type { Milliseconds } from '../kernel/clock.ts'
import type { Facts, Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Caller } from './caller.ts'

export interface Outcome {
  readonly method: string
  /** The path pattern, or `unmatched`. */
  readonly path: string
  readonly status: number
  readonly took_ms: Milliseconds
  readonly request_id: string
  readonly caller_request_id: string | null
  readonly caller: Caller
  /** What was thrown, or null. */
  readonly error: unknown
  /** The client went away before the answer; whatever was thrown then is its echo. */
  readonly abandoned: boolean
  /** Answered before the machinery: a liveness probe, of which there are many. */
  readonly bare: boolean
}

export interface Recorders {
  readonly log: Log
  readonly metrics: Metrics
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function logAnswer(outcome: Outcome, { log, metrics }: Recorders): void {
  const method = METHODS.includes(outcome.method) ? outcome.method : 'other'
  const labels = { method, route: outcome.path }
  metrics.count('plumbline_http_requests_total', { ...labels, status: String(outcome.status) })
  metrics.observe('plumbline_http_request_duration_seconds', outcome.took_ms / 1000, labels)
  if (outcome.caller.identity_dropped) metrics.count('plumbline_http_identity_dropped_total')
  const facts = {
    method,
    route: outcome.path,
    status: outcome.status,
    took_ms: Math.round(outcome.took_ms * 1000) / 1000,
    request_id: outcome.request_id,
    ...(outcome.caller_request_id === null ? {} : { caller_request_id: outcome.caller_request_id }),
    class: outcome.caller.class,
    actor: outcome.caller.actor,
    ...(outcome.caller.identity_dropped ? { identity_dropped: true } : {}),
    ...(outcome.caller.unproven_proxy === null ? {} : { unproven_proxy: outcome.caller.unproven_proxy }),
    ...(outcome.abandoned ? { abandoned: true } : reasonOf(outcome.error)),
  }
  if (outcome.status >= 500 && !outcome.abandoned) log.error('request answered', facts)
  else if (outcome.bare) log.debug('request answered', facts)
  else log.info('request answered', facts)
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
