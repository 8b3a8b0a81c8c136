/**
 * A file of ours beside the world that cannot be read: how far that place is, is not known. Its own place waits; a key that
 * is revoked elsewhere goes all the same, and whoever looks learns of it with the remedy.
 */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ED25519, OTHER } from '../model/ssh/keys.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

let at: TestHouse
let keys: string
let domain: number
let edge: { readonly id: number; readonly token: string }

beforeEach(async () => {
  const home = await openTestHouse()
  keys = join(home.directory, 'keys', 'authorized_keys')
  await home.house.close()
  at = await openTestHouse({ directory: home.directory, env: { PLUMBLINE_AUTHORIZED_KEYS: keys } })
  domain = await createActive(at.call, { domain: 'app.example.com' })
  await good('POST', '/api/ssh-clients', { public_key: ED25519, name: 'laptop-of-jo' })
  await good('POST', '/api/ssh-clients', { public_key: OTHER, name: 'phone-of-jo' })
  const made = (await good('POST', '/api/ccm/edge/edges', { name: 'fra1' })) as unknown as {
    edge: { id: number }
    token: string
  }
  edge = { id: made.edge.id, token: made.token }
})
afterEach(() => at[Symbol.asyncDispose]())

const good = async (method: string, path: string, body?: object) => {
  const answer = await at.call(method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

/** Of the routes file. */
function holder(): string {
  const folder = join(at.directory, '.traefik.plumbline')
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.plumbline'))!,
  )
}

const world = async () => {
  const { components } = (await good('GET', '/api/control-plane/health?probe=true')) as unknown as {
    components: readonly { name: string; ok: boolean; message: string }[]
  }
  return components.find(({ name }) => name === 'world')
}

const fetched = () =>
  at.call('GET', `/api/ccm/edge/edges/${edge.id}/routes`, {
    key: null,
    peer: '203.0.113.9',
    headers: { authorization: `Bearer ${edge.token}` },
  })

it('after a start: its place and edits wait, nobody is served, and what is taken away goes', async () => {
  const routes = at.routes()
  const text = readFileSync(holder())
  writeFileSync(holder(), 'nonsense')
  at = await at.reopen()
  rmSync(at.house.routes_path)
  await at.call('POST', '/api/reconcile')
  expect(await world()).toMatchObject({ ok: false, message: expect.stringContaining('remove') })
  expect(await at.call('POST', '/api/domains', { body: { domain: 'x.example.com' } })).not.toMatchObject({
    status: 201,
  })
  expect(await at.call('PUT', `/api/domains/${domain}`, { body: { backend_port: 9 } })).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining(holder()) },
  })
  expect((await fetched()).status).not.toBe(200)
  await good('DELETE', '/api/ssh-clients', { key: 'laptop-of-jo' })
  expect(readFileSync(keys, 'utf8')).not.toContain(ED25519)
  expect(readFileSync(keys, 'utf8')).toContain(OTHER)
  expect(await at.call('POST', '/api/releases/resume', { body: { take: 'world' } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/not known whether there is anything to decide.*Put it back/) },
  })
  expect(() => at.routes()).toThrow('ENOENT')
  expect(readFileSync(holder(), 'utf8')).toBe('nonsense')
  writeFileSync(holder(), text)
  chmodSync(holder(), 0o600)
  await good('POST', '/api/deploy-all')
  expect(at.routes()).toBe(routes)
  expect(await world()).toMatchObject({ ok: true })
  expect((await fetched()).status).toBe(200)
})

itInDepth(
  'while the daemon works: its place alone waits, because what it read before was not newer',
  async () => {
    writeFileSync(holder(), 'nonsense')
    expect(await world()).toMatchObject({ ok: false })
    await create(at.call, { domain: 'y.example.com' })
    expect((await fetched()).status).toBe(200)
    rmSync(at.house.routes_path)
    await at.call('POST', '/api/reconcile')
    expect(() => at.routes()).toThrow('ENOENT')
  },
)
