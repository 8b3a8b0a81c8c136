/** Messages say what was done, and where something cannot be done, the way out that there is. */
import { describe, expect, it } from 'vitest'
import { APP, create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const MANUAL = { service_type: 'manual', backend_host: null, backend_port: null }

const told = async ({ call }: TestHouse, method: 'POST' | 'DELETE', path: string) => {
  const answer = await call(method, path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body['message'] as unknown as string
}

describe('what is managed elsewhere', () => {
  it.each(['activate', 'deploy', 'deactivate', 'disable'])(
    '%s writes no route and claims none',
    async (verb) => {
      await using at = await openTestHouse()
      const id = await createActive(at.call, MANUAL)
      const message = await told(at, 'POST', `/api/domains/${id}/${verb}`)
      expect(message).toContain('it is managed elsewhere')
      expect(message).not.toMatch(/deployed|route is removed/i)
    },
  )

  it('saving it promises no route', async () => {
    await using at = await openTestHouse()
    const saved = await at.call('POST', '/api/domains', { body: { ...APP, ...MANUAL } })
    expect(saved.body['message']).toContain('activating it writes no route')
  })

  it('an exposure and a removal', async () => {
    await using at = await openTestHouse()
    const exposed = await at.call('POST', '/api/domains/expose', { body: { ...MANUAL, domain: APP.domain } })
    expect(exposed.body['message']).toMatch(/is active; it is managed elsewhere/)
    expect(await told(at, 'DELETE', `/api/domains/${exposed.body['domain_id']}`)).toContain(
      'managed elsewhere',
    )
  })
})

describe('what was never activated', () => {
  it.each(['deactivate', 'disable'])('%s removes no route', async (verb) => {
    await using at = await openTestHouse()
    const id = await create(at.call)
    expect(await told(at, 'POST', `/api/domains/${id}/${verb}`)).toMatch(/; nothing of it was deployed\.$/)
  })

  it('nor does a removal', async () => {
    await using at = await openTestHouse()
    const id = await create(at.call)
    expect(await told(at, 'DELETE', `/api/domains/${id}`)).toBe(
      'Deleted app.example.com; nothing of it was deployed.',
    )
  })
})

it('what was renamed since its route went is deleted under the name it has', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  await at.call('POST', `/api/domains/${id}/deactivate`)
  const { body } = await at.call('GET', `/api/domains/${id}`)
  await at.call('PUT', `/api/domains/${id}`, { body: { ...body, domain: 'renamed.example.com' } })
  expect(await told(at, 'DELETE', `/api/domains/${id}`)).toBe('Deleted renamed.example.com; it had no route.')
})

itInDepth('a route that stood is removed once, and said to be once', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  expect(await told(at, 'POST', `/api/domains/${id}/deactivate`)).toContain('its route is removed')
  expect(await told(at, 'POST', `/api/domains/${id}/deactivate`)).toContain('it had no route')
  expect(await told(at, 'POST', `/api/domains/${id}/disable`)).toContain('it had no route')
})

itInDepth('a disabled record keeps its name: both refusals name the way out, and it is one', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  await told(at, 'POST', `/api/domains/${id}/disable`)
  const way_out = `DELETE /api/domains/${id}`
  const again = await at.call('POST', `/api/domains/${id}/activate`)
  expect(again).toMatchObject({ status: 409, body: { code: 'record_disabled' } })
  expect(again.body['detail']).toContain(way_out)
  const taken = await at.call('POST', '/api/domains', { body: APP })
  expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken', domain_id: id } })
  expect(taken.body['detail']).toContain(way_out)
  await told(at, 'DELETE', `/api/domains/${id}`)
  await createActive(at.call)
})

describe('a name that a saved rename has freed and the world has not', () => {
  it('is warned of when it is given to another record, which cannot be activated yet', async () => {
    await using at = await openTestHouse()
    const first = await createActive(at.call)
    await at.call('PUT', `/api/domains/${first}`, { body: { domain: 'renamed.example.com' } })
    const warning = expect.stringContaining(
      `app.example.com is still deployed for domain ${first}`,
    ) as unknown
    const created = await at.call('POST', '/api/domains', { body: APP })
    expect(created).toMatchObject({ status: 201, body: { warnings: [warning] } })
    const other = await create(at.call, { domain: 'other.example.com' })
    const second = created.body['domain_id'] as unknown as number
    expect(await at.call('POST', `/api/domains/${second}/activate`)).toMatchObject({ status: 409 })
    await told(at, 'DELETE', `/api/domains/${second}`)
    const renamed = await at.call('PUT', `/api/domains/${other}`, { body: { domain: APP.domain } })
    expect(renamed.body['warnings']).toEqual([warning])
    await told(at, 'POST', `/api/domains/${first}/deploy`)
    expect((await at.call('PUT', `/api/domains/${other}`, { body: { note: 'x' } })).body['warnings']).toEqual(
      [],
    )
    await told(at, 'POST', `/api/domains/${other}/activate`)
  })
})

it('a name that can be none is told from one that is not known', async () => {
  await using at = await openTestHouse()
  const ask = async (name: string) =>
    (await at.call('GET', `/api/domains/by-name/${encodeURIComponent(name)}`)).status
  expect(await ask('not a name')).toBe(422)
  expect(await ask('nobody.example.com')).toBe(404)
})
