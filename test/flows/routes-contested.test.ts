/**
 * Somebody who keeps putting another routes file back, before a proxy that serves what stands in it: what opens a protected
 * name is undone every time and told at once; what does not is given way to after three times.
 */
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { notificationsWorld, type NotificationsWorld, openAlerts, PATIENCE } from './notifications-world.ts'
import { type ProvenProxy, startProvenProxy } from './proven-proxy.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const NAME = 'app.example.com'
let directory: string
let told: NotificationsWorld
let proxy: ProvenProxy
let at: SsoHouse
let ours: string

beforeEach(async () => {
  directory = newFolder('fight')
  told = await notificationsWorld()
  proxy = await startProvenProxy({
    routes: join(directory, 'traefik', 'routes.yml'),
    authelia: () => at.authelia.url,
  })
  at = await openSsoHouse({ directory, env: { ...told.env, PLUMBLINE_MODE: 'repair' } })
  await createActive(at.call, { domain: NAME, auth_required: true })
  ours = at.routes()
})
afterEach(async () => {
  await at[Symbol.asyncDispose]()
  await proxy.stop()
  await told[Symbol.asyncDispose]()
})

/** What the proxy answers to somebody who has not signed in. */
const visit = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const [host, port] = proxy.address.split(':')
    const options = { host, port, servername: NAME, headers: { host: NAME }, rejectUnauthorized: false }
    request({ ...options, agent: false }, (answer) => resolve(answer.resume().statusCode!))
      .on('error', reject)
      .end()
  })
const settled = async () => expect.poll(() => at.routes(), PATIENCE).toBe(ours)
const reasons = async () => {
  const body = (await at.call('GET', '/api/conditions')).body as unknown as readonly {
    component: string
    reason: string
  }[]
  return body.filter(({ component }) => component === 'routes').map(({ reason }) => reason)
}
const edited = (from: string | RegExp, to: string): string => {
  const text = ours.replace(from, to)
  expect(text).not.toBe(ours)
  return text
}

it('a file without the SSO check is undone also after the third time, and a person is told then', async () => {
  const open = edited('        - "plumbline-sso"\n', '')
  expect(await visit()).toBe(302)
  for (let round = 1; round <= 5; round++) {
    writeFileSync(at.house.routes_path, open)
    await settled()
    expect(await visit(), `after round ${round}`).toBe(302)
    if (round === 2) expect(await reasons()).not.toContain('contested')
    if (round >= 3) await expect.poll(reasons, PATIENCE).toContain('contested')
  }
  const kinds = async () => (await openAlerts(at)).map(({ kind }) => kind)
  await expect.poll(kinds, PATIENCE).toContain('contested')
  for (const query of ['', '?probe=true']) {
    const { body } = await at.call('GET', `/api/control-plane/health${query}`)
    const parts = body['components'] as unknown as readonly { name: string }[]
    const routes = parts.find(({ name }) => name === 'routes')
    expect(routes, query).toMatchObject({ ok: false, drift: false, reason: 'contested' })
  }
})

itInDepth(
  'a file that leads the same name elsewhere is undone three times and then left, still behind the check',
  async () => {
    const elsewhere = edited('10.0.0.5:8080', '10.0.0.9:8080')
    for (let round = 1; round <= 3; round++) {
      writeFileSync(at.house.routes_path, elsewhere)
      await settled()
    }
    writeFileSync(at.house.routes_path, elsewhere)
    await expect.poll(reasons, PATIENCE).toContain('contested')
    expect(at.routes()).toBe(elsewhere)
    expect(await visit()).toBe(302)
  },
)
