/** More invitations at once than passwords may wait to be hashed (T11): each is made whole, or refused with when to come back. */
import { expect, it } from 'vitest'
import { keepingLog } from '../io/files/scratch.ts'
import { schemaFaults } from '../features/people/users-file/schema.ts'
import { peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

/** Some are done before the last has come, so there must be many more than the 256 that may wait. */
const MANY = 400

it('the rest hear when to come back, leave no trace, and get in then', { timeout: 600_000 }, async () => {
  await using world = await peopleWorld()
  const log = keepingLog()
  const env = { ...world.env, PLUMBLINE_MAIL_PROVIDER: 'none' }
  await using at = await openTestHouse({ env, opened: false, log })
  const invite = (email: string) =>
    at.call('POST', '/api/users/invite', { body: { display_name: 'Jo Doe', email } })
  const emails = Array.from({ length: MANY }, (_, i) => `jo${i}@example.net`)
  const answers = await Promise.all(emails.map(async (email) => ({ email, ...(await invite(email)) })))
  const [taken, refused] = [201, 503].map((status) => answers.filter((one) => one.status === status))
  expect(taken!.length + refused!.length).toBe(MANY)
  expect(refused!.length).toBeGreaterThan(0)
  for (const { headers, body } of refused!) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body['code']).toBe('component_unavailable')
  }
  const names = taken!.map(({ body }) => String(body['username']))
  expect(new Set(names).size).toBe(taken!.length)
  expect(new Set(world.users().keys())).toEqual(new Set(['owner', ...names]))
  expect(schemaFaults(world.text())).toEqual([])
  expect((await at.call('GET', '/api/users')).body).toHaveLength(1 + names.length)
  expect((await invite(refused![0]!.email)).status).toBe(201)
  // Neither a password nor a hash is in any line.
  expect(JSON.stringify(log.lines)).not.toMatch(/argon2|password/i)
})
