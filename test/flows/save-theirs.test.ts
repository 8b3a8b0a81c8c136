/** What a hand made of a route becomes an edit of its record: all of it or nothing, and nothing moves by it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const PATH = '/api/drift/save-theirs'
const URL = 'http://10.0.0.5:8080'
const ITEM = 'http.services.plumbline-site_app.example.com'

interface Found {
  readonly components: readonly {
    readonly key: string
    readonly differences: readonly {
      readonly item: string
      readonly acts: readonly { id: string; body: object }[]
    }[]
  }[]
}

async function differencesOf({ call }: TestHouse) {
  const { body } = await call('GET', '/api/drift')
  return (body as unknown as Found).components.find(({ key }) => key === 'routes')!.differences
}

const observe = ({ call }: TestHouse) => call('PUT', '/api/modes/*', { body: { mode: 'observe' } })

it('is saved as it stands there, waits for its deploy, and is what the file then says', async () => {
  await using at = await openTestHouse()
  const { call, house } = at
  const id = await createActive(call)
  await observe(at)
  const clean = at.routes()
  const edited = clean.replace(URL, 'http://10.0.0.6:9090')
  writeFileSync(house.routes_path, edited)
  const [found] = (await differencesOf(at)).filter(({ item }) => item === ITEM)
  const act = found!.acts.find((one) => one.id === 'save_theirs')!
  expect(act.body).toEqual({ item: ITEM })

  const before = await call('GET', `/api/domains/${id}`)
  const rehearsed = await call('POST', `${PATH}?dry_run=true`, { body: act.body })
  expect([rehearsed.status, rehearsed.body['changed']]).toEqual([200, ['backend_host', 'backend_port']])
  expect((await call('GET', `/api/domains/${id}`)).body).toEqual(before.body)

  const stale = await call('POST', PATH, { body: act.body, headers: { 'if-match': '"4711"' } })
  expect([stale.status, stale.body['code']]).toEqual([412, 'revision_mismatch'])

  const saved = await call('POST', PATH, { body: act.body })
  expect([saved.status, saved.body['message']]).toEqual([
    200,
    expect.stringContaining('backend_host, backend_port'),
  ])
  expect((await call('GET', `/api/domains/${id}`)).body).toMatchObject({
    backend_host: '10.0.0.6',
    backend_port: 9090,
  })
  expect((await call('GET', `/api/domains/${id}/editions`)).body).toMatchObject({
    released: { backend_host: '10.0.0.5', backend_port: 8080 },
    moved: ['backend_host', 'backend_port'],
  })
  expect(readFileSync(house.routes_path, 'utf8')).toBe(edited)
  const { body: trail } = await call('GET', '/api/audit?action=update')
  expect(trail).toMatchObject([{ detail: { backend_port: { before: 8080, after: 9090 } } }])

  expect((await call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
  expect(await differencesOf(at)).toEqual([])
  expect(at.routes()).toContain('http://10.0.0.6:9090')
  expect((await call('POST', PATH, { body: act.body })).status).toBe(404)
})

itInDepth(
  'names what a record cannot say, what lets in more, and what is saved otherwise, and saves none of it',
  async () => {
    await using at = await openTestHouse()
    const { call, house } = at
    const id = await createActive(call, { auth_required: true })
    await observe(at)
    const clean = at.routes()
    const revision = async () => (await call('GET', `/api/domains/${id}`)).body['revision']
    const first = await revision()
    const tried = async (text: string, item = ITEM) => {
      writeFileSync(house.routes_path, text)
      const answer = await call('POST', PATH, { body: { item } })
      expect(await revision()).toBe(first)
      return [answer.status, answer.body['detail']]
    }
    const moved = clean.replace(URL, 'http://10.0.0.6:9090')
    const says = (words: string) => [409, expect.stringContaining(words)]
    const two = clean.replace(`- url: "${URL}"`, `- url: "${URL}"\n          - url: "http://10.0.0.7:1"`)
    expect(await tried(two)).toEqual(says('loadBalancer.servers'))
    expect(await tried(moved.replaceAll(/^ *- "?plumbline-(?:sso|auth)[^\n]*\n/gm, ''))).toEqual(
      says('whom the released state keeps out'),
    )
    expect(
      await tried(
        clean.replace('plumbline-security-headers":', 'plumbline-security-headers": # by hand'),
        'http.middlewares.plumbline-security-headers',
      ),
    ).toEqual([409, expect.any(String)])
    expect(await tried(clean, ITEM)).toEqual([404, expect.any(String)])

    // Somebody has saved another port meanwhile.
    const put = { body: { backend_port: 3001 } }
    expect((await call('PUT', `/api/domains/${id}`, put)).status).toBe(200)
    writeFileSync(house.routes_path, moved)
    const taken = await call('POST', PATH, { body: { item: ITEM } })
    expect([taken.status, taken.body['detail']]).toEqual(says('backend_port is saved otherwise'))
    expect((await call('GET', `/api/domains/${id}`)).body).toMatchObject({
      backend_host: '10.0.0.5',
      backend_port: 3001,
    })
  },
)
