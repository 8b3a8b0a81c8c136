/** A record that was never live concerns nobody outside, so it is nothing that waits for a deploy. */
import { expect, it } from 'vitest'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const PLACE = { domain: 'app.example.com', static_ip: '203.0.113.7' }

it('health and drift agree that a zone with a draft in it is what was released', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_DNS_PROVIDER: 'zonefile' } })
  const app = await createActive(at.call, PLACE)
  const draft = await create(at.call, { domain: 'draft.example.com' })
  const kept = async () => {
    const { components } = (await at.call('GET', '/api/control-plane/health')).body as unknown as HealthAnswer
    return components
      .filter(({ kind }) => kind === 'kept')
      .map(({ name, ok, drift, cause }) => [name, ok, drift, cause])
  }
  const clean = [
    ['dns:example.com', true, false, null],
    ['routes', true, false, null],
  ]
  await expect.poll(kept).toEqual(clean)
  expect((await at.call('GET', '/api/drift')).body['drift']).toBe(false)

  // What a deploy would move still waits, a draft or not beside it.
  await at.call('PUT', `/api/domains/${app}`, { body: { static_ip: '203.0.113.8' } })
  await expect.poll(kept).toContainEqual(['dns:example.com', false, true, 'pending_deploy'])
  await at.call('POST', `/api/domains/${app}/deploy`)
  await expect.poll(kept).toEqual(clean)
  expect((await at.call('POST', `/api/domains/${draft}/activate`)).status).toBe(200)
  await expect.poll(kept).toEqual(clean)
})
