/** A revocation stands in the users file, and the provider could not be restarted: whoever was revoked signs in as before. */
import { expect, it } from 'vitest'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { restartWorld, type RestartWorld } from './restart-world.ts'

const usersPart = async ({ at }: RestartWorld) => {
  const { status, body } = await at.call('GET', '/api/control-plane/health?probe=true')
  expect(status, JSON.stringify(body)).toBe(200)
  const page = body as unknown as HealthAnswer
  return { ok: page.ok, part: page.components.find(({ name }) => name === 'sso_users') }
}

it('the health page is not clean until the provider has read it, also over a restart of ours', async () => {
  await using whole = await restartWorld()
  const { at, restart } = whole
  expect(await usersPart(whole)).toMatchObject({ part: { configured: true, ok: true, drift: false } })
  restart.does('echo "no such unit" >&2; exit 5')
  expect((await at.call('POST', '/api/users/owner/revoke')).status).toBe(503)
  const wrong = { ok: false, part: { ok: false, drift: true, cause: 'not_loaded' } }
  await expect.poll(() => usersPart(whole)).toMatchObject(wrong)
  expect((await usersPart(whole)).part?.message).toContain('restarted')
  const again = await at.reopen()
  const later = { ...whole, at: { ...at, ...again } }
  await expect.poll(() => usersPart(later)).toMatchObject(wrong)
  restart.does('restart')
  expect((await again.call('POST', '/api/users/owner/revoke')).status).toBe(200)
  await expect.poll(() => usersPart(later)).toMatchObject({ part: { ok: true, drift: false } })
  await again.house.close()
})
