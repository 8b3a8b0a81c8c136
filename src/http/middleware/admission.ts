/** Who passes at all: the access policy, guessing at keys, and the rate limit, before anything of the call is read. */
import { Failure } from '../../kernel/failure.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { decide, type Decision, headersAlone } from '../access/access.ts'
import { type Caller, type KeyGuard, tooManyWrong, UNKNOWN_CALLER } from '../access/caller.ts'
import type { Level } from '../access/level.ts'
import { PROVEN_BY_HANDLER } from '../access/pace.ts'
import { isSafe, type RequestFacts, splitTarget } from '../access/request-facts.ts'
import type { AccessSettings } from '../access/settings.ts'
import { callOf } from '../call.ts'
import type { Endpoint } from '../contract.ts'
import type { Refusal } from '../refusal.ts'
import { replyOf } from '../reply.ts'
import { methodUnknown, pathUnknown, type Route } from '../routes.ts'
import { callerIn, type Middleware, type Passing } from './way.ts'

/** Remembers which keys were right and which were wrong, by client. */
export interface KeyMemory extends KeyGuard {
  right(holder: string): void
  /** How long it is to wait for being wrong again; 0: not at all. */
  wrong(holder: string): Milliseconds
}

/** The rate limit: 0 lets a caller pass, anything else is how long to wait. */
type Admit = (caller: Caller, level: Level) => Milliseconds

export interface Admission {
  readonly access: AccessSettings
  readonly admit: Admit | null
  /** Null: keys may be tried without end. */
  readonly keys: KeyMemory | null
}

/** Throws what the policy refuses. */
export const admitted =
  (admission: Admission, route: Route, endpoint: Endpoint): Middleware =>
  async (c, next) => {
    c.set('route', route)
    c.set('endpoint', endpoint)
    admitTo(c, endpoint, admission)
    await next()
  }

/** A path of ours, by a method that it does not take. */
export const methodRefused =
  (admission: Admission, route: Route): Middleware =>
  async (c) => {
    c.set('route', route)
    admitTo(c, null, admission)
    throw methodUnknown(c.get('arrival').facts.method, route)
  }

/** @param routes all that there are, for "did you mean": strangers are told of none */
export const pathRefused =
  (admission: Admission, routes: readonly Route[]): Middleware =>
  async (c) => {
    admitTo(c, null, admission)
    const { path } = splitTarget(c.get('arrival').facts.target)
    throw pathUnknown(path, isProven(c) ? routes : [])
  }

/** HEAD comes as GET where that changes nothing; where it does, it is a method like any other that is not served. */
export function headRefused(admission: Admission, route: Route): Middleware {
  const refuse = methodRefused(admission, route)
  return async (c, next) => {
    await (c.req.method === 'HEAD' ? refuse(c, next) : next())
  }
}

/** Where the handler proves the caller, what is said of the inputs must not tell a right key from a wrong one. */
export const isProven = (c: Passing): boolean =>
  callerIn(c).class !== 'public' && !PROVEN_BY_HANDLER.has(c.get('endpoint')?.level ?? 'public')

/** Counted as in the path that was called. */
const slashSegmentOf = (endpoint: Endpoint | null): number | null =>
  endpoint?.slash_param === undefined ? null : endpoint.path.split('/').indexOf(`{${endpoint.slash_param}}`)

function admitTo(c: Passing, endpoint: Endpoint | null, admission: Admission): void {
  const { facts } = c.get('arrival')
  const level = endpoint?.level ?? 'public'
  const decision = decide(facts, level, admission.access, {
    keys: admission.keys,
    document: endpoint?.document === true,
    slash_segment: slashSegmentOf(endpoint),
    reads: endpoint !== null && readsOnly(endpoint, facts),
  })
  c.set('caller', decision)
  rememberKey(decision, admission)
  pace(decision, level, admission)
  if (!decision.allowed && decision.refusal.code !== 'method_not_allowed') throw failureOf(decision.refusal)
}

/** A dry run said twice, or where there is none, is refused by the schema of the query. */
const readsOnly = (endpoint: Endpoint, { method, target }: RequestFacts): boolean =>
  endpoint.reads === true ||
  isSafe(method) ||
  new URLSearchParams(splitTarget(target).query).get('dry_run') === 'true'

const failureOf = ({ code, detail, retry_after_ms, errors }: Refusal): Failure =>
  new Failure(code, detail, {
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
    ...(errors === undefined ? {} : { errors }),
  })

/** Refused calls count as well: whoever floods with them is to be told so at the least cost. Throws `rate_limited`. */
function pace(decision: Decision, level: Level, { admit }: Admission): void {
  const wait_ms = decision.client === '' ? 0 : (admit?.(decision, level) ?? 0)
  if (wait_ms > 0)
    throw new Failure('rate_limited', 'Too many requests from this caller.', { retry_after_ms: wait_ms })
}

/**
 * A wrong key counts whatever else the request is refused for: otherwise a body of the wrong type would be a way to try
 * keys for nothing. What stands in place of a key, on the levels `ddns` and `token`, is counted by those who prove it.
 * Throws `rate_limited`.
 */
function rememberKey({ key, allowed, holder }: Decision, { keys }: Admission): void {
  if (key === 'right' && allowed) keys?.right(holder)
  const wait_ms = key === 'wrong' ? (keys?.wrong(holder) ?? 0) : 0
  if (wait_ms > 0) throw failureOf(tooManyWrong(wait_ms))
}

// Liveness: hardly anything is looked at, so that it answers whatever else is wrong.

/** Whether the answer is given before all machinery. Anything unusual about the request takes the long way. */
export const isBare = (endpoint: Endpoint | undefined, facts: RequestFacts): boolean =>
  endpoint?.bare === true && facts.target === endpoint.path && !facts.has_body

export const bare =
  (route: Route, endpoint: Endpoint, { check_replies }: { readonly check_replies: boolean }): Middleware =>
  async (c, next) => {
    const arrival = c.get('arrival')
    if (isBare(endpoint, arrival.facts)) {
      c.set('route', route)
      c.set('endpoint', endpoint)
      const refused = headersAlone(arrival.facts)
      if (refused !== null) throw failureOf(refused)
      const call = callOf(arrival, UNKNOWN_CALLER, { params: {}, query: {}, body: undefined })
      c.set('answer', await replyOf(endpoint, call, { check: check_replies }))
    } else await next()
  }
