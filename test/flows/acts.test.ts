/** Acts as they are offered and done: what an answer says can be done is done by calling exactly that. */
import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Act } from '../../src/model/acts/act.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

interface Differing {
  readonly components: readonly {
    readonly key: string
    readonly differences: readonly { readonly cause: string; readonly acts: readonly Act[] }[]
  }[]
}

async function actOn(at: TestHouse, cause: string, id: Act['id']): Promise<Act> {
  const { body } = await at.call('GET', '/api/drift')
  const { components } = body as unknown as Differing
  const routes = components.find(({ key }) => key === 'routes')
  const act = routes?.differences.find((one) => one.cause === cause)?.acts.find((one) => one.id === id)
  return act ?? expect.fail(`no ${id} on ${cause}: ${JSON.stringify(components)}`)
}

async function done(at: TestHouse, { method, path, body, confirm }: Act): Promise<void> {
  expect(confirm).toBe('plan')
  const planned = await at.call(method, path, { ...(body !== null && { body }) })
  expect(planned.status, JSON.stringify(planned.body)).toBe(201)
  const applied = await at.call('POST', `/api/plans/${String(planned.body['id'])}/apply`, { body: {} })
  expect(applied.status, JSON.stringify(applied.body)).toBe(200)
}

it('a hand edit offers to put ours back, a saved change to deploy it, and each does that when it is called', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  const id = await createActive(at.call)
  appendFileSync(at.house.routes_path, '# by hand\n')
  await done(at, await actOn(at, 'edited', 'repair'))
  expect((await at.call('GET', '/api/drift')).body['drift']).toBe(false)
  await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
  const explained = await at.call('GET', `/api/domains/${id}/explain`)
  expect(explained.body['acts']).toContainEqual(
    expect.objectContaining({ id: 'deploy', body: { domain: id }, why_not: null }),
  )
  await done(at, await actOn(at, 'pending_deploy', 'deploy'))
  expect((await at.call('GET', '/api/drift')).body['drift']).toBe(false)
})
