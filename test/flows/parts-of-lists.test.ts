/** Parts of the lists of backends and of targets: one domain, pages, and the tag of what was told before. */
import { expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'

it('lists a page, one domain, and nothing where it is what the caller has', async () => {
  await using at = await openTestHouse()
  const { call } = at
  await createActive(call)
  await createActive(call, { domain: 'b.example.com', backend_host: '10.0.0.40' })
  const whole = { '10.0.0.5:8080': ['app.example.com'], '10.0.0.40:8080': ['b.example.com'] }
  const services = await call('GET', '/api/services')
  expect(JSON.stringify(services.body)).toBe(JSON.stringify(whole))
  const etag = services.headers.get('etag')!
  expect((await call('GET', '/api/services', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const first = await call('GET', '/api/services?limit=1')
  expect(first.body).toEqual({ '10.0.0.5:8080': ['app.example.com'] })
  expect(first.headers.get('x-total-count')).toBe('2')
  const next = /<(.*)>/.exec(first.headers.get('link')!)![1]!
  const second = await call('GET', next)
  expect(second.body).toEqual({ '10.0.0.40:8080': ['b.example.com'] })
  expect(second.headers.get('link')).toBeNull()
  expect((await call('GET', '/api/metrics-targets?domain=B.example.com.')).body).toMatchObject([
    { labels: { domain: 'b.example.com' } },
  ])
  for (const path of ['/api/dns/records', '/api/dns/integrity']) {
    const answer = await call('GET', path)
    const again = await call('GET', path, { headers: { 'if-none-match': answer.headers.get('etag')! } })
    expect([path, answer.status, again.status]).toEqual([path, 200, 304])
    expect((await call('GET', `${path}?domain=app.example.com&limit=5`)).status).toBe(200)
    expect((await call('GET', `${path}?cursor=x`)).status).toBe(422)
  }
})

it('takes a cursor of the list that made it alone', async () => {
  await using at = await openTestHouse()
  const { call } = at
  for (const [n, host] of ['a', 'b', 'c'].entries())
    await createActive(call, { domain: `${host}.example.com`, backend_host: `10.0.0.${n}` })
  const LISTS = ['/api/services', '/api/metrics-targets', '/api/domains'].map((path) => `${path}?limit=2`)
  const first = await Promise.all(LISTS.map((path) => call('GET', path)))
  const cursors = first.map(({ headers }) => /cursor=([\w-]+)/.exec(headers.get('link') ?? '')?.[1] ?? 'none')
  const forged = Buffer.from('["1 "]').toString('base64url')
  for (const path of [...LISTS, '/api/domains?limit=2&status=active', '/api/dns/integrity?limit=2'])
    for (const [from, cursor] of [...cursors, forged].entries()) {
      const answer = await call('GET', `${path}&cursor=${cursor}`)
      const wanted = path === LISTS[from] ? [200] : [422, 'cursor']
      expect([answer.status, ...errorTypes(answer.body)], `${path} ${from}`).toEqual(wanted)
    }
  // As far as one likes of the same list, in either of its forms.
  const wider = await call('GET', `/api/domains?limit=9&view=compact&sort=domain&cursor=${cursors[2]}`)
  expect(wider.body).toEqual([expect.arrayContaining(['c.example.com'])])
})

const errorTypes = (body: unknown): readonly string[] =>
  ((body as { errors?: { type: string }[] }).errors ?? []).map(({ type }) => type)
