/** The list as tables ask for it: compact, filtered, and not sent again while it is the same. */
import { expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { itInDepth } from '../kit/in-depth.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

it('is compact, says what waits, and is not sent again while it is the same', async () => {
  await using at = await openTestHouse()
  const { call } = at
  const live = await createActive(call)
  const draft = await create(call, { domain: 'b.example.com', backend_host: 'fd00::5', tags: ['media'] })
  const ids = async (query: string) => {
    const { status, body } = await call('GET', `/api/domains?view=compact&${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as unknown as (readonly unknown[])[]).map(([id]) => id)
  }
  const { body, headers } = await call('GET', '/api/domains?view=compact')
  const time = expect.any(String) as string
  expect(body).toEqual([
    [live, 'app.example.com', 'http', 'production', '10.0.0.5:8080', 'active', 2, true, [], time],
    [draft, 'b.example.com', 'http', 'production', '[fd00::5]:8080', 'inactive', 1, true, ['media'], time],
  ])
  expect(headers.get('x-total-count')).toBe('2')
  const held = { 'if-none-match': headers.get('etag')! }
  expect((await call('GET', '/api/domains?view=compact', { headers: held })).status).toBe(304)
  expect((await call('GET', '/api/domains', { headers: held })).status).toBe(200)
  await call('PUT', `/api/domains/${live}`, { body: { backend_port: 9090 } })
  expect((await call('GET', '/api/domains?view=compact', { headers: held })).status).toBe(200)
  expect(await ids('pending=true')).toEqual([live])
  expect(await ids('pending=false')).toEqual([draft])
  expect(await ids('cause=pending_deploy')).toEqual([live])
  expect(await ids('cause=pending_deploy&pending=false')).toEqual([])
  expect((await call('GET', '/api/domains?cause=No!')).status).toBe(422)
  expect(await ids('tag=media&zone=example.com')).toEqual([draft])
  expect(await ids('target=10.0.0.5:9090')).toEqual([live])
  expect(await ids('sort=-backend_host')).toEqual([draft, live])
  expect((await call('GET', '/api/domains?pending=perhaps')).status).toBe(422)
  // A tag that is only compared does not keep an answer from being sent smaller.
  const zipped = await call('GET', '/api/domains', { headers: { 'accept-encoding': 'gzip' } })
  expect([zipped.headers.get('content-encoding'), zipped.headers.get('etag')?.slice(0, 3)]).toEqual([
    'gzip',
    'W/"',
  ])
})

itInDepth('finds those that somebody has edited by hand, by what is known', async () => {
  await using at = await openTestHouse()
  const { call } = at
  const edited = await createActive(call)
  await createActive(call, { domain: 'b.example.com', backend_host: '10.0.0.6' })
  await call('PUT', '/api/modes/*', { body: { mode: 'observe' } })
  writeFileSync(at.house.routes_path, at.routes().replace('10.0.0.5:8080', '10.0.0.9:8080'))
  await call('GET', '/api/drift')
  const { body } = await call('GET', '/api/domains?cause=edited')
  expect(body).toMatchObject([{ id: edited }])
})
