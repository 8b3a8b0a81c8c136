/** The one verdict over a whole house: green when all is well, and naming what is not, in the words of its own endpoint. */
import { appendFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import type { RecordSet } from '../../src/ports/record-set.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Client } from './client.ts'
import { openProxyHouse } from './proxy-house.ts'
import { create, createActive, expectHealed, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const PAGE = '/api/control-plane/health'

async function health(call: Client, query = ''): Promise<HealthAnswer> {
  const answer = await call('GET', `${PAGE}${query}`)
  expect(answer.status).toBe(200)
  return answer.body as unknown as HealthAnswer
}

const part = (page: HealthAnswer, name: string) => page.components.find((one) => one.name === name)

const expectHealthy = (call: Client) =>
  expect.poll(async () => (await health(call)).summary).toMatch(/^All \d+ things are as they should be\.$/)

describe('a house that is well', () => {
  it('says so, and every rule of the database by its name', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    await expectHealthy(at.call)
    const page = await health(at.call)
    expect(page).toMatchObject({ ok: true, drift: false, probed: false })
    expect(page.invariants.length).toBeGreaterThan(0)
    expect(page.invariants.every(({ holds }) => holds === true)).toBe(true)
    expect(part(page, 'routes')).toMatchObject({
      kind: 'kept',
      ok: true,
      drift: false,
      cause: null,
      reason: 'in_sync',
      mode: 'repair',
      stale: false,
    })
  })

  it('what is not set up stands there once and counts for nothing', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_SSO_URL: '' } })
    await expectHealthy(at.call)
    const page = await health(at.call)
    for (const name of [
      'proxy',
      'dns_account',
      'dns_integrity',
      'acme',
      'sso_provider',
      'mail',
      'edges',
      'docker',
      'proxmox',
      'unifi',
    ])
      expect(part(page, name), name).toMatchObject({ configured: false, ok: true, drift: false })
    const names = page.components.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  itInDepth('a probe comes to the same verdict and writes nothing', async () => {
    let writes = 0
    const counting = (store: Store): Store => ({
      ...store,
      write: (work) => {
        writes++
        return store.write(work)
      },
    })
    await using at = await openTestHouse({ wrap: { store: counting } })
    await createActive(at.call)
    await expectHealthy(at.call)
    const routes = at.routes()
    const before = writes
    const page = await health(at.call, '?probe=true')
    expect(page).toMatchObject({ ok: true, drift: false, probed: true })
    expect(writes).toBe(before)
    expect(at.routes()).toBe(routes)
  })
})

describe('drift', () => {
  itInDepth(
    'an edit that waits for its deploy is drift by that name at once, and none after the deploy',
    async () => {
      await using at = await openTestHouse()
      const id = await createActive(at.call)
      await expectHealthy(at.call)
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
      for (const query of ['', '?probe=true']) {
        const page = await health(at.call, query)
        expect(page).toMatchObject({ ok: false, drift: true })
        expect(part(page, 'routes'), query).toMatchObject({
          ok: false,
          drift: true,
          cause: 'pending_deploy',
          reason: 'pending_deploy',
        })
      }
      expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: true })
      await at.call('POST', `/api/domains/${id}/deploy`)
      await expectHealthy(at.call)
    },
  )

  itInDepth('a hand edit is called edited until somebody undoes it', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    await expectHealthy(at.call)
    appendFileSync(at.house.routes_path, '# by hand\n')
    expect(part(await health(at.call, '?probe=true'), 'routes')).toMatchObject({
      drift: true,
      cause: 'edited',
    })
    await expect
      .poll(async () => part(await health(at.call), 'routes'))
      .toMatchObject({ ok: false, drift: true, cause: 'edited', reason: 'drifting', mode: 'observe' })
    const page = await health(at.call)
    expect(page.summary).toMatch(/; routes: edited\.$/)
    const drift = (await at.call('GET', '/api/drift')).body as unknown as {
      components: { differences: { cause: string }[] }[]
    }
    expect(drift.components[0]!.differences[0]!.cause).toBe('edited')
    await at.call('POST', '/api/deploy-proxy')
    await expectHealed(at.call)
    await expectHealthy(at.call)
  })

  itInDepth('a file that is gone is called lost', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    await expectHealthy(at.call)
    rmSync(at.house.routes_path)
    expect(part(await health(at.call, '?probe=true'), 'routes')).toMatchObject({ drift: true, cause: 'lost' })
  })

  it('a component that is suspended is not green', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    await expectHealthy(at.call)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await at.call('PUT', '/api/modes/routes', { body: { mode: 'suspend', reason: 'a test', expires_at } })
    await expect
      .poll(async () => part(await health(at.call), 'routes'))
      .toMatchObject({
        ok: false,
        drift: null,
        reason: 'suspended',
        mode: 'suspend',
        suspended_until: expires_at,
      })
  })
})

