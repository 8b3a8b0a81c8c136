/** Guessing at keys over a whole house: by every way in, and that nobody is locked out by it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import type { CallOptions } from './client.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STRANGER = '203.0.113.77'

let at: TestHouse
let clock: MovedClock

beforeEach(async () => {
  clock = movedClock().limitsStandStill()
  at = await openTestHouse({ clock })
})
afterEach(() => at[Symbol.asyncDispose]())

interface Way {
  readonly path: string
  readonly method?: string
  readonly options: (key: string) => CallOptions
}

const basic = (key: string) => ({ authorization: `Basic ${btoa(`anybody:${key}`)}` })
const UPDATE = '/api/ddns/update/home.example.com'
/** Each gives the right key another status than a wrong one, or is refused for something else as well. */
const WAYS: Readonly<Record<string, Way>> = {
  'the header': { path: '/api/domains', options: (key) => ({ key }) },
  'the header of a call that needs no key': { path: '/metrics', options: (key) => ({ key }) },
  'the header of a call that is refused for its body': {
    method: 'POST',
    path: '/api/domains',
    options: (key) => ({ key, body: 'a=b', headers: { 'content-type': 'text/plain' } }),
  },
  'the header on an unknown path': { path: '/api/nothing', options: (key) => ({ key }) },
  'the query': { path: `${UPDATE}?key=`, options: () => ({ key: null }) },
  'the password of Basic': {
    path: '/nic/update?hostname=home.example.com',
    options: (key) => ({ key: null, headers: basic(key) }),
  },
  'a Bearer token': {
    path: '/api/ccm/edge/edges/1/routes',
    options: (key) => ({ key: null, headers: { authorization: `Bearer ${key}` } }),
  },
}

const tryKey = async (name: string, key: string, peer = STRANGER) => {
  const { method = 'GET', path, options } = WAYS[name]!
  return at.call(method, path.endsWith('key=') ? `${path}${key}` : path, { peer, ...options(key) })
}
const path = (name: string) => WAYS[name]!.path
const wrong = (peer = STRANGER, n = 0) => at.call('GET', '/api/domains', { key: `wrong-${n}`, peer })
const right = (peer = STRANGER) => at.call('GET', '/api/domains', { peer })

describeOneIn(4).each(Object.keys(WAYS))('by %s', (name) => {
  it('ten wrong keys a minute, then the right one is not looked at either', async () => {
    const refused = (await tryKey(name, 'wrong-first')).status
    expect(refused).not.toBe(429)
    for (let i = 1; i < 10; i++) expect((await tryKey(name, `wrong-${i}`)).status).toBe(refused)
    const eleventh = await tryKey(name, 'wrong-eleventh')
    const key = await tryKey(name, at.house.key.reveal())
    // Clients of dyndns2 read its word at 200.
    const refusal = path(name).startsWith('/nic/') ? [200, 'abuse\n'] : [429, expect.anything()]
    for (const { status, body } of [eleventh, key]) expect([status, body]).toEqual(refusal)
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0)
    // It is one limit for all ways.
    expect((await right()).status).toBe(429)
    expect((await right('203.0.113.78')).status).toBe(200)
    clock.pass(MINUTE)
    expect((await right()).status).toBe(200)
  })
})

it('what is wrong with a report does not tell a right key from a wrong one', async () => {
  const said = async (key: string) => {
    const { status, body } = await at.call('GET', `${UPDATE}?myiP=3&key=${key}`, {
      peer: STRANGER,
      key: null,
    })
    return { status, errors: body['errors'] }
  }
  const right_one = await said(at.house.key.reveal())
  expect(right_one.status).toBe(422)
  expect(await said('a-wrong-key-0123456789-0123456789')).toEqual(right_one)
})

it('a key that comes with a body is proven first: a wrong one counts, whatever is wrong with the body', async () => {
  const made = await at.call('POST', '/api/ccm/edge/edges', { body: { name: 'fra1' } })
  const { id } = (made.body as unknown as { readonly edge: { readonly id: number } }).edge
  const beat = async (key: string, peer: string) =>
    (
      await at.call('POST', `/api/ccm/edge/edges/${id}/heartbeat`, {
        key: null,
        headers: { authorization: `Bearer ${key}` },
        body: { config_versio: 1 },
        peer,
      })
    ).status
  for (let i = 0; i < 10; i++) expect(await beat(`wrong-${i}`, STRANGER)).toBe(401)
  expect(await beat(at.house.key.reveal(), STRANGER)).toBe(429)
  expect(await beat(at.house.key.reveal(), '203.0.113.78')).toBe(422)
})

it('a network is an IPv4 address or the /64 of an IPv6 one', async () => {
  for (let i = 0; i < 10; i++) await wrong(`2a02:1:2:3::${i + 1}`, i)
  expect((await right('2a02:1:2:3:ffff::1')).status).toBe(429)
  expect((await right('2a02:1:2:4::1')).status).toBe(200)
})

