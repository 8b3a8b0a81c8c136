/** Whether the provider has the endpoint that routes ask: told where it is known, and never in anybody's way. */
import { expect, it } from 'vitest'
import { forwardAuthEndpoint } from '../../../../src/features/sso/authelia/forward-auth-endpoint.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { handClock } from '../../../fakes/hand-clock.ts'

const url = 'http://authelia:9091/api/authz/forward-auth'
const answering = (status: number) => {
  const asked: string[] = []
  return {
    asked,
    probe: {
      ask: ({ host }: { readonly host: string }) => {
        asked.push(host)
        return Promise.resolve({ status, location: null, words: null })
      },
    },
  }
}

it('an answer holds for ten seconds, and 404 is a provider before 4.38', async () => {
  const { asked, probe } = answering(404)
  const clock = handClock()
  const endpoint = forwardAuthEndpoint({ url, probe, clock, host: () => Promise.resolve('app.example.com') })
  expect(await endpoint.fault()).toContain('before 4.38')
  clock.pass(9_000)
  expect(await endpoint.fault()).toContain('before 4.38')
  expect(asked).toEqual(['app.example.com'])
  clock.pass(2_000)
  await endpoint.fault()
  expect(asked).toHaveLength(2)
})

it('a database that does not say for whom is no error of the provider, and is asked again a moment later', async () => {
  const { asked, probe } = answering(404)
  const clock = handClock()
  let is_shut = true
  const host = () =>
    is_shut
      ? Promise.reject(new Failure('component_unavailable', 'the database is shut'))
      : Promise.resolve('app.example.com')
  const endpoint = forwardAuthEndpoint({ url, probe, clock, host })
  expect(await endpoint.fault()).toBeNull()
  expect(asked).toEqual([])
  is_shut = false
  clock.pass(3_000)
  expect(await endpoint.fault()).toContain('before 4.38')
})
