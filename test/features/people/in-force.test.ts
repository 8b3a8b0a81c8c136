/** What decides how far a change of a user reaches is read, and nobody is asked for it. */
import { expect, it } from 'vitest'
import type { Deps } from '../../../src/features/people/deps.ts'
import { reachFacts } from '../../../src/features/people/in-force.ts'
import type { SignIn, SignInSettings } from '../../../src/features/sso/sign-in-port.ts'

const sessions = { outlive_restarts: true, watches_users: null, refresh_interval: '5m' }

it('the provider is not asked for its endpoint, which may take a second', async () => {
  const sign_in: SignInSettings = {
    read: () => Promise.reject(new Error('asks the provider')),
    written: () => Promise.resolve({ sessions, place: '/configuration.yml' } as SignIn),
    portals: () => [],
  }
  const deps = { people: { reading: 'restart' }, sso: { sign_in } } as unknown as Pick<Deps, 'people' | 'sso'>
  const facts = await reachFacts(deps, { username: 'ana', change: 'revoked' }, AbortSignal.timeout(60_000))
  expect(facts).toMatchObject({ sessions, place: '/configuration.yml', reading: 'restart' })
})