itInDepth(
  'whoever showed the right key within the hour goes on, and a wrong one from there is 429',
  async () => {
    expect((await right()).status).toBe(200)
    for (let i = 0; i < 100; i++) await wrong(STRANGER, i)
    expect([(await wrong()).status, (await right()).status]).toEqual([429, 200])
    const update = await at.call('GET', `${UPDATE}?ip=84.1.1.1&key=${at.house.key.reveal()}`, {
      key: null,
      peer: STRANGER,
    })
    expect(update.status).toBe(404)
    clock.pass(HOUR + 1)
    for (let i = 0; i < 10; i++) await wrong(STRANGER, i)
    expect((await right()).status).toBe(429)
  },
)

it('a key that is refused for something else says nothing of itself, then or later', async () => {
  const answers: unknown[] = []
  for (const key of [at.house.key.reveal(), 'wrong'] as const) {
    const peer = `198.51.100.${answers.length + 1}`
    const form = { body: 'a=b', headers: { 'content-type': 'text/plain' }, peer }
    const first = await at.call('POST', '/api/domains', { ...form, key })
    const query = await at.call('GET', `${UPDATE}?unknown=1&key=${key}`, { key: null, peer })
    for (let i = 0; i < 10; i++) await wrong(peer, i)
    answers.push([first.status, query.status, (await right(peer)).status])
  }
  expect(answers).toEqual([
    [415, 422, 429],
    [415, 422, 429],
  ])
})

itInDepth(
  'more than a hundred within an hour are an event and a condition, until the hour is over',
  async () => {
    const told = async () => {
      const headers = { accept: 'application/json' }
      return JSON.stringify((await at.call('GET', '/api/events', { headers })).body)
    }
    const condition = async () => {
      const health = (await at.call('GET', '/api/control-plane/health?probe=true')).body
      const parts = health['components'] as unknown as readonly { readonly name: string }[]
      return parts.find(({ name }) => name === 'credentials')
    }
    for (let i = 0; i < 100; i++) await wrong(`198.51.100.${i >> 3}`, i)
    await expect.poll(condition).toMatchObject({ ok: true })
    await wrong()
    await expect.poll(condition).toMatchObject({
      ok: false,
      cause: 'wrong_keys',
      message: expect.stringContaining('198.51.100.0'),
    })
    await expect.poll(told).toContain('wrong_keys')
    clock.pass(HOUR + 1)
    await expect.poll(condition).toMatchObject({ ok: true })
  },
)

itInDepth('calls without a key have a limit too, by client; those with one have none', async () => {
  const call = (peer: string, key?: null) =>
    at.call('GET', '/docs/start.js', { peer, ...(key === null ? { key } : {}) })
  for (let i = 0; i < 1200; i++) expect((await call('127.0.0.1', null)).status).toBe(200)
  const next = await call('127.0.0.1', null)
  expect([next.status, next.headers.get('retry-after')]).toEqual([429, '1'])
  // This host is one, by whichever of its addresses it calls.
  expect((await call('127.0.0.2', null)).status).toBe(429)
  expect((await call('::1', null)).status).toBe(200)
  expect((await call('127.0.0.1')).status).toBe(200)
  clock.pass(50)
  expect((await call('127.0.0.1', null)).status).toBe(200)
})

it('through something that is not listed, strangers keep out nobody who runs this host', async () => {
  const handed = { 'x-forwarded-for': '203.0.113.9' }
  const via = (key: string) => at.call('GET', '/api/domains', { key, headers: handed })
  for (let i = 0; i < 10; i++) expect((await via(`wrong-key-number-${i}-of-a-stranger`)).status).toBe(401)
  expect((await via(at.house.key.reveal())).status).toBe(429)
  const code = await at.call('POST', '/api/session/code')
  expect(code.status).toBe(201)
  // Nor does a program on this host that tries keys, as a proxy does that says nothing of whom it stands for.
  for (let i = 0; i < 11; i++) await wrong(`127.0.0.${i + 1}`, i)
  expect((await wrong('127.0.0.99')).status).toBe(429)
  expect((await at.call('GET', '/api/domains')).status).toBe(200)
  const body = { key: at.house.key.reveal() }
  const wrong_here = (n: number) =>
    at.call('POST', '/api/session', {
      key: null,
      body: { key: `wrong-${n}` },
      headers: { origin: 'http://localhost' },
    })
  for (let i = 0; i < 6; i++) await wrong_here(i)
  expect((await wrong_here(7)).status).toBe(429)
  const options = { key: null, body, headers: { origin: 'http://localhost' } }
  expect((await at.call('POST', '/api/session', options)).status).toBe(201)
})
