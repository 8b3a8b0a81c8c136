/** Whoever knows nothing but the description gets what they ask for: bodies are drawn from it, and taken. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodiesOf, type Description } from '../kit/drawn.ts'
import type { Client } from './client.ts'
import { peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

const CASES = 400

/** What is there already under the name, or on the entrypoint, is nobody's mistake. */
async function takenBodies(call: Client, path: string): Promise<number> {
  const description = (await call('GET', '/openapi.json')).body as unknown as Description
  let made = 0
  await fc.assert(
    fc.asyncProperty(bodiesOf(description, 'post', path), async (body) => {
      const answer = await call('POST', path, { body })
      if (answer.status !== 409)
        expect(answer.status, JSON.stringify({ body, answer: answer.body })).toBe(201)
      made += answer.status === 201 ? 1 : 0
    }),
    { numRuns: CASES },
  )
  return made
}

test('domains', async () => {
  await using at = await openTestHouse({ opened: false })
  const made = await takenBodies(at.call, '/api/domains')
  expect(made).toBeGreaterThan(CASES / 2)
  const { body } = await at.call('GET', '/api/domains')
  expect(body).toHaveLength(made)
})

test('edges', async () => {
  await using at = await openTestHouse({ opened: false })
  expect(await takenBodies(at.call, '/api/ccm/edge/edges')).toBeGreaterThan(CASES / 2)
})

test('keys', async () => {
  await using at = await openTestHouse({ opened: false })
  expect(await takenBodies(at.call, '/api/keys')).toBeGreaterThan(CASES / 2)
})

test('invitations', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const description = (await at.call('GET', '/openapi.json')).body as unknown as Description
  await fc.assert(
    fc.asyncProperty(bodiesOf(description, 'post', '/api/users/invite'), async (body) => {
      const answer = await at.call('POST', '/api/users/invite?dry_run=true', { body })
      expect(answer.status, JSON.stringify({ body, answer: answer.body })).toBe(200)
    }),
    { numRuns: CASES },
  )
  const [first] = fc.sample(bodiesOf(description, 'post', '/api/users/invite'), 1)
  const answer = await at.call('POST', '/api/users/invite', { body: first })
  expect(answer.status, JSON.stringify({ first, answer: answer.body })).toBe(201)
})
