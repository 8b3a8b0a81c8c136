/** Acts as they are offered and done: what an answer says can be done is done by calling exactly that. */
import { appendFileSync, writeFileSync } from 'node:fs'
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

it('a hand edit and a saved one at the same route are told apart, and no secret of the hand is shown', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  const id = await createActive(at.call)
  const by_hand = at.routes().replace('http://10.0.0.5:8080', 'http://ana:hunter2@10.0.0.9:8080')
  writeFileSync(at.house.routes_path, by_hand)
  await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
  for (const path of ['/api/drift', '/api/domains/drift', `/api/domains/${id}/explain`]) {
    const { body } = await at.call('GET', path)
    const text = JSON.stringify(body)
    expect(text, path).not.toContain('hunter2')
    expect(flat(body).find(({ cause }) => cause === 'edited_and_pending')).toMatchObject({
      saved: expect.stringContaining('10.0.0.5:9999') as string,
      released: expect.stringContaining('10.0.0.5:8080') as string,
      there: expect.stringContaining('10.0.0.9:8080') as string,
      line: expect.any(Number) as number,
      noise: false,
    })
  }
})

interface Told {
  readonly cause: string
}

/** Every difference in an answer, wherever it stands. */
function flat(value: unknown): Told[] {
  if (Array.isArray(value)) return value.flatMap(flat)
  if (typeof value !== 'object' || value === null) return []
  const own = 'hunks' in value && 'cause' in value ? [value as Told] : []
  return [...own, ...Object.values(value).flatMap(flat)]
}
