/** Signing in to the console by a key or a link, and what a session may do: over a whole house, with those who attack it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/digest.ts'
import { movedClock } from '../kit/moved-clock.ts'
import { itInDepth } from '../kit/in-depth.ts'
import type { CallOptions } from './client.ts'
import { passingClock } from './passing-clock.ts'
import { keepEarlier, setBackTo } from './older-database.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const LAN = '192.168.7.20'
const ENV = { PLUMBLINE_TRUSTED_NETWORKS: '192.168.7.0/24' }
const SECRET = 'X-Plumbline-Session-Secret'
const OWN = { origin: 'http://localhost' }
const HOUR_MS = 3_600_000

/** As a browser calls: without a key, from a page of ours. */
const browser =
  (at: TestHouse, more: CallOptions = {}) =>
  (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
    at.call(method, path, {
      key: null,
      ...more,
      ...options,
      headers: { ...OWN, ...more.headers, ...headers },
    })

const cookieOf = (answer: { readonly headers: Headers }) => answer.headers.get('set-cookie')!.split(';')[0]!

async function signedIn(at: TestHouse, more: CallOptions = {}, key = at.house.key.reveal()) {
  const answer = await browser(at, more)('POST', '/api/session', { body: { key } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const cookie = cookieOf(answer)
  const secret = String(answer.body['secret'])
  const shown = { cookie, [SECRET]: secret }
  return { answer, cookie, secret, shown, call: browser(at, { ...more, headers: shown }) }
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>

const trail = async (at: TestHouse) =>
  (
    (await at.call('GET', '/api/audit?limit=100')).body as unknown as {
      readonly action: string
      readonly actor: string
      readonly detail: Readonly<Record<string, unknown>>
    }[]
  ).filter(({ action }) => action.includes('sign'))

const codeOf = async (at: TestHouse, options: CallOptions = {}) =>
  String((await at.call('POST', '/api/session/code', options)).body['code'])

it('a key becomes a session that may do everything, until it is signed out', async () => {
  await using at = await openTestHouse({ env: ENV })
  const nobody = await browser(at)('GET', '/api/session')
  expect(nobody).toMatchObject({ status: 401, body: { code: 'not_signed_in', ways: ['key', 'link'] } })
  const { answer, cookie, call } = await signedIn(at)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^plumbline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  expect(answer.body).toMatchObject({ way: 'key', may: 'change', groups: [], sign_out: null })
  const actor = String(answer.body['actor'])
  expect(actor).toMatch(/^session:[0-9a-f]{4}$/)
  expect((await call('GET', '/api/session')).body).toMatchObject({ actor, way: 'key' })
  expect((await call('GET', '/api/domains')).status).toBe(200)
  const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
  expect((await call('POST', '/api/domains', { body: made })).status).toBe(201)
  const list = (await call('GET', '/api/sessions')).body as unknown as Record<string, unknown>[]
  expect(list).toMatchObject([
    { actor, way: 'key', may: 'change', key: 'main', is_this: true, client: '127.0.0.1' },
  ])
  expect(JSON.stringify(list)).not.toContain(cookie.split('=')[1])
  const out = await call('DELETE', '/api/session')
  expect(out.status).toBe(200)
  expect(out.headers.get('set-cookie')).toBe('plumbline=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  expect((await call('GET', '/api/domains')).status).toBe(401)
  expect((await trail(at)).map(({ action, actor: by }) => [action, by])).toEqual([
    ['sign_out', actor],
    ['sign_in', actor],
  ])
  // Its first digits may be given again one day: the trail has all of them.
  expect((await trail(at)).map(({ detail }) => detail['session'])).toEqual([list[0]!['id'], list[0]!['id']])
  const changes = JSON.stringify((await at.call('GET', '/api/audit')).body)
  expect(changes).toContain(actor)
  expect(changes).not.toContain(at.house.key.reveal())
})

it('a session that may change confirms a plan of deploy-proxy, and reads what it would write', async () => {
  await using at = await openTestHouse({ env: ENV })
  const id = await createActive(at.call, { domain: 'app.example.com' })
  const { body: record } = await at.call('GET', `/api/domains/${id}`)
  const body = { ...record, backend_port: 4711 }
  expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
  const { call } = await signedIn(at)
  // There is no such plan.
  expect((await call('POST', `/api/deploy-proxy?confirm=${'0'.repeat(64)}`)).status).toBe(409)
  const textOf = async (as: typeof call) =>
    (
      (await as('POST', '/api/deploy-proxy?dry_run=true')).body['plan'] as
        | { unified_diff?: unknown }
        | undefined
    )?.unified_diff
  expect(await textOf(call)).toContain('4711')
  expect(await textOf(browser(at))).toBeNull()
})

it('a dry run of an end says which session it is about, and ends nothing', async () => {
  await using at = await openTestHouse({ env: ENV })
  const { answer, call } = await signedIn(at)
  const [{ id }] = (await call('GET', '/api/sessions')).body as unknown as [{ id: string }]
  const ends = {
    dry_run: true,
    plan: {
      rows: [],
      actions: [{ component: 'console', verb: 'delete', item: answer.body['actor'], after: null }],
      guards: [],
    },
  }
  const out = await call('DELETE', '/api/session?dry_run=true')
  expect(out).toMatchObject({ status: 200, body: ends })
  expect(out.headers.get('set-cookie')).toBe(null)
  expect(await at.call('DELETE', `/api/sessions/${id}?dry_run=true`)).toMatchObject({
    status: 200,
    body: ends,
  })
  expect((await at.call('DELETE', `/api/sessions/${'0'.repeat(16)}?dry_run=true`)).status).toBe(404)
  expect((await call('GET', '/api/session')).status).toBe(200)
  expect((await trail(at)).map(({ action }) => action)).toEqual(['sign_in'])
  // Nobody is told of the installation who has not signed in.
  const nobody = await browser(at)('DELETE', '/api/session?dry_run=true')
  expect(nobody.body).toEqual({ success: true, message: 'There was no session to end.' })
})

it('the cookie of a session, which all ports of a host are sent, changes nothing without the secret of its page', async () => {
  await using at = await openTestHouse({ env: ENV })
  const [one, other] = [await signedIn(at), await signedIn(at)]
  const { cookie } = one
  expect(one.secret).toMatch(/^[\w-]{43}$/)
  expect(new Set([one.secret, other.secret, cookie.split('=')[1]]).size).toBe(3)
  const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
  const stolen = (headers: Readonly<Record<string, string>> = {}) =>
    browser(at, { headers: { cookie, ...headers } })
  const said = { code: 'session_not_proven', detail: expect.stringContaining('sign in again') }
  for (const [what, headers] of [
    ['without', {}],
    ['empty', { [SECRET]: '' }],
    ['wrong', { [SECRET]: 'x'.repeat(43) }],
    ['of another session', { [SECRET]: other.secret }],
    ['the cookie itself', { [SECRET]: cookie.split('=')[1]! }],
  ] as const) {
    const call = stolen(headers)
    for (const [method, path, body] of [
      ['POST', '/api/domains', made],
      ['POST', '/api/keys', { name: 'stays' }],
      ['POST', '/api/plans', {}],
      ['POST', '/api/deploy-all?dry_run=true', undefined],
      ['DELETE', `/api/sessions/${'0'.repeat(16)}`, undefined],
      ['DELETE', '/api/session', undefined],
    ] as const)
      expect(await call(method, path, { body }), `${what}: ${method} ${path}`).toMatchObject({
        status: 403,
        body: said,
      })
    // What a page asks first: without the secret it has to sign in again.
    expect(await call('GET', '/api/session'), what).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in', ways: ['key', 'link'] },
    })
    // A stream of events cannot send it.
    expect((await call('GET', '/api/domains')).status, what).toBe(200)
    expect((await call('GET', '/api/events', { headers: { accept: 'application/json' } })).status, what).toBe(
      200,
    )
  }
  expect(
    (await stolen({ [SECRET.replaceAll('-', '_')]: one.secret })('POST', '/api/domains', { body: made }))
      .status,
  ).toBe(400)
  expect((await at.call('GET', '/api/domains')).body).toHaveLength(0)
  expect((await at.call('GET', '/api/keys')).body).toHaveLength(1)
  expect((await one.call('POST', '/api/domains', { body: made })).status).toBe(201)
  // Whoever has only the cookie may sign in again, as anybody may.
  const again = await stolen()('POST', '/api/session', { body: { key: at.house.key.reveal() } })
  expect(again.status).toBe(201)
  for (const path of ['/api/sessions', '/api/audit', '/api/session'])
    expect(JSON.stringify((await one.call('GET', path)).body)).not.toContain(one.secret)
})

it('a session from before there was a secret has ended', async () => {
  const first = await openTestHouse({ env: ENV })
  const { call, cookie } = await signedIn(first)
  expect((await call('GET', '/api/domains')).status).toBe(200)
  await first.house.close()
  const database = new Database(join(first.directory, 'plumbline.db'))
  database.exec('UPDATE console_sessions SET secret_digest = NULL')
  database.close()
  await using at = await openTestHouse({ env: ENV, directory: first.directory })
  expect((await browser(at, { headers: { cookie } })('GET', '/api/domains')).status).toBe(401)
  await expect
    .poll(async () => (await trail(at)).map(({ action, detail }) => [action, detail['why']]))
    .toContainEqual(['end_sign_in', 'no_secret'])
})

it('a session that knows its key by the id that an earlier version made of it goes on', async () => {
  const first = await openTestHouse({ env: ENV })
  const { shown } = await signedIn(first)
  await first.house.close()
  const earlier = sha256([first.house.key.reveal()]).slice(0, 16)
  const database = new Database(join(first.directory, 'plumbline.db'))
  database.prepare('UPDATE console_sessions SET key_id = ?').run(earlier)
  database.close()
  const path = join(first.directory, 'api-keys.json')
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { readonly keys: readonly object[] }
  writeFileSync(path, JSON.stringify({ keys: kept.keys.map((key) => ({ ...key, id: earlier })) }))
  await using at = await openTestHouse({ env: ENV, directory: first.directory })
  expect((await browser(at, { headers: shown })('GET', '/api/session')).status).toBe(200)
  expect(JSON.stringify((await at.call('GET', '/api/keys')).body)).not.toContain(earlier)
})

itInDepth('a page over https gets a cookie that only https has', async () => {
  await using at = await openTestHouse()
  const page = { headers: { origin: 'https://localhost' } }
  const { answer, call } = await signedIn(at, page)
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-plumbline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
  expect((await call('GET', '/api/domains')).status).toBe(200)
  expect((await call('DELETE', '/api/session')).headers.get('set-cookie')).toMatch(
    /^__Host-plumbline=; Max-Age=0; .*Secure$/,
  )
})

it('a link works once, within a minute, on the host that asked for it', async () => {
  const clock = passingClock()
  await using at = await openTestHouse({ env: ENV, clock })
  const here = browser(at)
  const code = await codeOf(at)
  const first = await here('POST', '/api/session', { body: { code } })
  expect(first).toMatchObject({ status: 201, body: { way: 'link', may: 'change' } })
  const again = await here('POST', '/api/session', { body: { code } })
  expect(again).toMatchObject({ status: 401, body: { code: 'wrong_key' } })
  expect(again.headers.get('set-cookie')).toBe(null)
  const old = await codeOf(at)
  clock.pass(60_000)
  expect((await here('POST', '/api/session', { body: { code: old } })).status).toBe(401)
  const stolen = await codeOf(at)
  expect((await browser(at, { peer: LAN })('POST', '/api/session', { body: { code: stolen } })).status).toBe(
    401,
  )
  // Whoever tried has used it up.
  expect((await here('POST', '/api/session', { body: { code: stolen } })).status).toBe(401)
  const own = await codeOf(at, { peer: LAN })
  expect((await browser(at, { peer: LAN })('POST', '/api/session', { body: { code: own } })).status).toBe(201)
  // Another way to this host.
  const six = await codeOf(at, { peer: '::1' })
  expect((await here('POST', '/api/session', { body: { code: six } })).status).toBe(201)
  expect((await trail(at)).map(({ action, detail }) => [action, detail['why'] ?? detail['way']])).toEqual([
    ['sign_in', 'link'],
    ['sign_in', 'link'],
    ['refuse_sign_in', 'wrong_code'],
    ['refuse_sign_in', 'wrong_code'],
    ['refuse_sign_in', 'wrong_code'],
    ['refuse_sign_in', 'wrong_code'],
    ['sign_in', 'link'],
  ])
})

it('nobody signs in from elsewhere, and a session from there is none', async () => {
  await using at = await openTestHouse({
    env: { ...ENV, PLUMBLINE_PUBLIC_URL: 'https://plumbline.example.com' },
  })
  const key = at.house.key.reveal()
  const code = await codeOf(at)
  const elsewhere = browser(at, { peer: '203.0.113.9' })
  for (const body of [{ key }, { code }, { key: 'x' }])
    expect(await elsewhere('POST', '/api/session', { body })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_closed' },
    })
  expect((await elsewhere('GET', '/api/session')).body).toMatchObject({ code: 'not_signed_in', ways: [] })
  // Nor through something on this host that hands calls on.
  const handed = browser(at, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect((await handed('POST', '/api/session', { body: { key } })).status).toBe(403)
  // The code is as good as before, and this host itself may, though a public address is set.
  const { cookie, call } = await signedIn(at, { peer: LAN })
  expect((await call('GET', '/api/domains')).status).toBe(200)
  expect((await elsewhere('GET', '/api/domains', { headers: { cookie } })).status).toBe(401)
  expect((await handed('GET', '/api/domains', { headers: { cookie } })).status).toBe(401)
  expect((await browser(at)('POST', '/api/session', { body: { code } })).status).toBe(201)
})

itInDepth('where SSO is the only way, keys, links and sessions from before sign nobody in', async () => {
  const first = await openTestHouse({ env: ENV })
  const { cookie } = await signedIn(first)
  await first.house.close()
  await using at = await openTestHouse({
    env: { ...ENV, PLUMBLINE_CONSOLE_SIGN_IN: 'sso' },
    directory: first.directory,
  })
  const call = browser(at, { headers: { cookie } })
  expect((await call('GET', '/api/domains')).status).toBe(401)
  expect((await call('GET', '/api/session')).body['ways']).toEqual([])
  expect((await call('POST', '/api/session', { body: { key: at.house.key.reveal() } })).body).toMatchObject({
    code: 'sign_in_closed',
    detail: expect.stringContaining('PLUMBLINE_CONSOLE_SIGN_IN'),
  })
  expect((await at.call('POST', '/api/session/code')).body['code']).toBe('sign_in_closed')
})

itInDepth('five wrong keys a minute, then nobody from that network is listened to', async () => {
  const clock = passingClock()
  await using at = await openTestHouse({ env: ENV, clock })
  const key = at.house.key.reveal()
  const lan = browser(at, { peer: LAN })
  for (let tried = 0; tried < 5; tried++)
    expect((await lan('POST', '/api/session', { body: { key: `wrong-${tried}` } })).status).toBe(401)
  const shut = await lan('POST', '/api/session', { body: { key } })
  expect(shut).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await browser(at)('POST', '/api/session', { body: { key } })).status).toBe(201)
  clock.pass(60_000)
  expect((await lan('POST', '/api/session', { body: { key } })).status).toBe(201)
  const refused = (await trail(at)).filter(({ action }) => action === 'refuse_sign_in')
  expect(refused).toHaveLength(5)
  expect(refused[0]).toMatchObject({ actor: 'lan', detail: { way: 'key', why: 'wrong_key', client: LAN } })
})

itInDepth(
  'wrong codes, which a foreign page can make a browser show, keep out no right key and no right code',
  async () => {
    await using at = await openTestHouse({ env: ENV })
    const here = browser(at)
    const wrong = async () => (await here('POST', '/api/session', { body: { code: 'x'.repeat(43) } })).status
    for (let tried = 0; tried < 5; tried++) expect(await wrong()).toBe(401)
    expect(await wrong()).toBe(429)
    expect((await here('POST', '/api/session', { body: { code: await codeOf(at) } })).status).toBe(201)
    expect((await here('POST', '/api/session', { body: { key: at.house.key.reveal() } })).status).toBe(201)
    const refused = (await trail(at)).filter(({ action }) => action === 'refuse_sign_in')
    expect(refused).toHaveLength(5)
  },
)

itInDepth('whoever signs in again and again pushes out their own sessions, and nobody else’s', async () => {
  const clock = passingClock()
  await using at = await openTestHouse({ env: ENV, clock })
  const owner = await signedIn(at)
  const issued = await at.call('POST', '/api/keys', { body: { name: 'wall', access: 'read' } })
  const first = await signedIn(at, {}, String(issued.body['key']))
  for (let more = 0; more < 100; more++) {
    clock.pass(60_000)
    await signedIn(at, {}, String(issued.body['key']))
  }
  expect((await owner.call('GET', '/api/session')).status).toBe(200)
  expect((await first.call('GET', '/api/session')).status).toBe(401)
  expect((await owner.call('GET', '/api/sessions')).body).toHaveLength(21)
})

itInDepth('a key that may only look signs in so often, and the trail is not filled by it', async () => {
  await using at = await openTestHouse({ clock: movedClock().limitsStandStill() })
  const issued = await at.call('POST', '/api/keys', { body: { name: 'wall', access: 'read' } })
  const body = { key: String(issued.body['key']) }
  for (let more = 0; more < 60; more++) await signedIn(at, {}, body.key)
  expect((await browser(at)('POST', '/api/session', { body })).status).toBe(429)
  expect((await signedIn(at)).answer.status).toBe(201)
  expect((await trail(at)).filter(({ action }) => action === 'sign_in').length).toBeLessThanOrEqual(61)
})

itInDepth('a dry run of whoever may only look is answered, and leaves no operation behind', async () => {
  await using at = await openTestHouse()
  const issued = await at.call('POST', '/api/keys', { body: { name: 'wall', access: 'read' } })
  const id = await createActive(at.call)
  const prefer = { prefer: 'respond-async' }
  const path = `/api/domains/${id}/deploy?dry_run=true`
  const read = await at.call('POST', path, { key: String(issued.body['key']), headers: prefer })
  expect(read).toMatchObject({ status: 200, body: { dry_run: true } })
  expect((await at.call('GET', '/api/operations')).body).toHaveLength(0)
  expect((await at.call('POST', path, { headers: prefer })).status).toBe(202)
})

itInDepth('a body that is neither a key nor a code, or both, signs nobody in', async () => {
  await using at = await openTestHouse()
  const here = browser(at)
  const key = at.house.key.reveal()
  for (const body of [
    {},
    { key, code: 'x' },
    { key: '' },
    { key: null },
    { code: 7 },
    { key, more: 1 },
    [key],
  ]) {
    const answer = await here('POST', '/api/session', { body })
    expect(answer.status, JSON.stringify(body)).toBe(422)
    expect(JSON.stringify(answer.body)).not.toContain(key)
  }
})

itInDepth('a session ends with its key, with its time, and from the list', async () => {
  const clock = passingClock()
  await using at = await openTestHouse({ env: ENV, clock })
  const alive = async ({ call }: Pick<SignedIn, 'call'>) => (await call('GET', '/api/session')).status === 200
  const issued = await at.call('POST', '/api/keys', { body: { name: 'tablet' } })
  const { key, key_info } = issued.body as unknown as { key: string; key_info: { id: string } }
  const rotated = await signedIn(at, {}, key)
  expect(await alive(rotated)).toBe(true)
  const { body: next } = await at.call('POST', `/api/keys/${key_info.id}/rotate`)
  expect(await alive(rotated)).toBe(false)
  // It goes on for a day, and signs nobody in any more.
  expect((await browser(at)('POST', '/api/session', { body: { key } })).body['code']).toBe('wrong_key')
  const successor = await signedIn(at, {}, String(next['key']))
  await at.call('DELETE', `/api/keys/${(next['key_info'] as unknown as { id: string }).id}`)
  expect(await alive(successor)).toBe(false)

  const idle = await signedIn(at)
  const busy = await signedIn(at)
  for (let hour = 0; hour < 12; hour += 6) {
    clock.pass(6 * HOUR_MS)
    expect(await alive(busy)).toBe(true)
  }
  expect(await alive(idle)).toBe(false)
  for (let hour = 12; hour < 7 * 24; hour += 6) {
    expect(await alive(busy), `after ${hour} hours`).toBe(true)
    clock.pass(6 * HOUR_MS)
  }
  expect(await alive(busy)).toBe(false)

  const [one, other] = [await signedIn(at), await signedIn(at)]
  const all = (await other.call('GET', '/api/sessions')).body as unknown as { id: string; is_this: boolean }[]
  expect(all).toHaveLength(2)
  const { id } = all.find(({ is_this }) => !is_this)!
  expect((await other.call('DELETE', `/api/sessions/${id}`)).status).toBe(200)
  expect([await alive(one), await alive(other)]).toEqual([false, true])
  expect((await other.call('DELETE', `/api/sessions/${id}`)).status).toBe(404)
})

it('a key in its day of grace makes no link: the session of one would rest on its successor', async () => {
  await using at = await openTestHouse()
  const issued = await at.call('POST', '/api/keys', { body: { name: 'tablet' } })
  const main = at.house.key.reveal()
  for (const key of [String(issued.body['key']), main]) {
    expect((await at.call('POST', '/api/session/code', { key })).status).toBe(201)
    const all = (await at.call('GET', '/api/keys', { key })).body as unknown as { id: string; name: string }[]
    const { id } = all.find(({ name }) => name === (key === main ? 'main' : 'tablet'))!
    const { body: next } = await at.call('POST', `/api/keys/${id}/rotate`, { key: main })
    expect(await at.call('POST', '/api/session/code', { key })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_closed', detail: expect.stringContaining('an API key that lasts') },
    })
    const successor = await at.call('POST', '/api/session/code', { key: String(next['key']) })
    expect(successor.status).toBe(201)
  }
})

