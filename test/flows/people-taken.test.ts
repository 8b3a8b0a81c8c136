/** Somebody writes a user of the very name into the file while we invite him, and that user is revoked in the same moment. */
import { expect, it } from 'vitest'
import { type Invitation, peopleRecords } from '../../src/features/people/records.ts'
import type { Store } from '../../src/ports/store.ts'
import { otherRows } from '../kit/other-rows.ts'
import { OWNER, peopleWorld } from './people-world.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const STRANGER = OWNER.slice(OWNER.indexOf('  owner'))
  .replace('owner: # me', 'jo.doe:')
  .replace('owner@', 'jo@')

it('the invitation is refused, and the acknowledged revocation stays', async () => {
  await using world = await peopleWorld()
  const house: { at?: TestHouse } = {}
  let revoked: number | null = null
  const meanwhile = async (invitation: Invitation | null) => {
    if (invitation?.step === 'planned' && invitation.failures === 0) world.write(OWNER + STRANGER)
    if (invitation === null || invitation.failures === 0 || revoked !== null) return
    revoked = 0
    revoked = (await house.at!.call('POST', '/api/users/jo.doe/revoke')).status
  }
  const store = (real: Store): Store => ({
    ...real,
    of: otherRows(real, peopleRecords, (own) => ({
      async invitation(username) {
        const found = await own.invitation(username)
        await meanwhile(found)
        return found
      },
    })),
  })
  await using at = await openTestHouse({ env: world.env, wrap: { store } })
  house.at = at
  const answer = await at.call('POST', '/api/users/invite', {
    body: { display_name: 'Jo Doe', email: 'jo@example.net' },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(409)
  expect(revoked).toBe(200)
  expect(world.user('jo.doe')?.disabled).toBe(true)
  expect((await at.call('GET', '/api/users/jo.doe')).body['revoked_at']).not.toBeNull()
  world.write(OWNER + STRANGER)
  await expect.poll(() => world.user('jo.doe')?.disabled).toBe(true)
})
