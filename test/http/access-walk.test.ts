/** Every endpoint of the façade as each kind of caller: its level decides, and nothing else about it. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { type Level, LEVELS } from '../../src/http/access/level.ts'
import { PROVEN_BY_HANDLER } from '../../src/http/access/pace.ts'
import { appOf, ask, type Ask, KEY, PROXY_SECRET, withSystem } from './support.ts'

const sample = (level: Level) =>
  endpoint({
    method: 'GET',
    path: `/api/${level}`,
    id: level,
    summary: level,
    level,
    ...(PROVEN_BY_HANDLER.has(level) && { prove: () => undefined }),
    tags: ['Test'],
    query: z.object({ key: z.string().optional() }),
    replies: { 200: z.strictObject({}) },
    handler: async () => ({ status: 200, body: {} }),
  })

const ENDPOINTS = withSystem(LEVELS.map(sample))
const app = appOf(ENDPOINTS)

//                                                          public open keyed sign_in ddns token
const CALLERS: [string, Ask, Record<Level, number>][] = [
  ['the host itself', {}, { public: 200, open: 200, keyed: 401, sign_in: 200, ddns: 401, token: 401 }],
  [
    'the key',
    { headers: { 'x-api-key': KEY }, peer: null },
    { public: 200, open: 200, keyed: 200, sign_in: 403, ddns: 200, token: 200 },
  ],
  [
    'a wrong key',
    { headers: { 'x-api-key': 'x' } },
    { public: 401, open: 401, keyed: 401, sign_in: 401, ddns: 401, token: 401 },
  ],
  [
    'an empty key',
    { headers: { 'x-api-key': '' } },
    { public: 401, open: 401, keyed: 401, sign_in: 401, ddns: 401, token: 401 },
  ],
  [
    'the trusted network',
    { peer: '10.1.0.9' },
    { public: 200, open: 200, keyed: 401, sign_in: 200, ddns: 401, token: 401 },
  ],
  [
    'the internet',
    { peer: '203.0.113.9' },
    { public: 200, open: 403, keyed: 401, sign_in: 403, ddns: 401, token: 401 },
  ],
  [
    'a person through SSO',
    { peer: '10.9.9.9', headers: { 'x-plumbline-proxy-secret': PROXY_SECRET, 'remote-user': 'alice' } },
    { public: 200, open: 200, keyed: 200, sign_in: 403, ddns: 401, token: 401 },
  ],
  [
    'a foreign page',
    { headers: { 'sec-fetch-site': 'cross-site', 'x-api-key': KEY } },
    { public: 403, open: 403, keyed: 403, sign_in: 403, ddns: 403, token: 403 },
  ],
  [
    'a rebound name',
    { headers: { host: 'evil.example', 'x-api-key': KEY } },
    { public: 421, open: 421, keyed: 421, sign_in: 421, ddns: 421, token: 421 },
  ],
]

describe.each(CALLERS)('%s', (_caller, request, expected) => {
  test.each(ENDPOINTS.map((one) => [`${one.method} ${one.path}`, one] as const))('%s', async (_name, one) => {
    const answer = await ask(app, one.path, request)
    // The liveness answer asks for nothing.
    const status = one.bare === true ? 200 : expected[one.level]
    // Another spelling leads to the page, for those who may see it.
    const leads = status === 200 && one.path === '/docs/'
    expect(answer.status).toBe(leads ? 308 : status)
  })
})