it('a session of a clock that was ahead ends in its time when the clock is set right', async () => {
  const clock = movedClock()
  const ahead_ms = 3 * 24 * HOUR_MS
  clock.step(ahead_ms)
  const first = await openTestHouse({ clock })
  const [idle, busy] = [await signedIn(first), await signedIn(first)]
  await first.house.close()
  clock.step(-ahead_ms)
  const second = await openTestHouse({ clock, directory: first.directory })
  const began = async ({ call }: TestHouse) =>
    ((await call('GET', '/api/sessions')).body as unknown as { created_at: string }[]).map(
      ({ created_at }) => Date.parse(created_at) - clock.now(),
    )
  await expect.poll(async () => Math.max(...(await began(second)))).toBeLessThanOrEqual(0)
  clock.pass(6 * HOUR_MS)
  await using at = await second.reopen()
  // What it was taken down to is kept.
  expect(Math.max(...(await began(at)))).toBeLessThanOrEqual(-6 * HOUR_MS)
  const alive = async ({ shown }: Pick<SignedIn, 'shown'>) =>
    (await browser(at, { headers: shown })('GET', '/api/session')).status === 200
  expect(await alive(busy)).toBe(true)
  clock.pass(6 * HOUR_MS)
  expect([await alive(idle), await alive(busy)]).toEqual([false, true])
  for (let hour = 12; hour < 7 * 24; hour += 6) {
    expect(await alive(busy), `after ${hour} hours`).toBe(true)
    clock.pass(6 * HOUR_MS)
  }
  expect(await alive(busy)).toBe(false)
})

