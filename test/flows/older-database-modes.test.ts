/**
 * A database that was set back by changes after which nothing is written outside: a site key that was ended, a mode that was
 * set, the key of an edge. It waits as after any other change, and what no file of the world holds is said with the decision.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { healthFindings } from '../../src/doctor/health.ts'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { goodAt, setBackBefore } from './older-database.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const HOST = 'home.example.com'
const OLD = '9.9.9.9'
let at: TestHouse
let issued: { readonly key: string; readonly id: string }
let edge: number

beforeEach(async () => {
  at = await openTestHouse({
    env: {
      PLUMBLINE_DNS_PROVIDER: 'zonefile',
      PLUMBLINE_DNS_ZONES: 'example.com',
      PLUMBLINE_PUBLIC_IP: '203.0.113.10',
    },
  })
  await createActive(at.call, { domain: HOST, ddns_enabled: true })
  const token = await good('POST', '/api/ddns/tokens', { host: HOST, label: 'router' })
  issued = { key: token['key'] as unknown as string, id: (token['token'] as unknown as { id: string }).id }
  const made = await good('POST', '/api/ccm/edge/edges', { name: 'fra1' })
  edge = (made['edge'] as unknown as { id: number }).id
  expect((await report(OLD)).status).toBe(200)
  await expect.poll(zone).toContain(OLD)
})
afterEach(() => at[Symbol.asyncDispose]())

const good = goodAt(() => at)
const report = (ip: string) => at.call('GET', `/api/ddns/update/${HOST}?key=${issued.key}&ip=${ip}`)
const zone = () => {
  const folder = join(at.directory, 'zones')
  return readFileSync(
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.zone'))!,
    ),
    'utf8',
  )
}

itOneIn(4).each<[string, () => Promise<unknown>]>([
  ['a site key that was ended', () => good('DELETE', `/api/ddns/tokens/${issued.id}`)],
  ['a site key that was changed', () => good('POST', `/api/ddns/tokens/${issued.id}/rotate`)],
  ['a mode that only reports', () => good('PUT', '/api/modes/*', { mode: 'observe' })],
  ['keys of an edge that were ended', () => good('DELETE', `/api/ccm/edge/edges/${edge}/token`)],
])('set back before %s nothing is written outside until a person decides', async (_what, change) => {
  at = await setBackBefore(at, change)
  rmSync(at.house.routes_path)
  const before = zone()
  await report('9.9.9.10')
  expect((await at.call('POST', '/api/reconcile')).status).toBe(409)
  await expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)
  expect(zone()).toBe(before)
  expect(() => at.routes()).toThrow('ENOENT')
  const { body } = await at.call('GET', '/api/control-plane/health')
  expect(JSON.stringify(body)).toContain('restored_from_backup')
  const plan = await good('POST', '/api/releases/resume', { take: 'world' })
  expect(JSON.stringify(plan)).toContain('Revoke again what was revoked since, and set modes again.')
})

/** Set back before a change that some place of the world knows, so that a person is to decide. */
async function waiting(): Promise<void> {
  at = await setBackBefore(at, () => createActive(at.call, { domain: 'newer.example.com' }))
}

itInDepth(
  'what only makes us do less is done while a person is to decide, stands after it, and writes nothing outside',
  async () => {
    await waiting()
    const before = zone()
    expect(await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })).toMatchObject({
      status: 409,
      body: { code: 'restored_from_backup' },
    })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await good('PUT', '/api/modes/dns', { mode: 'suspend', reason: 'looking first', expires_at })
    await good('PUT', '/api/modes/*', { mode: 'observe' })
    await good('DELETE', `/api/ddns/tokens/${issued.id}`)
    await good('DELETE', `/api/ccm/edge/edges/${edge}/token`)
    // Those that would come back, or would be lost, with the side that is taken.
    expect((await at.call('POST', '/api/ddns/tokens', { body: { host: HOST } })).status).toBe(409)
    expect((await at.call('POST', `/api/ddns/tokens/${issued.id}/rotate`)).status).toBe(409)
    expect(zone()).toBe(before)
    const plan = (await good('POST', '/api/releases/resume', { take: 'world' })) as unknown as {
      hash: string
    }
    await at.call('POST', `/api/releases/resume?confirm=${plan.hash}`, { body: { take: 'world' } })
    const tokens = (await good('GET', '/api/ddns/tokens')) as unknown as readonly {
      id: string
      expires_at: string | null
    }[]
    expect(tokens.find(({ id }) => id === issued.id)?.expires_at).not.toBeNull()
    const modes = (await good('GET', '/api/modes')) as unknown as {
      settings: readonly { scope: string; mode: string }[]
    }
    expect(modes.settings).toMatchObject([
      { scope: '*', mode: 'observe' },
      { scope: 'dns', mode: 'suspend' },
    ])
  },
)

