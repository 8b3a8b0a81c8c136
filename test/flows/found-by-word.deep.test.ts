/** Things by a word of theirs, and what leads where, in a whole house. */
import { expect, it } from 'vitest'
import { create, createActive, openTestHouse } from './test-house.ts'

it('finds domains, releases, settings and requests, and draws what is deployed', async () => {
  await using at = await openTestHouse()
  const { call } = at
  const app = await createActive(call, { tags: ['media'] })
  await createActive(call, { domain: 'xn--bcher-kva.example.com', backend_host: '10.0.0.40' })
  await create(call, { domain: 'draft.example.com' })
  const found = async (q: string) => {
    const { status, body } = await call('GET', `/api/search?q=${encodeURIComponent(q)}`)
    expect(status).toBe(200)
    return (body['hits'] as unknown as { kind: string; id: string; title: string }[]).map(
      ({ kind, title }) => `${kind} ${title}`,
    )
  }
  expect(await found('app')).toEqual(['domain app.example.com', ...(await found('app')).slice(1)])
  expect(await found('BÜCHER')).toEqual(['domain xn--bcher-kva.example.com'])
  expect(await found('10.0.0.40:')).toEqual(['domain xn--bcher-kva.example.com'])
  expect(await found('media')).toContain('domain app.example.com')
  expect(await found('#1')).toEqual(['release Release 1'])
  expect(await found('backend_looks')).toEqual(['setting PLUMBLINE_BACKEND_LOOKS'])
  expect(await found('nothing-has-this')).toEqual([])
  const { body: trail } = await call('GET', '/api/audit?limit=1')
  const [{ request_id }] = trail as unknown as [{ request_id: string }]
  expect(await found(request_id)).toEqual([`request ${request_id}`])
  const map = await call('GET', '/api/map')
  expect(map.body).toMatchObject({ domains: 2, grouped: false, release: expect.any(Number) })
  const part = await call('GET', '/api/map?zone=app.example.com')
  expect(part.body).toMatchObject({ domains: 1 })
  expect(JSON.stringify(part.body['nodes'])).toContain(`"domain_ids":[${app}]`)
  const etag = map.headers.get('etag')!
  expect((await call('GET', '/api/map', { headers: { 'if-none-match': etag } })).status).toBe(304)
})