itInDepth('a session outlives a restart, and its stream of events ends with it', async () => {
  const first = await openTestHouse()
  const { cookie, shown } = await signedIn(first)
  await using at = await first.reopen()
  const call = browser(at, { headers: shown })
  expect((await call('GET', '/api/session')).status).toBe(200)
  const request = new Request('http://localhost/api/events', {
    headers: { cookie, accept: 'text/event-stream' },
  })
  const stream = await at.house.app.request(request, undefined, { peer: '127.0.0.1' })
  expect(stream.status).toBe(200)
  const cut = expect(stream.text()).rejects.toThrow()
  expect((await call('DELETE', '/api/session')).status).toBe(200)
  await cut
  const again = await at.house.app.request(request.clone(), undefined, { peer: '127.0.0.1' })
  expect(again.status).toBe(401)
})

itInDepth('what a session reads ends in the moment in which its key does', async () => {
  await using at = await openTestHouse({ clock: passingClock() })
  const issued = await at.call('POST', '/api/keys', { body: { name: 'tablet' } })
  const { key, key_info } = issued.body as unknown as { key: string; key_info: { id: string } }
  const { cookie } = await signedIn(at, {}, key)
  const request = new Request('http://localhost/api/events', {
    headers: { cookie, accept: 'text/event-stream' },
  })
  const stream = await at.house.app.request(request, undefined, { peer: '127.0.0.1' })
  let ended = false
  const read = stream.text().catch(() => (ended = true))
  expect((await at.call('DELETE', `/api/keys/${key_info.id}`)).status).toBe(200)
  // No clock has passed: nobody waits for a next look.
  await read
  expect(ended).toBe(true)
})