itInDepth(
  'the differences are known while a person is to decide, on each page and after each pass',
  async () => {
    await waiting()
    const text = at.routes()
    writeFileSync(at.house.routes_path, text.replace('10.0.0.5', '10.0.0.6'))
    const condition = async () => {
      const list = (await good('GET', '/api/conditions')) as unknown as readonly {
        component: string
        status: string
        reason: string
      }[]
      return list.find(({ component }) => component === 'routes')
    }
    await expect.poll(condition).toMatchObject({ status: 'false' })
    for (let looks = 0; looks < 3; looks++) {
      expect((await good('GET', '/api/domains/drift'))['drift']).toBe(true)
      await at.house.engine.understood(5_000)
      expect(await condition()).toMatchObject({ status: 'false' })
      expect(await kept()).toMatchObject({ drift: true })
      const passes = at.house.engine.lastReports().find(({ key }) => key === 'routes')!
      expect(passes).toMatchObject({ outcome: 'failed', repaired: 0 })
      expect(passes.differences).toBeGreaterThan(0)
      expect(passes.failure?.code).toBe('restored_from_backup')
    }
    expect(at.routes()).toContain('10.0.0.6')
  },
)

const kept = async () => {
  const { components } = (await good('GET', '/api/control-plane/health')) as unknown as {
    components: readonly { name: string; drift: boolean | null }[]
  }
  return components.find(({ name }) => name === 'routes')
}

itInDepth('every page says the same while a person is to decide, and names the one command', async () => {
  await waiting()
  writeFileSync(at.house.routes_path, at.routes().replace('10.0.0.5', '10.0.0.6'))
  const COMMAND = 'plumbline releases resume --take database, or --take world'
  const WORDS = `The world is newer than this database, so nothing is written outside until somebody decides: ${COMMAND}.`
  const routes = async (query: string) => {
    const body = (await good('GET', `/api/control-plane/health${query}`)) as unknown as HealthAnswer
    return body.components.find(({ name }) => name === 'routes')
  }
  await expect.poll(() => routes('')).toMatchObject({ ok: false, drift: true, message: WORDS })
  expect(await routes('?probe=true')).toMatchObject({ ok: false, drift: true, message: WORDS })
  expect((await good('GET', '/api/drift'))['drift']).toBe(true)
  expect(await at.call('GET', '/ready')).toMatchObject({ status: 503, body: { detail: WORDS } })
  const kept_plan = await good('POST', '/api/plans', {})
  expect(kept_plan).toMatchObject({
    plan: { applyable: false, guards: [{ rule: 'restored_from_backup', message: WORDS }] },
  })
  expect(await good('POST', '/api/deploy-all?dry_run=true')).toMatchObject({
    plan: { applyable: false, guards: [{ rule: 'restored_from_backup', message: WORDS }] },
  })
  const applied = await at.call('POST', `/api/plans/${String(kept_plan['id'])}/apply`)
  expect(applied).toMatchObject({ status: 409, body: { code: 'restored_from_backup' } })
  const page = (await good('GET', '/api/control-plane/health?probe=true')) as unknown as HealthAnswer
  const findings = healthFindings(page)
  for (const name of ['world', 'routes'])
    expect(findings.find(({ check }) => check === name)).toMatchObject({
      remedy: `Decide first: ${COMMAND}.`,
    })
})