describe('the proxy', () => {
  it('one that runs an older file is drift, one that is gone is unknown, and it recovers', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    await expect
      .poll(async () => part(await health(at.call, '?probe=true'), 'proxy'))
      .toMatchObject({ ok: true })
    at.traefik.refuse(() => true)
    at.traefik.restart(new Date())
    const other = await health(at.call, '?probe=true')
    expect(part(other, 'proxy')).toMatchObject({ ok: false, drift: true, cause: 'not_loaded' })
    expect(other).toMatchObject({ ok: false, drift: true })
    expect(other.summary).toContain('proxy: not_loaded')
  })
})

describeInDepth('a database that cannot be read', () => {
  it('the page answers all the same and says unknown', async () => {
    let broken = false
    const failing = <T extends object>(real: T): T =>
      new Proxy(real, {
        get: (_real, name) => {
          const value = Reflect.get(real, name) as unknown
          if (!broken || typeof value !== 'function' || name === 'close') return value
          if (name === 'of') return (set: RecordSet) => failing((value as Store['of'])(set))
          return () => Promise.reject(new Error('the disk is gone'))
        },
      })
    await using at = await openTestHouse({ wrap: { store: failing<Store> } })
    await createActive(at.call)
    await expectHealthy(at.call)
    broken = true
    const page = await health(at.call, '?probe=true')
    broken = false
    expect(page).toMatchObject({ ok: false, drift: null })
    expect(part(page, 'database')).toMatchObject({ ok: false, drift: null })
    expect(part(page, 'routes')).toMatchObject({ ok: false, drift: null })
    await expect.poll(async () => (await health(at.call, '?probe=true')).ok).toBe(true)
  })
})

itInDepth('a database file that was moved away leaves its rules unknown, each by its name', async () => {
  await using at = await openTestHouse()
  await createActive(at.call)
  await expectHealthy(at.call)
  const path = join(at.directory, 'plumbline.db')
  renameSync(path, `${path}.away`)
  const { ok, invariants } = await health(at.call, '?probe=true')
  renameSync(`${path}.away`, path)
  expect(ok).toBe(false)
  expect(invariants.length).toBeGreaterThan(20)
  expect(new Set(invariants.map(({ holds }) => holds))).toEqual(new Set([null]))
  await expect.poll(async () => (await health(at.call, '?probe=true')).ok).toBe(true)
})

describe('readiness', () => {
  it('comes with the first look at everything, after 503', async () => {
    await using at = await openTestHouse({ opened: false })
    await create(at.call)
    const before = await at.call('GET', '/ready', { key: null })
    expect(before.status).toBe(503)
    expect(before.body).toMatchObject({ code: 'not_ready' })
    await at.house.open()
    await expect.poll(async () => (await at.call('GET', '/ready', { key: null })).status).toBe(200)
  })
})

itInDepth('metrics tell the verdict by component', async () => {
  await using at = await openTestHouse()
  await expectHealthy(at.call)
  const text = (await at.call('GET', '/metrics')).body as unknown as string
  expect(text).toMatch(/^plumbline_component_ok\{component="routes"\} 1$/m)
  expect(text).toMatch(/^plumbline_component_age_seconds\{component="database"\} \d/m)
  expect(text).toMatch(/^plumbline_invariant_holds\{invariant="names_unique_and_canonical"\} 1$/m)
  expect(text).not.toContain('component="proxy"')
})
