/** Differences that may stay: still told, not repaired, and never a way to leave a door open. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const WEEK = () => new Date(Date.now() + 7 * 86_400_000).toISOString()

interface Part {
  readonly name: string
  readonly ok: boolean
  readonly drift: boolean | null
}

async function routesOf({ call }: TestHouse): Promise<Part> {
  const { body } = await call('GET', '/api/control-plane/health?probe=true')
  const { components } = body as unknown as { readonly components: readonly Part[] }
  return components.find(({ name }) => name === 'routes')!
}

async function itemsOf({ call }: TestHouse): Promise<readonly { item: string; ignored?: object }[]> {
  const { body } = await call('GET', '/api/drift')
  const { components } = body as unknown as {
    readonly components: readonly { key: string; differences: { item: string; ignored?: object }[] }[]
  }
  return components.find(({ key }) => key === 'routes')!.differences
}

it('leaves a known hand edit alone until something else stands there, and never one that opens a door', async () => {
  await using at = await openTestHouse()
  const { call, house } = at
  await createActive(call, { auth_required: true })
  const clean = at.routes()
  const write = (text: string) => writeFileSync(house.routes_path, text)
  const edited = clean.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080')
  const opened = clean.replaceAll(/^ *- "?plumbline-(?:sso|auth)[^\n]*\n/gm, '')
  expect(edited).not.toBe(clean)
  expect(opened).not.toBe(clean)
  const mode = (mode: string) => call('PUT', '/api/modes/*', { body: { mode } })
  await mode('observe')

  // A door that stands open.
  write(opened)
  const [open] = await itemsOf(at)
  const ignore = (item: string, body: object = { reason: 'known', until: WEEK() }) =>
    call('PUT', `/api/drift/ignored/${encodeURIComponent(item)}`, { body })
  const refused = await ignore(open!.item)
  expect(refused.status).toBe(409)
  expect(refused.body['detail']).toContain('never ignored')

  // A backend that somebody moved.
  write(edited)
  const found = await itemsOf(at)
  const { item } = found.find(({ item }) => item.includes('services')) ?? found[0]!
  expect((await ignore(item, { reason: ' ', until: WEEK() })).status).toBe(422)
  expect((await ignore(item, { reason: 'known', until: '2001-01-01T00:00:00Z' })).status).toBe(422)
  const later = new Date(Date.now() + 91 * 86_400_000).toISOString()
  expect((await ignore(item, { reason: 'known', until: later })).status).toBe(422)
  expect((await ignore('nothing.has.this')).status).toBe(404)
  const done = await ignore(item)
  expect([done.status, done.body['message']]).toEqual([200, expect.stringContaining(item)])
  expect(done.body['message']).toContain('routes is written as a whole: ALL hand edits of it stay')
  await mode('repair')
  await expect.poll(() => routesOf(at)).toMatchObject({ ok: true, drift: true })
  await new Promise((done) => setTimeout(done, 1500))
  expect(readFileSync(house.routes_path, 'utf8')).toBe(edited)
  expect((await itemsOf(at)).find((one) => one.item === item)).toMatchObject({ ignored: { reason: 'known' } })
  expect((await call('GET', '/api/drift/ignored')).body).toMatchObject([
    { component: 'routes', reason: 'known' },
  ])

  // Something else stands there, which opens a door: it is repaired at once, and nothing is ignored any more.
  write(opened.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080'))
  await expect.poll(() => at.routes()).toBe(clean)
  await expect.poll(async () => (await call('GET', '/api/drift/ignored')).body).toEqual([])
  const { body: trail } = await call('GET', '/api/audit?action=ignore')
  expect(trail).toMatchObject([{ action: 'ignore' }])
  expect((await call('DELETE', `/api/drift/ignored/${encodeURIComponent(item)}`)).status).toBe(404)
})

it('is told open by the first look, also where no pass comes by: suspended, a door that opens is never known', async () => {
  await using at = await openTestHouse()
  const { call, house } = at
  await createActive(call, { auth_required: true })
  const clean = at.routes()
  const edited = clean.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080')
  await call('PUT', '/api/modes/*', { body: { mode: 'observe' } })
  writeFileSync(house.routes_path, edited)
  const [first] = await itemsOf(at)
  const body = { reason: 'known', until: WEEK() }
  expect((await call('PUT', `/api/drift/ignored/${encodeURIComponent(first!.item)}`, { body })).status).toBe(
    200,
  )
  expect(await routesOf(at)).toMatchObject({ ok: true, drift: true })
  const suspended = { mode: 'suspend', reason: 'moving house', expires_at: WEEK() }
  expect((await call('PUT', '/api/modes/routes', { body: suspended })).status).toBe(200)
  writeFileSync(house.routes_path, edited.replaceAll(/^ *- "?plumbline-(?:sso|auth)[^\n]*\n/gm, ''))
  expect(await routesOf(at)).toMatchObject({ ok: false })
  expect((await call('GET', '/api/drift/ignored')).body).toEqual([])
})
