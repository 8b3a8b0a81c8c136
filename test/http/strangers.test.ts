/** What it costs to be wrong: strangers get no suggestions, and bodies of a million members are refused unread. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { importEndpoints } from '../../src/features/import/endpoints.ts'
import { emailEndpoints } from '../../src/features/mail/endpoints.ts'
import { Hints } from '../../src/http/body/zod-errors.ts'
import type { Deps } from '../../src/deps-wiring.ts'
import { appOf, ask, type Ask, problemIn, withKey, withSystem } from './support.ts'

const STRANGER = '203.0.113.7'

describe('"did you mean"', () => {
  const update = endpoint({
    method: 'GET',
    path: '/api/update',
    id: 'update',
    summary: 'Takes a credential that its handler proves',
    level: 'ddns',
    prove: () => undefined,
    tags: [],
    query: z.object({ hostname: z.string().optional(), kind: z.enum(['offline', 'online']).optional() }),
    replies: { 200: z.strictObject({}) },
    handler: async () => ({ status: 200, body: {} }),
  })
  const look = { ...update, path: '/api/look', id: 'look', level: 'open' } as const
  const app = appOf(withSystem([update, look]))
  const credential = { authorization: `Basic ${Buffer.from('name:guessed').toString('base64')}` }
  const said = async (path: string, who: Ask) => (await problemIn(await ask(app, path, who))).detail

  test.each(['/metrcs', '/api/look?hostnam=x', '/api/look?kind=onlin'])(
    '%s: for those who are proven',
    async (path) => {
      expect(await said(path, { peer: STRANGER })).not.toContain('Did you mean')
      expect(await said(path, { headers: withKey, peer: STRANGER })).toContain('Did you mean')
      expect(await said(path, { peer: '127.0.0.1' })).toContain('Did you mean')
    },
  )

  test.each(['/api/update?hostnam=x', '/api/update?kind=onlin'])(
    '%s: nobody, since it would tell a right key from a wrong one',
    async (path) => {
      const all = [
        await said(path, { headers: credential, peer: STRANGER }),
        await said(path, { headers: withKey, peer: STRANGER }),
        await said(path, { headers: credential, peer: '127.0.0.1' }),
      ]
      expect(new Set(all).size).toBe(1)
      expect(all[0]).not.toContain('Did you mean')
    },
  )

  test('is looked for a limited number of times, however much is wrong', () => {
    const hints = new Hints(2)
    const told = ['metrcs', 'metrics2', 'metricss'].map((name) => hints.near(name, ['metrics']))
    expect(told).toEqual([' Did you mean "metrics"?', ' Did you mean "metrics"?', ''])
  })
})

test('of a query that is wrong in thousands of places the first ones are told', async () => {
  const query = Array.from({ length: 2000 }, (_, i) => `x${i}`).join('&')
  const answer = await ask(appOf(withSystem([])), `/health?${query}`, { peer: STRANGER })
  const { code, errors } = await problemIn(answer)
  expect([code, errors?.length]).toEqual(['validation_failed', 50])
})

describe('a body with too many members', () => {
  // Refused before anything of the installation is asked.
  const deps = { mail: { mailer: null } } as Deps
  const app = appOf([...emailEndpoints(deps), ...importEndpoints(deps)])
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]))
  const send = async (path: string, body: unknown) => {
    const answer = await ask(app, path, { method: 'POST', headers: withKey, body })
    return { status: answer.status, problem: (await answer.json()) as Record<string, unknown> }
  }

  test.each([
    ['/api/email/send', { to: keys(2001) }, { limit_keys: 2000 }],
    ['/api/email/send', { to: Array.from({ length: 2001 }, () => 'a@example.com') }, { limit_entries: 2000 }],
    ['/api/estate', { domains: [keys(10_001)] }, { limit_keys: 10_000 }],
    ['/api/estate', { domains: Array.from({ length: 20_001 }, () => ({})) }, { limit_entries: 20_000 }],
  ])('%s refuses it as too large', async (path, body, facts) => {
    const { status, problem } = await send(path, body)
    expect({ status, ...problem }).toMatchObject({ status: 413, code: 'too_large', ...facts })
  })

  test.each([
    ['/api/email/send', keys(2000)],
    ['/api/estate', keys(10_000)],
  ])('%s says what is wrong with one at its limit', async (path, body) => {
    expect((await send(path, body)).status).toBe(422)
  })
})
