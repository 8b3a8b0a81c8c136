/** A revocation that finds the file as it is to be: it is called read only where the provider has read it. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { invite, restartWorld } from './restart-world.ts'

it('somebody whom a hand has disabled in the file is revoked: the provider is restarted, once', async () => {
  await using started = await restartWorld()
  const { at, world } = started
  await invite(at)
  const [owner, jo] = world.text().split(/(?=^ *"jo\.doe")/m)
  writeFileSync(world.users_path, owner! + jo!.replace('disabled: false', 'disabled: true'))
  expect(world.user('jo.doe')?.disabled).toBe(true)
  expect(at.authelia.users).not.toContain('disabled: true')
  const { restarts } = at.authelia
  const revoke = () => at.call('POST', '/api/users/jo.doe/revoke')
  expect((await revoke()).body).toMatchObject({ success: true, read: true })
  expect(at.authelia.users).toContain('disabled: true')
  // A repeat finds that it has been read.
  expect((await revoke()).body).toMatchObject({ success: true, read: true })
  expect(at.authelia.restarts).toBe(restarts + 1)
})
