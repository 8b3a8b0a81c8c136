/** The first and the last of a call: it is named and read as it came in, and its answer is sealed and goes out. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { randomUUID } from 'node:crypto'
import { Subjects } from '../../core/subjects.ts'
import { headerValue, type RequestFacts, splitTarget } from '../access/request-facts.ts'
import { seal } from '../plain.ts'
import { fromRequest, targetOf } from '../socket/in-process.ts'
import { fromSocket } from '../socket/over-socket.ts'
import { send } from '../socket/send.ts'
import type { Arrival, Middleware, Origin, OverSocket, Passing, Way } from './way.ts'

export const arriving: Middleware = async (c, next) => {
  const arrival = arrivalOf(c)
  c.set('arrival', arrival)
  await next()
  const { facts, request_id } = arrival
  const sealed = seal(c.get('answer'), { request_id, method: facts.method })
  const call = socketOf(c.env)
  if (call === null) {
    const { status, headers, body } = sealed
    c.res = new Response(body as ReadableStream | string | null, { status, headers })
  } else {
    // In pieces, and timed by its reader: node-server would hand a large answer over whole.
    await send(sealed, call, facts.has_body)
    c.res = RESPONSE_ALREADY_SENT
  }
}

function arrivalOf(c: Passing): Arrival {
  const call = socketOf(c.env)
  const incoming = call === null ? fromRequest(c.req.raw, c.env as Origin | undefined) : fromSocket(call)
  return { ...incoming, ...requestIds(incoming.facts), subjects: new Subjects() }
}

/** Null for a call without a socket. Hono hands on what it is given: nothing, where `app.request` is given no origin. */
const socketOf = (env: Way['Bindings'] | undefined): OverSocket | null =>
  env !== undefined && 'incoming' in env ? env : null

const NOWHERE = '//'

/** What Hono routes by. What is no path at all is at none of ours; the policy says why it is refused. */
export function rawPath(request: Request, env: Way['Bindings'] | undefined): string {
  const call = socketOf(env)
  const target = call === null ? (env as Origin | undefined)?.target : call.incoming.url
  const { path } = splitTarget(target ?? targetOf(request.url))
  return path.startsWith('/') ? path : NOWHERE
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
