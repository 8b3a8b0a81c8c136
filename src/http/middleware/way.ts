/**
 * A call on its way through Hono: how it came in, and what the middlewares learn of it. Hono's own view of the request is
 * not asked for anything but its method: it joins header lines, normalizes the path and believes the Host.
 */
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Subjects } from '../../core/subjects.ts'
import type { Standing } from '../access/access.ts'
import { type Caller, UNKNOWN_CALLER } from '../access/caller.ts'
import type { RequestFacts } from '../access/request-facts.ts'
import type { Inputs } from '../body/inputs.ts'
import type { IncomingBody } from '../body/body-limit.ts'
import type { Endpoint } from '../contract.ts'
import type { Plain } from '../plain.ts'
import type { Route } from '../routes.ts'

/** Node's two ends of a call, as node-server hands them on, and what this server knows of the connection. */
export interface OverSocket extends HttpBindings {
  /** The client holds its body back until it is asked for (`Expect: 100-continue`). */
  readonly waiting: boolean
  /** Whether the connection is to be closed after this answer. */
  readonly isLast: () => boolean
}

/** What a `Request` without a socket does not tell. */
export interface Origin {
  /** Who calls. Left out, or null, it is unknown, which is public. */
  readonly peer?: string | null
  /** The raw target and header lines, where they differ from what `Request` makes of them. */
  readonly target?: string
  readonly headers?: RequestFacts['headers']
}

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

export interface Way {
  readonly Bindings: OverSocket | Origin
  readonly Variables: {
    arrival: Arrival
    /** Unset where the path is none of ours. */
    route?: Route
    /** Unset where the path or its method is unknown. */
    endpoint?: Endpoint
    /** Unset until somebody is known. */
    caller?: Caller & Partial<Standing>
    /** All of the body, and what was read in it and in the address. */
    bytes: Uint8Array
    inputs: Inputs
    answer: Plain | Response
    /** What was thrown, where something was. */
    thrown?: unknown
  }
}

export type Passing = Context<Way>
/** It awaits what is next and returns nothing: what it returned, Hono would take for the answer. */
export type Middleware = MiddlewareHandler<Way>

export const callerIn = (c: Passing): Caller & Partial<Standing> => c.get('caller') ?? UNKNOWN_CALLER
