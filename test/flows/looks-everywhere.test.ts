/**
 * What one endpoint has found is on the health page in the next call. Nobody ticks and nobody watches here, so nothing but
 * the caller's own look can have put it there.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HealthAnswer, PresentedComponent } from '../../src/features/health/read-health.ts'
import { P256, SAID } from '../model/ssh/keys.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const DOMAIN = 'app.example.org'
let at: TestHouse
let id: number
let folder: string
let keys: string

beforeAll(async () => {
  folder = newFolder('looks')
  keys = join(folder, 'authorized_keys')
  const users = join(folder, 'users.yml')
  writeFileSync(users, 'users: {}\n')
  at = await openTestHouse({
    opened: false,
    env: {
      PLUMBLINE_MODE: 'observe',
      PLUMBLINE_AUTHORIZED_KEYS: keys,
      PLUMBLINE_DNS_PROVIDER: 'zonefile',
      PLUMBLINE_DNS_ZONES: 'example.org',
      PLUMBLINE_PUBLIC_IP: '203.0.113.10',
      PLUMBLINE_SSO_USERS_FILE: users,
    },
  })
  id = await createActive(at.call, { domain: DOMAIN, auth_required: false })
  const added = await at.call('POST', '/api/ssh-clients', { body: { public_key: SAID.ED25519.join(' ') } })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
})
afterAll(() => at[Symbol.asyncDispose]())

const part = async (name: string): Promise<PresentedComponent> => {
  const { body } = await at.call('GET', '/api/control-plane/health')
  const found = (body as unknown as HealthAnswer).components.find((one) => one.name === name)
  return found ?? expect.fail(`no part ${name}`)
}

const routes = () => at.house.routes_path
const zone = () => {
  const folder = join(at.directory, 'zones')
  return join(
    folder,
    readdirSync(folder).find((name) => name.includes('example.org'))!,
  )
}

it.each<[string, string, () => string, string, string]>([
  ['the routes file', 'routes', routes, 'GET', '/api/domains/drift'],
  ['the routes file', 'routes', routes, 'GET', '/api/drift'],
  ['the routes file', 'routes', routes, 'GET', '/api/domains/ID/explain'],
  ['the routes file', 'routes', routes, 'POST', '/api/deploy-proxy?dry_run=true'],
  ['the routes file', 'routes', routes, 'GET', '/api/control-plane/health?probe=true'],
  ['the zone', 'dns:example.org', zone, 'GET', '/api/dns/records'],
  ['the keys of the gateway', 'ssh-gateway', () => keys, 'GET', '/api/ssh-clients'],
])('$0 ($1) is changed by hand: known to the page after $3 $4', async (_what, name, path, method, url) => {
  const { headers } = await at.call('POST', '/api/reconcile', { body: {} })
  const ended = async () => (await at.call('GET', headers.get('location')!)).body['state']
  await expect.poll(ended).toBe('succeeded')
  expect(await part(name)).toMatchObject({ ok: true, drift: false })
  const before = readFileSync(path(), 'utf8')
  if (name === 'ssh-gateway') writeFileSync(path(), before.replace('# plumbline:end', `${P256} mallory\n$&`))
  else if (name === 'routes') appendFileSync(path(), '# by hand\n')
  else writeFileSync(path(), before.replace('203.0.113.10', '198.51.100.66'))
  expect(await part(name), 'nobody has looked yet').toMatchObject({ drift: false })
  const { status } = await at.call(method, url.replace('ID', String(id)))
  expect(status).toBe(200)
  expect(await part(name)).toMatchObject({ ok: false, drift: true, cause: 'edited' })
  const conditions = await at.call('GET', '/api/conditions')
  expect(JSON.stringify(conditions.body)).toContain('drifting')
})
