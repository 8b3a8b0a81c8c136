/** More people are invited at once than can be worked on: those beyond the bound hear when to come back, and only those. */
import { expect, it } from 'vitest'
import { peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

/** Some are done before the last has come, so there must be many more than the 256 that may wait. */
const ASKED = 400

it(
  'beyond what may wait, an invitation is refused with a time to come back, and leaves no name behind',
  { timeout: 120_000 },
  async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: world.env })
    const first = Promise.withResolvers<void>()
    const calls = Array.from({ length: ASKED }, async (_, i) => {
      const email = `p${i}@example.net`
      const { status, body, headers } = await at.call('POST', '/api/users/invite', {
        body: { display_name: `Person ${i}`, email },
      })
      if (status === 503) first.resolve()
      return { email, status, body, retry_after: headers.get('retry-after') }
    })
    await first.promise
    // The callers of all others hear that the daemon ends.
    await using again = await at.reopen()
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ retry_after }) => retry_after === '15')
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, body } of refused)
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'component_unavailable' } })

    const { body } = await again.call('GET', '/api/users')
    const known = new Set((body as unknown as { readonly email: string }[]).map(({ email }) => email))
    expect(refused.filter(({ email }) => known.has(email))).toEqual([])
    const taken = answers.filter(({ status }) => status === 201)
    expect(taken.filter(({ email }) => !known.has(email))).toEqual([])
  },
)
