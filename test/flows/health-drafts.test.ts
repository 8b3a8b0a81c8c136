/** A record that was never live concerns nobody outside, so it is nothing that waits for a deploy. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { create, createActive, expectHealed, openTestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

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

it('the first record of a zone that is there is nothing that waits as long as it is a draft', async () => {
  const directory = newFolder('flow')
  mkdirSync(join(directory, 'zones'))
  writeFileSync(join(directory, 'zones', 'example.net.zone'), ZONE)
  await using at = await openTestHouse({ directory, env: { PLUMBLINE_DNS_PROVIDER: 'zonefile' } })
  await createActive(at.call, PLACE)
  await expectHealed(at.call)
  const first = await create(at.call, { domain: 'first.example.net', static_ip: '203.0.113.9' })
  const { components } = (await at.call('GET', '/api/control-plane/health')).body as unknown as HealthAnswer
  expect(
    components.filter(({ ok, kind }) => kind === 'kept' && !ok).map(({ name, cause }) => [name, cause]),
  ).toEqual([])
  expect((await at.call('POST', `/api/domains/${first}/activate`)).status).toBe(200)
  await expectHealed(at.call)
})

const ZONE = `$ORIGIN example.net.
$TTL 300
@ IN SOA ns1 host 1 7200 3600 1209600 300
@ IN NS ns1
ns1 IN A 192.0.2.1
`
