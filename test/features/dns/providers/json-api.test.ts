/** Calls to JSON APIs: which code a refusal has, and what its message may say. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonApi } from '../../../../src/features/dns/providers/json-api.ts'
import type { Failure } from '../../../../src/kernel/failure.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { HttpReply, HttpRequest } from '../../../../src/ports/http-client.ts'

const asked: HttpRequest[] = []

function api(reply: Partial<HttpReply>) {
  return jsonApi({
    provider: 'somebody',
    http: {
      close: async () => undefined,
      request: async (request) => {
        asked.push(request)
        return { status: 200, headers: {}, text: '', retry_after_ms: null, ...reply }
      },
    },
    base: 'https://api.example/v1',
    credential: new Secret('canary'),
    authorize: (credential) => ({ authorization: `Bearer ${credential}` }),
    refusal: z.object({ error: z.string() }),
    words: ({ error }) => error,
    codeOf: ({ error }) => (error === 'quota' ? 'provider_busy' : null),
    refuses_with_ok: true,
    credential_hint: 'Make a new token.',
    usual_wait_ms: 60_000,
  })
}

const call = {
  method: 'GET' as const,
  path: '/zones?page=1',
  answer: z.object({ id: z.number() }),
  what: 'list the zones',
  signal: new AbortController().signal,
}

const failure = (reply: Partial<HttpReply>): Promise<Failure> =>
  api(reply)
    .ask(call)
    .then(
      () => Promise.reject(new Error('it worked')),
      (error: unknown) => error as Failure,
    )

const said = (error: string): string => JSON.stringify({ error })

describe('an answer', () => {
  it('is what its schema makes of it', async () => {
    const { body } = await api({ text: '{"id":1,"more":2}' }).ask(call)
    expect(body).toEqual({ id: 1 })
    expect(asked.at(-1)).toMatchObject({
      url: 'https://api.example/v1/zones?page=1',
      headers: { authorization: 'Bearer canary' },
    })
  })

  it.each([
    ['nothing', {}, 'no content type', 'the body'],
    ['HTML', { text: '<html>', headers: { 'content-type': 'text/html' } }, 'text/html', 'the body'],
    ['a number as text', { text: '{"id":"1"}' }, 'no content type', 'id'],
    ['half of it', { text: '{"id":1' }, 'no content type', 'the body'],
  ])('that is %s is no answer', async (_what, reply, type, at) => {
    expect(await failure(reply)).toMatchObject({
      code: 'component_unavailable',
      message: `somebody: could not list the zones: the answer (200, ${type}) is not what the API promises, at ${at}.`,
    })
  })
})

describe('a refusal', () => {
  it.each([
    [400, said('bad'), 'provider_refused'],
    [404, said('gone'), 'provider_refused'],
    [401, said('who?'), 'provider_credentials'],
    [401, '', 'provider_credentials'],
    [403, said('no'), 'provider_credentials'],
    [403, '<html>', 'component_unavailable'],
    [404, '<html>', 'component_unavailable'],
    [408, said('slow'), 'component_unavailable'],
    [429, '', 'provider_busy'],
    [400, said('quota'), 'provider_busy'],
    [500, said('oops'), 'component_unavailable'],
    [503, '', 'component_unavailable'],
    [301, '', 'component_unavailable'],
    [200, said('not done'), 'component_unavailable'],
  ])('with status %i and the body %s is %s', async (status, text, code) => {
    expect((await failure({ status, text })).code).toBe(code)
  })

  it('is told in the words of the provider: one line, short, with what would help', async () => {
    expect((await failure({ status: 401, text: said('no\nsuch\u001b[31m token.') })).message).toBe(
      'somebody: could not list the zones: no such [31m token (401). Make a new token.',
    )
    expect((await failure({ status: 400, text: said('x'.repeat(10_000)) })).message.length).toBeLessThan(400)
  })

  it('never shows the credential, though the provider repeats it', async () => {
    const error = await failure({ status: 401, text: said('token canary is unknown') })
    expect(error.message).toContain('token [hidden] is unknown')
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('canary')
  })

  it.each([
    [{ status: 429, retry_after_ms: 7000 }, 7000],
    [{ status: 429 }, 60_000],
    [{ status: 503, retry_after_ms: 7000 }, 7000],
    [{ status: 503 }, undefined],
  ])('%o asks to wait %s ms', async (reply, wait) => {
    expect((await failure(reply)).details.retry_after_ms).toBe(wait)
  })
})
