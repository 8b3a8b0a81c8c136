/** What a revocation does not reach: its answer says which sessions go on, what the restart costs, and what nothing can prove. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { peopleWorld } from './people-world.ts'
import { invite, JO, restartWorld } from './restart-world.ts'
import { openSsoHouse } from './sso-house.ts'
import { create, createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const REVOKE = '/api/users/jo.doe/revoke'

/** Authelia's own configuration, for as long as the test runs. */
function configured(text: string) {
  const folder = newFolder('authelia')
  const path = join(folder, 'configuration.yml')
  writeFileSync(path, text)
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

itInDepth(
  'with a file that is watched nothing proves the reading: null, a warning, and no unknown component',
  async () => {
    await using world = await peopleWorld()
    await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_SSO_USERS_RELOAD: 'watch' } })
    expect((await at.call('POST', '/api/users/invite', { body: JO })).body).toMatchObject({
      warnings: [],
      read: null,
    })
    const { status, body } = await at.call('POST', REVOKE)
    expect(status).toBe(200)
    expect(body['read']).toBe(null)
    expect(body['warnings']).toEqual([
      expect.stringContaining('its watcher may not run'),
      expect.stringContaining('goes on until it expires in 4.37'),
    ])
    const health = (await at.call('GET', '/api/control-plane/health?probe=true')).body
    const components = health['components'] as unknown as readonly { name: string; configured: boolean }[]
    expect(components.find(({ name }) => name === 'sso_users')).toMatchObject({ configured: false })
  },
)

itInDepth('a watch that the configuration does not set is named', async () => {
  using config = configured('authentication_backend: { file: { path: /config/users.yml } }\n')
  await using world = await peopleWorld()
  const env = { ...world.env, PLUMBLINE_SSO_USERS_RELOAD: 'watch', PLUMBLINE_SSO_CONFIG: config.path }
  await using at = await openTestHouse({ env })
  await at.call('POST', '/api/users/invite', { body: JO })
  expect(JSON.stringify((await at.call('POST', REVOKE)).body['warnings'])).toContain(
    'does not set authentication_backend.file.watch',
  )
})

itInDepth(
  'a restart proves it; plan and answer say what it ends, and that password changes bring the next',
  async () => {
    using config = configured('session: { cookies: [{ domain: example.com }] }\n')
    await using started = await restartWorld({ env: { PLUMBLINE_SSO_CONFIG: config.path } })
    const { at } = started
    expect((await invite(at)).body).toMatchObject({ read: true })
    const costs = [
      expect.stringContaining('session.redis keeps them'),
      expect.stringContaining('restarts it once more'),
    ]
    const planned = await at.call('POST', `${REVOKE}?dry_run=true`)
    expect((planned.body['plan'] as unknown as { warnings: unknown }).warnings).toEqual(costs)
    const restarts = at.authelia.restarts
    const done = await at.call('POST', REVOKE)
    expect(done.body).toMatchObject({ read: true, warnings: costs })
    expect(at.authelia.restarts).toBe(restarts + 1)
  },
)

itInDepth(
  'a plan of rules says that the provider is restarted for them and what that ends, unless sessions are kept',
  async () => {
    using config = configured('session: { cookies: [{ domain: example.com }] }\n')
    await using at = await openSsoHouse({ env: { PLUMBLINE_SSO_CONFIG: config.path } })
    const id = await create(at.call, {})
    const plan = async () =>
      JSON.stringify((await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)).body)
    expect(await plan()).toContain(
      'The SSO provider is restarted for its rules. The restart ends every session',
    )
    writeFileSync(config.path, 'session: { cookies: [{ domain: example.com }], redis: { host: redis } }\n')
    expect(await plan()).not.toContain('restarted for its rules')
  },
)

it('an invitation that is carried out later says so as a revocation does, and goes on by itself', async () => {
  await using world = await peopleWorld()
  await using at = await openTestHouse({ env: world.env })
  const mode = (body: object) => at.call('PUT', '/api/modes/people', { body })
  const expires_at = new Date(Date.now() + 600_000).toISOString()
  expect((await mode({ mode: 'suspend', reason: 'moving house', expires_at })).status).toBe(200)
  const { status, body } = await at.call('POST', '/api/users/invite', { body: JO })
  expect(status).toBe(503)
  expect(body).toMatchObject({ username: 'jo.doe', saved: true })
  expect(body['detail']).toMatch(
    /^jo\.doe is invited, but it is not in force yet: .* It is tried again by itself\.$/,
  )
  await mode({ mode: 'repair', reason: 'moved' })
  await expect.poll(() => world.user('jo.doe')?.disabled, { timeout: 30_000 }).toBe(false)
})

itInDepth(
  'a provider that is not restarted yet: read is false, and the warning says that it goes on',
  async () => {
    await using started = await restartWorld()
    const { at, restart } = started
    restart.does('fail')
    const { status, body } = await invite(at)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      read: false,
      warnings: [expect.stringContaining('It is tried again by itself.')],
    })
    restart.does('restart')
  },
)

itInDepth(
  'Authelia before 4.38 is named by plan, deploy, report and health, until it is a newer one',
  async () => {
    await using at = await openSsoHouse({ opened: false })
    const words = 'answers 404, as Authelia before 4.38 does'
    await createActive(at.call, { domain: 'first.example.com' })
    at.authelia.version = '4.37.5'
    const id = await create(at.call, { domain: 'app.example.com' })
    const warned = async (path: string) =>
      JSON.stringify((await at.call('POST', `/api/domains/${id}/${path}`)).body)
    await expect.poll(() => warned('activate?dry_run=true'), { timeout: 30_000 }).toContain(words)
    expect(await warned('activate')).toContain(words)
    const report = (await at.call('GET', '/api/sso/drift')).body
    expect(report).toMatchObject({
      ok: false,
      shut_out: [{ domain: 'app.example.com', cause: 'no_endpoint' }, { domain: 'first.example.com' }],
    })
    expect(JSON.stringify((await at.call('GET', '/api/control-plane/health?probe=true')).body)).toContain(
      words,
    )

    at.authelia.version = '4.39.19'
    await expect
      .poll(async () => (await at.call('GET', '/api/sso/drift')).body['ok'], { timeout: 30_000 })
      .toBe(true)
  },
)

itInDepth('a domain without sign-in is warned of nothing', async () => {
  await using at = await openSsoHouse({ opened: false })
  await createActive(at.call, { domain: 'first.example.com' })
  at.authelia.version = '4.37.5'
  const id = await create(at.call, { domain: 'open.example.com', auth_required: false })
  const { body } = await at.call('POST', `/api/domains/${id}/activate`)
  expect(JSON.stringify(body['warnings'])).not.toContain('404')
})
