/** What a handler is told of the end of a sign-in. */
import { expect, it } from 'vitest'
import { UNKNOWN_CALLER } from '../../src/http/access/caller.ts'
import { callOf } from '../../src/http/call.ts'

it.each([
  ['GET', true],
  ['POST', false],
  ['DELETE', false],
])('%s is cut by the sign-out of its own session: %s', (method, is_cut) => {
  const ended = new AbortController()
  const facts = { method, http_version: '1.1', target: '/', peer: null, headers: [], has_body: false }
  const source = {
    facts,
    signal: () => new AbortController().signal,
    request_id: 'r',
    caller_request_id: null,
    subjects: new Map() as never,
  }
  const session = {
    id: '1f3c',
    actor: 'session:1f3c',
    reads_only: false,
    ended: ended.signal,
    cookie: 'plumbline',
  }
  const call = callOf(source, { ...UNKNOWN_CALLER, class: 'session', session } as never, {
    params: {},
    query: {},
    body: undefined,
  })
  const { signal } = call
  ended.abort()
  expect(signal.aborted).toBe(is_cut)
})