itInDepth('an older database brings no session back that was ended since, nor any other', async () => {
  await using first = await openTestHouse()
  await createActive(first.call)
  const ended = await signedIn(first)
  const lasting = await signedIn(first)
  using earlier = await keepEarlier(first.directory, 'backup', () => Promise.resolve())
  expect((await ended.call('DELETE', '/api/session')).status).toBe(200)
  await using at = await setBackTo(earlier, first)
  for (const { cookie } of [ended, lasting])
    expect((await browser(at, { headers: { cookie } })('GET', '/api/domains')).status).toBe(401)
  await expect.poll(async () => (await at.call('GET', '/api/sessions')).body).toHaveLength(0)
  // Whoever signs in now is let in, to decide.
  const { call } = await signedIn(at)
  expect((await call('GET', '/api/releases/held')).status).not.toBe(401)
})

itInDepth('a code is made by the holder of a key alone', async () => {
  await using at = await openTestHouse()
  const { call } = await signedIn(at)
  expect((await call('POST', '/api/session/code')).body['code']).toBe('sign_in_closed')
  expect((await at.call('POST', '/api/session/code', { key: null })).status).toBe(401)
})

itInDepth(
  'of several cookies of the name the one counts that is a session, and two that are count as none',
  async () => {
    await using at = await openTestHouse()
    const [one, other] = [await signedIn(at), await signedIn(at)]
    const status = async (...cookies: string[]) =>
      (await browser(at, { headers: { cookie: cookies.join('; ') } })('GET', '/api/domains')).status
    const foreign = `plumbline=${'x'.repeat(43)}`
    // Cookies know no port: whatever runs beside us under this host may have put one there, before ours or after.
    expect(await status(foreign, one.cookie)).toBe(200)
    expect(await status(one.cookie, 'plumbline=short', foreign)).toBe(200)
    expect(await status(one.cookie, one.cookie)).toBe(200)
    expect(await status(one.cookie, other.cookie)).toBe(401)
    expect(await status(foreign)).toBe(401)
  },
)

