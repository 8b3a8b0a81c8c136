/** Overview and lamps say what is known, with its age, and look at nothing for it. */
import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { readOverview } from '../../src/features/dashboard/read-overview.ts'
import type { Client } from './client.ts'
import { lettersOf } from './lamps-world.ts'
import { openProxyHouse } from './proxy-house.ts'
import { createActive, openTestHouse } from './test-house.ts'

type Overview = Awaited<ReturnType<typeof readOverview>>

async function overviewOf(call: Client): Promise<Overview> {
  const { status, body } = await call('GET', '/api/overview')
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as Overview
}

describe('the overview', () => {
  it('has what the endpoint of each part has', async () => {
    await using at = await openTestHouse({
      env: { PLUMBLINE_MODE: 'observe', PLUMBLINE_PUBLIC_IP: '203.0.113.10' },
    })
    const { call } = at
    const id = await createActive(call)
    appendFileSync(at.house.routes_path, '# by hand\n')
    await expect.poll(async () => (await overviewOf(call)).health.drift).toBe(true)
    await expect.poll(async () => (await overviewOf(call)).alerts).not.toBeNull()
    const found = await overviewOf(call)
    const [health, stats, audit] = await Promise.all(
      ['/api/control-plane/health', '/api/domains/stats', '/api/audit?limit=10'].map(
        async (path) => (await call('GET', path)).body as unknown,
      ),
    )
    expect(found.health.summary).toBe((health as Overview['health']).summary)
    expect(found.counts).toEqual(stats)
    expect(found.audit).toEqual(audit)
    expect(found).toMatchObject({
      release: { release: 2, reason: 'activate app.example.com' },
      operations: [],
      certificates: null,
      addresses: { fixed: ['203.0.113.10'], reported: [] },
    })
    expect(found.audit[0]).toMatchObject({ action: 'activate', domain_id: id })
    const routes = found.health.components.find(({ name }) => name === 'routes')!
    expect(routes.acts.map((act) => act.id)).toContain('repair')
    const operation = await call('POST', '/api/deploy-all', { headers: { prefer: 'respond-async' } })
    expect(operation.status).toBe(202)
  })

  it('and the lamps ask nobody: no request to the proxy, no read of a file', async () => {
    let reads = 0
    await using at = await openProxyHouse({
      opened: false,
      wrap: {
        file: (file) => ({
          ...file,
          glance: () => {
            reads++
            return file.glance()
          },
          look: (signal) => {
            reads++
            return file.look(signal)
          },
        }),
      },
    })
    const { call, traefik } = at
    const id = await createActive(call)
    await call('GET', `/api/domains/${id}/explain`)
    const before = { reads, asked: traefik.asked.length }
    expect(before.reads).toBeGreaterThan(0)
    for (let i = 0; i < 3; i++) {
      await overviewOf(call)
      await lettersOf(call, id)
      await call('GET', `/api/domains/${id}/lamps`)
    }
    expect({ reads, asked: traefik.asked.length }).toEqual(before)
    // Nobody ticks: what was never looked at for the page of health is not known, and not well.
    expect((await lettersOf(call, id))[0]).toBe('u')
  })
})
