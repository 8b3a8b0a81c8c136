/** One path, one spelling: every other way to write it is refused, and only exact paths answer. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../src/http/contract.ts'
import { targetFault } from '../../../src/http/socket/request-target.ts'
import { appOf, ask, withKey } from '../support.ts'

const PLAIN = [
  '/',
  '/api/domains',
  '/api/domains/7',
  '/api/domains/by-name/xn--bcher-kva.example',
  '/a.b/c_d~e',
  '/x?a=1&b=//',
]
const ENCODED = [
  '/api/by-name/%2A.example.com',
  '/api/by-name/b%C3%BCcher.example',
  '/x/a%20b',
  '/x/%3Fq',
  '/x?p=%2f..%5c%00',
]

const ODD = [
  '',
  '*',
  'api/domains',
  'http://localhost/api/domains',
  'localhost:443',
  '\\api\\domains',
  '//api/domains',
  '/api//domains',
  '/api/domains//',
  '/api/./domains',
  '/api/../domains',
  '/..',
  '/.',
  '/api/domains/..',
  '/api/%2e/domains',
  '/api/%2E%2e/domains',
  '/api/.%2e/domains',
  '/api%2fdomains',
  '/api%2Fdomains',
  '/api%5cdomains',
  '/api/domains%00',
  '/api/domains%0a',
  '/api/domains%7f',
  '/api/domains%1f',
  '/%61pi/domains',
  '/api/domain%73',
  '/api/%7euser',
  '/api/domains;x=1',
  '/api;/domains',
  '/api/domains%3bx',
  '/api/%252e%252e/domains',
  '/api/%25',
  '/api/%',
  '/api/%4',
  '/api/%zz',
  '/api/%ff',
  '/api/%c3',
  '/api/%ed%a0%80',
  '/api/domains#top',
  '/api/domains?x#top',
  '/api domains',
  '/api/bücher',
  '/api/"x"',
  '/api/<x>',
  '/api/{x}',
  '/api/a|b',
  '/api/a^b',
  '/api/`x`',
  '/api/[x]',
  '/api/\tx',
  '/x?a=\u0000',
  '/x?a=é',
  '/api/a\\b',
]

describe('the raw request target', () => {
  test.each([...PLAIN, ...ENCODED])('%s may be routed', (target) => {
    expect(targetFault(target)).toBeNull()
  })

  test.each(ODD)('%j is refused with a reason', (target) => {
    expect(targetFault(target)).toMatch(/^The .+\.$/)
  })

  test('64 KiB of the worst text are judged at once', () => {
    for (const piece of ['/a', '%41', '%', '/.', '%c3'])
      expect(targetFault(`/${piece.repeat(65_536 / piece.length)}`)).toSatisfy(
        (fault) => fault === null || typeof fault === 'string',
      )
  })
})

const secret = endpoint({
  method: 'GET',
  path: '/api/domains/{domain_id}',
  id: 'secret',
  summary: 'A guarded thing',
  level: 'keyed',
  tags: ['Test'],
  params: z.object({ domain_id: z.string() }),
  replies: { 200: z.object({ domain_id: z.string() }) },
  handler: async ({ params }) => ({ status: 200, body: params }),
})

describe('a guarded path in other spellings', () => {
  const app = appOf([secret])
  const SPELLINGS = [
    '/api/domains/7/',
    '/API/domains/7',
    '/api/Domains/7',
    '/api/domains',
    '/api/domains/',
    '/api/domains/7/x',
    '/api/domain/7',
    '//api/domains/7',
    '/api//domains/7',
    '/api/./domains/7',
    '/x/../api/domains/7',
    '/api%2fdomains%2f7',
    '/api/domains;/7',
    '/api/d%6fmains/7',
    '/api/domains%2F7',
    '/api\\domains\\7',
    '/api/domains/%2e%2e/7',
    '/api/domains/7%00',
    '/api/domains/7;x',
  ]

  test.each(SPELLINGS)('%s does not reach it, with or without the key', async (target) => {
    for (const headers of [{}, withKey]) {
      const answer = await ask(app, '/', { headers, target })
      expect([400, 404]).toContain(answer.status)
    }
  })

  test('the exact path needs the key and then answers what it was given, decoded once', async () => {
    expect((await ask(app, '/api/domains/7')).status).toBe(401)
    const answer = await ask(app, '/', { headers: withKey, target: '/api/domains/b%C3%BCcher%20%2A' })
    expect(await answer.json()).toEqual({ domain_id: 'bücher *' })
  })
})