itInDepth('a code that is asked for through something that is not listed is none', async () => {
  await using at = await openTestHouse()
  const asked = await at.call('POST', '/api/session/code', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(asked).toMatchObject({ status: 403, body: { code: 'sign_in_closed' } })
  // Where this host itself is listed as a proxy, whoever calls from it is told so.
  await using listed = await openTestHouse({
    env: { PLUMBLINE_TRUSTED_PROXIES: '127.0.0.1', PLUMBLINE_PROXY_SECRET: 'x'.repeat(32) },
  })
  const refused = await browser(listed)('POST', '/api/session', { body: { key: listed.house.key.reveal() } })
  expect(refused.status).toBe(403)
  expect(refused.body['detail']).toContain('PLUMBLINE_TRUSTED_PROXIES')
})

/** Calls that change something, as a page of another site can cause them. */
const PAGES: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  [
    'a form of another site',
    {
      origin: 'https://evil.example',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  ],
  [
    'a form of a sibling',
    {
      origin: 'https://a.localhost',
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  ],
  [
    'a fetch of another site',
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ],
  ['a fetch of another site on plain http', { origin: 'http://evil.example' }],
  ['a fetch of another port on plain http', { origin: 'http://localhost:3000' }],
  ['a page without an origin', { origin: 'null' }],
  ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['a rebound name', { host: 'evil.example', origin: 'http://evil.example' }],
]

it('pages of others change nothing and see nothing, were the cookie sent', async () => {
  await using at = await openTestHouse()
  const { shown } = await signedIn(at)
  const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
  for (const [what, headers] of PAGES) {
    for (const [method, path] of [
      ['POST', '/api/domains'],
      ['DELETE', '/api/session'],
      ['POST', '/api/session'],
    ] as const) {
      const answer = await at.call(method, path, { key: null, headers: { ...headers, ...shown }, body: made })
      expect([403, 415, 421], `${method} ${path} by ${what}`).toContain(answer.status)
    }
    if (headers['origin'] === undefined || headers['sec-fetch-site'] !== undefined) {
      const seen = await at.call('GET', '/api/domains', { key: null, headers: { ...headers, ...shown } })
      expect(seen.status, what).toBe(403)
    }
  }
  expect((await at.call('GET', '/api/domains')).body).toHaveLength(0)
  expect((await at.call('GET', '/api/sessions')).body).toHaveLength(1)
})

/** What only reads although its method is not GET: it writes no intent, and nothing outside. */
const READS = new Set([
  'POST /api/plans',
  'POST /api/domains/render',
  'POST /api/domains/{domain_id}/autodetect',
  'POST /api/domains/check',
  'POST /api/session',
  'DELETE /api/session',
  'POST /api/session/code',
])

itInDepth('a session that only looks is refused by every endpoint that changes something', async () => {
  await using at = await openTestHouse()
  const { body } = await at.call('POST', '/api/keys', { body: { name: 'guest', access: 'read' } })
  const { answer, call } = await signedIn(at, {}, String(body['key']))
  expect(answer.body['may']).toBe('read')
  const paths = (await call('GET', '/openapi.json')).body['paths'] as unknown as Record<string, object>
  const before = (await at.call('GET', '/api/audit?limit=1')).body
  const refused: string[] = []
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
      const name = `${method} ${path}`
      const here = path.replaceAll('{domain_name}', 'app.example.com').replaceAll(/\{[a-z_]+\}/g, '1')
      if (READS.has(name) || method === 'GET') continue
      const { status, body: said } = await call(method, here, { body: {} })
      // Those who prove themselves by a token know no session.
      if (status !== 401) expect([status, said['code']], name).toEqual([403, 'read_only_session'])
      refused.push(name)
    }
  expect(refused.length).toBeGreaterThan(40)
  expect((await at.call('GET', '/api/audit?limit=1')).body).toEqual(before)
  for (const path of ['/api/domains', '/api/audit', '/api/keys', '/api/sessions', '/network', '/metrics'])
    expect((await call('GET', path)).status, path).toBe(200)
  expect((await call('POST', '/api/plans', { body: {} })).status).toBe(201)
  expect((await call('POST', '/api/deploy-all?dry_run=true')).status).toBe(200)
  expect((await call('DELETE', '/api/session')).status).toBe(200)
  expect((await call('GET', '/api/session')).status).toBe(401)
})
