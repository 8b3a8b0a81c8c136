/** What the level `ddns` hands to its handlers, and the three things of a contract that only its protocols need. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/kernel/failure.ts'
import { decide } from '../../src/http/access/access.ts'
import { type Call, endpoint } from '../../src/http/contract.ts'
import { PROBLEMS } from '../../src/http/problem.ts'
import { appOf, ask, factsOf, type HeaderLines, KEY, mapMemory, PROXY_SECRET, SETTINGS } from './support.ts'

const basic = (text: string): HeaderLines => [
  ['Authorization', `Basic ${Buffer.from(text).toString('base64')}`],
]
const XKEY: HeaderLines = [['X-API-Key', KEY]]

const shown = (target: string, headers: HeaderLines = [], level: 'ddns' | 'keyed' | 'public' = 'ddns') => {
  const decision = decide(factsOf({ peer: '203.0.113.7', target }, headers), level, SETTINGS)
  return decision.allowed ? [decision.class, decision.credential?.reveal() ?? null] : decision.refusal.code
}

describe('the credential that is presented', () => {
  test.each<[what: string, target: string, headers: HeaderLines, seen: unknown]>([
    ['in the query', '/x?key=token-1', [], ['public', 'token-1']],
    ['in the query, percent-encoded', '/x?%6bey=token%2D1', [], ['public', 'token-1']],
    ['as the password of Basic', '/x', basic('anybody:token-1'), ['public', 'token-1']],
    ['as a password with colons', '/x', basic('anybody:a:b'), ['public', 'a:b']],
    ['as a password without a name', '/x', basic(':token-1'), ['public', 'token-1']],
    [
      'in both: inadyn always sends a password',
      '/x?key=token-1',
      basic('ddns:unused'),
      ['public', 'token-1'],
    ],
    ['empty in the query, in Basic', '/x?key=', basic('ddns:token-1'), ['public', 'token-1']],
    ['the API key in the query', `/x?key=${KEY}`, [], ['key', KEY]],
    ['the API key as a password', '/x', basic(`admin:${KEY}`), ['key', KEY]],
    ['the API key as its header', '/x', XKEY, ['key', KEY]],
    ['the API key as its header beside a token', '/x?key=token-1', XKEY, ['key', KEY]],
    ['nothing', '/x', [], 'unauthenticated'],
    ['an empty key', '/x?key=', [], 'unauthenticated'],
    ['a name without a password', '/x', basic('anybody:'), 'unauthenticated'],
    ['a name without a colon', '/x', basic('anybody'), 'unauthenticated'],
    ['what is no Base64', '/x', [['Authorization', 'Basic !!!']], 'unauthenticated'],
    ['another scheme', '/x', [['Authorization', 'Bearer token-1']], 'unauthenticated'],
    ['two keys in the query', '/x?key=a&key=a', [], 'validation_failed'],
    ['two lines of Basic', '/x', [...basic('a:b'), ...basic('a:b')], 'malformed_request'],
    ['a wrong X-API-Key beside a token', '/x?key=token-1', [['X-API-Key', 'wrong']], 'wrong_key'],
  ])('%s', (_what, target, headers, seen) => {
    expect(shown(target, headers)).toEqual(seen)
  })

  test('is shown on no other level, and opens none', () => {
    expect(shown(`/x?key=${KEY}`, [], 'keyed')).toBe('unauthenticated')
    expect(shown('/x', basic(`admin:${KEY}`), 'keyed')).toBe('unauthenticated')
    expect(shown('/x?key=token-1', basic('a:b'), 'public')).toEqual(['public', null])
  })

  test('is nowhere in what is printed of a decision', () => {
    const decision = decide(factsOf({ target: '/x?key=canary-1' }, basic('a:canary-2')), 'ddns', SETTINGS)
    expect(decision.allowed).toBe(true)
    expect(JSON.stringify(decision)).not.toContain('canary')
  })
})

describe('where the client is', () => {
  const vouched = (peer: string | null, headers: HeaderLines = []) => {
    const { client, client_is_vouched } = decide(
      factsOf({ peer, target: '/x?key=t' }, headers),
      'ddns',
      SETTINGS,
    )
    return [client, client_is_vouched]
  }
  const from = (list: string): HeaderLines => [['X-Forwarded-For', list]]
  const secret: HeaderLines = [['X-Plumbline-Proxy-Secret', PROXY_SECRET]]

  test.each<[what: string, seen: unknown, expected: unknown]>([
    ['a direct peer', vouched('203.0.113.7'), ['203.0.113.7', true]],
    [
      'behind a trusted proxy',
      vouched('10.9.9.9', [...from('203.0.113.7'), ...secret]),
      ['203.0.113.7', true],
    ],
    ['behind one without its secret', vouched('10.9.9.9', from('203.0.113.7')), ['10.9.9.9', false]],
    ['behind a trusted proxy that names nobody', vouched('10.9.9.9', secret), ['10.9.9.9', false]],
    ['behind one that says nothing', vouched('10.9.9.9'), ['10.9.9.9', false]],
    [
      'behind a proxy that is not listed',
      vouched('198.51.100.4', from('203.0.113.7')),
      ['198.51.100.4', false],
    ],
    ['unknown', vouched(null), ['', false]],
  ])('%s', (_what, seen, expected) => expect(seen).toEqual(expected))
})

const call = { calls: [] as Call[] }

const app = appOf([
  endpoint({
    method: 'GET',
    path: '/nic/acting',
    id: 'acting',
    summary: 'Acting',
    level: 'ddns',
    prove: () => undefined,
    acting_get: true,
    problem_line: (code) => ({ status: PROBLEMS[code].status, text: `word ${code}` }),
    tags: ['Test'],
    query: z.object({ key: z.string().optional(), fail: z.string().optional() }),
    replies: { 200: { content_type: 'text/plain', description: 'Text' } },
    handler: async (seen) => {
      call.calls.push(seen)
      if (seen.query.fail === 'wait') throw new Failure('rate_limited', 'Later.', { retry_after_ms: 1500 })
      if (seen.query.fail !== undefined) throw new Error('inside, with details')
      return { status: 200, body: 'done\n' }
    },
  }),
])

describe('a GET that acts', () => {
  test('is not run by HEAD, which is answered as a wrong method', async () => {
    call.calls = []
    const answer = await ask(app, '/nic/acting?key=t', { method: 'HEAD' })
    expect([answer.status, answer.headers.get('allow'), call.calls]).toEqual([405, 'GET', []])
  })

  test('is handed the credential as a secret, and no header that holds it', async () => {
    call.calls = []
    const headers = { authorization: `Basic ${btoa('a:canary')}` }
    expect((await ask(app, '/nic/acting', { headers })).status).toBe(200)
    const [seen] = call.calls
    expect(seen!.credential!.equals('canary')).toBe(true)
    expect(seen!.header('Authorization')).toBeNull()
  })
})

describe('a failure in the protocol’s own words', () => {
  const failed = async (path: string, headers = {}) => {
    const answer = await ask(app, path, { headers })
    return [answer.status, answer.headers.get('content-type'), await answer.text()]
  }
  const TEXT = 'text/plain; charset=utf-8'

  test.each<[what: string, path: string, headers: Record<string, string>, expected: unknown]>([
    ['before the handler', '/nic/acting', {}, [401, TEXT, 'word unauthenticated\n']],
    ['by the Host', '/nic/acting?key=t', { host: 'evil.example' }, [421, TEXT, 'word host_not_served\n']],
    ['by the inputs', '/nic/acting?key=t&what=1', {}, [422, TEXT, 'word validation_failed\n']],
    ['by the handler', '/nic/acting?key=t&fail=wait', {}, [429, TEXT, 'word rate_limited\n']],
    ['by surprise', '/nic/acting?key=t&fail=yes', {}, [500, TEXT, 'word internal\n']],
  ])('%s keeps its status', async (_what, path, headers, expected) => {
    expect(await failed(path, headers)).toEqual(expected)
  })

  test('keeps Retry-After, and asks for the credentials that its clients know', async () => {
    const later = await ask(app, '/nic/acting?key=t&fail=wait')
    expect(later.headers.get('retry-after')).toBe('2')
    const who = await ask(app, '/nic/acting')
    expect(who.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  })
})

test('an answer that holds a secret is not kept for a repeat of the request', async () => {
  const answers = mapMemory()
  let made = 0
  const issuing = endpoint({
    method: 'POST',
    path: '/api/secret',
    id: 'secret',
    summary: 'Secret',
    level: 'keyed',
    tags: ['Test'],
    secret_reply: true,
    replies: { 200: z.strictObject({ secret: z.string() }) },
    handler: async () => ({ status: 200, body: { secret: `canary-${++made}` } }),
  })
  const keeping = appOf([issuing], { answers })
  const headers = { 'x-api-key': KEY, 'idempotency-key': 'again' }
  for (const time of [1, 2])
    expect(await (await ask(keeping, '/api/secret', { method: 'POST', headers })).json()).toEqual({
      secret: `canary-${time}`,
    })
  expect(answers.kept.size).toBe(0)
})
