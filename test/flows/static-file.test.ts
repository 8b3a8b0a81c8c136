/** What the proxy's static file alone tells, where no API of it is set: by plan and answers, and by everything that says how it is. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type Facts, type Log, silentLog } from '../../src/kernel/log.ts'
import { run } from './command.ts'
import { create, createActive, envIn, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
beforeAll(() => void (folder = newFolder('static')))

const PLAIN = { domain: 'plain.example.com', ssl_enabled: false, auth_required: false }
const WORDS = 'plain.example.com has ssl_enabled false, and the proxy sends every request on http'

function staticFile(redirects: boolean): string {
  const file = join(folder, `${redirects}.yml`)
  const redirections = redirects ? { http: { redirections: { entryPoint: { to: 'https' } } } } : {}
  const entryPoints = { http: { address: ':80', ...redirections }, https: { address: ':443' } }
  writeFileSync(file, JSON.stringify({ entryPoints }))
  return file
}

const envWith = (redirects: boolean) => ({
  PLUMBLINE_TRAEFIK_STATIC: staticFile(redirects),
  PLUMBLINE_ENTRYPOINTS: 'http=80,https=443',
})

itInDepth('a record without TLS that the proxy sends away is told after its deploy, too', async () => {
  await using at = await openTestHouse({ env: envWith(true) })
  await createActive(at.call)
  const id = await create(at.call, PLAIN)
  const planned = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
  expect(JSON.stringify(planned.body)).toContain(WORDS)

  const shadowed = [{ domain_id: id, domain: 'plain.example.com' }]
  const answer = await at.call('POST', `/api/domains/${id}/activate`)
  expect(answer).toMatchObject({ status: 200, body: { success: false, loaded: null, shadowed } })
  expect(String(answer.body['warnings'])).toContain(WORDS)
  expect((await at.call('POST', '/api/deploy-all')).body).toMatchObject({ success: false, shadowed })

  const drift = await at.call('GET', '/api/drift')
  expect(drift.body).toMatchObject({ drift: true })
  expect(drift.body['components']).toContainEqual(
    expect.objectContaining({
      key: 'proxy',
      drift: true,
      differences: [expect.objectContaining({ cause: 'shadowed', domains: ['plain.example.com'] })],
    }),
  )
  expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({ drift: true, cause: 'shadowed' })
  const explained = await at.call('GET', `/api/domains/${id}/explain`)
  expect(explained.body).toMatchObject({ served: { agrees: false, cause: 'shadowed' } })
  const env = { ...envIn(at.directory), ...envWith(true) }
  const status = await run(['status', '--probe'], env)
  expect(status).toMatchObject({ code: 2, out: expect.stringContaining(WORDS) as unknown })
  const doctor = await run(['doctor'], env)
  expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(WORDS) as unknown })
  expect(doctor.out).toContain('Remove the other router, definition or redirection')

  await at.call('PUT', `/api/domains/${id}`, { body: { ssl_enabled: true } })
  const cured = await at.call('POST', `/api/domains/${id}/deploy`)
  expect(cured).toMatchObject({ status: 200, body: { success: true, shadowed: null, warnings: [] } })
  expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
  expect((await run(['status', '--probe'], env)).code).toBe(0)
})

it('where the static file redirects nobody, nothing is told', async () => {
  await using at = await openTestHouse({ env: envWith(false) })
  const id = await create(at.call, PLAIN)
  const answer = await at.call('POST', `/api/domains/${id}/activate`)
  expect(answer).toMatchObject({ status: 200, body: { success: true, shadowed: null, warnings: [] } })
  const drift = (await at.call('GET', '/api/drift')).body
  expect(drift).toMatchObject({ drift: false })
  expect(JSON.stringify(drift)).not.toContain('"proxy"')
})

it('names that the proxy does not have are told in the log and as an event at the start', async () => {
  const told: Facts[] = []
  const log: Log = { ...silentLog, warn: (message, facts) => void told.push({ message, ...facts }) }
  const env = { PLUMBLINE_TRAEFIK_STATIC: staticFile(true) }
  await using at = await openTestHouse({ env, log })
  expect(told).toContainEqual(
    expect.objectContaining({
      message: 'the entry points of the proxy are not those of PLUMBLINE_ENTRYPOINTS',
      missing: ['web', 'websecure', 'ssh', 'smtp'],
      has: ['http', 'https'],
    }),
  )
  const events = async () =>
    (await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })).body
  await expect.poll(events).toContainEqual(expect.objectContaining({ kind: 'entrypoints_missing' }))
})
