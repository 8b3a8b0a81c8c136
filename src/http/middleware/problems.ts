/** Whatever is thrown on the way becomes the answer: problem details, or the words of the endpoint's own protocol. */
import { problemOf } from '../problem.ts'
import type { Plain } from '../plain.ts'
import type { Middleware, Passing } from './way.ts'

/** Also what is no `Error`, which Hono would let through. */
export const problems: Middleware = async (c, next) => {
  try {
    await next()
  } catch (thrown) {
    const { facts, body } = c.get('arrival')
    c.set('thrown', thrown)
    c.set('answer', problem(thrown, c))
    if (facts.has_body) await body.discard()
  }
}

function problem(error: unknown, c: Passing): Plain {
  const { status, headers, body } = problemOf(error, c.get('arrival').request_id)
  const route = c.get('route')
  const allow = status === 405 && route !== undefined ? { allow: route.allow } : {}
  const line = c.get('endpoint')?.problem_line?.(body.code)
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
