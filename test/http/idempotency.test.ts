/** Idempotency-Key: a repeat gets the first answer, and nothing is done twice. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/kernel/failure.ts'
import { endpoint } from '../../src/http/contract.ts'
import type { AnswerMemory } from '../../src/http/idempotency.ts'
import {
  afterAnswer,
  appOf,
  ask,
  type Ask,
  KEY,
  mapMemory,
  problemIn,
  PROXY_SECRET,
  recorder,
  SETTINGS,
} from './support.ts'

/** An endpoint that counts its deeds, with what it does to be changed from test to test. */
function setUp(memory: AnswerMemory = mapMemory()) {
  const deeds: unknown[] = []
  let deed: () => Promise<void> = async () => undefined
  const create = endpoint({
    method: 'POST',
    path: '/api/orders',
    id: 'createOrder',
    summary: 'Counts its calls',
    level: 'open',
    tags: ['Test'],
    query: z.object({ dry_run: z.string().optional() }),
    body: z.strictObject({ name: z.string() }).optional(),
    replies: { 201: z.strictObject({ number: z.int() }) },
    handler: async ({ body }) => {
      await deed()
      deeds.push(body)
      return {
        status: 201,
        body: { number: deeds.length },
        headers: { Location: `/api/orders/${deeds.length}` },
      }
    },
  })
  const list = endpoint({
    method: 'GET',
    path: '/api/orders',
    id: 'listOrders',
    summary: 'Reads',
    level: 'open',
    tags: ['Test'],
    replies: { 200: z.array(z.unknown()) },
    handler: async () => ({ status: 200, body: deeds }),
  })
  const { lines, log, metrics } = recorder()
  const app = appOf([create, list], {
    answers: memory,
    log,
    metrics,
    access: { ...SETTINGS, sso_change_groups: ['admins'] },
  })
  const post = (key: string, { headers = {}, ...more }: Ask = {}, path = '/api/orders') =>
    ask(app, path, {
      method: 'POST',
      body: { name: 'a' },
      headers: { 'idempotency-key': key, ...headers },
      ...more,
    })
  return { app, deeds, lines, post, does: (next: () => Promise<void>) => void (deed = next) }
}

test('nothing is kept for whom nobody has proven: on a public endpoint the key counts for nothing', async () => {
  const kept: string[] = []
  const memory = mapMemory()
  const sign_out = endpoint({
    method: 'DELETE',
    path: '/api/door',
    id: 'leave',
    summary: 'Lets anybody out',
    level: 'public',
    tags: ['Test'],
    reads: true,
    replies: { 200: z.strictObject({}) },
    handler: async () => ({ status: 200, body: {} }),
  })
  const app = appOf([sign_out], {
    answers: { ...memory, reserve: async (key, ...rest) => (kept.push(key), memory.reserve(key, ...rest)) },
  })
  const leave = () => ask(app, '/api/door', { method: 'DELETE', headers: { 'idempotency-key': 'k1' } })
  const [first, second] = [await leave(), await leave()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.headers.get('idempotent-replayed')).toBeNull()
  expect(kept).toEqual([])
})

test('nothing is kept of a call that only reads: whoever may only look would push out what others wait for', async () => {
  const memory = mapMemory()
  let looks = 0
  const rendering = endpoint({
    method: 'POST',
    path: '/api/rendering',
    id: 'renderAll',
    summary: 'Renders all',
    level: 'keyed',
    tags: ['Test'],
    reads: true,
    replies: { 200: z.strictObject({ looks: z.int() }) },
    handler: async () => ({ status: 200, body: { looks: ++looks } }),
  })
  const app = appOf([rendering], { answers: memory })
  const render = () =>
    ask(app, '/api/rendering', { method: 'POST', headers: { 'x-api-key': KEY, 'idempotency-key': 'k1' } })
  const answers = [await render(), await render()]
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([{ looks: 1 }, { looks: 2 }])
  expect(answers[1]!.headers.get('idempotent-replayed')).toBeNull()
  expect(memory.kept.size).toBe(0)
})

test('one caller is one holder, from whichever address, and the addresses never meet in one key', async () => {
  const memory = mapMemory()
  const holders: string[] = []
  const reserve: AnswerMemory['reserve'] = (key, digest, holder) => {
    holders.push(holder)
    expect(key.startsWith(holder)).toBe(true)
    return memory.reserve(key, digest, holder)
  }
  const { deeds, post } = setUp({ ...memory, reserve })
  const headers = { 'x-api-key': KEY }
  for (const peer of ['10.1.2.3', '10.1.2.4', '2001:db8::1', '2001:db8:1::1', '127.0.0.2'])
    expect((await post('k1', { peer, headers })).status).toBe(201)
  expect(deeds).toHaveLength(5)
  expect(new Set(holders).size).toBe(1)
})

test('an answer that is too large is not kept, and its call is not done again', async () => {
  const memory = mapMemory()
  let done = 0
  const change = endpoint({
    method: 'POST',
    path: '/api/change',
    id: 'changeAll',
    summary: 'Answers with as much as is asked for',
    level: 'open',
    tags: ['Test'],
    body: z.strictObject({ length: z.int() }),
    replies: { 200: z.string() },
    handler: async ({ body }) => {
      done += 1
      return { status: 200, body: 'x'.repeat(body.length) }
    },
  })
  const app = appOf([change], { answers: memory })
  const post = (key: string, length: number) =>
    ask(app, '/api/change', { method: 'POST', body: { length }, headers: { 'idempotency-key': key } })
  for (const key of ['small', 'small', 'large'])
    expect((await post(key, key === 'small' ? 200_000 : 300_000)).status).toBe(200)
  expect([...memory.kept.values()].map(({ answer }) => answer!.body.length > 0)).toEqual([true, false])
  const problem = await problemIn(await post('large', 300_000))
  expect(problem).toMatchObject({ status: 409, code: 'conflict' })
  expect(problem['detail']).toMatch(/is done, and was answered with status 200.*not done again/)
  expect((await post('large', 1)).status).toBe(422)
  expect(done).toBe(2)
})

describe('the same request under the same key', () => {
  test('is done once and answered alike, marked as replayed', async () => {
    const { deeds, post } = setUp()
    const first = await post('k1')
    const second = await post('k1')
    expect(deeds).toHaveLength(1)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
    expect(second.headers.get('location')).toBe('/api/orders/1')
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('without a key is done again', async () => {
    const { app, deeds } = setUp()
    await ask(app, '/api/orders', { method: 'POST' })
    await ask(app, '/api/orders', { method: 'POST' })
    expect(deeds).toHaveLength(2)
  })

  test('a key on a GET means nothing', async () => {
    const { app, post } = setUp()
    const read = () => ask(app, '/api/orders', { headers: { 'idempotency-key': 'k1' } })
    expect(await (await read()).json()).toHaveLength(0)
    await post('k1')
    expect(await (await read()).json()).toHaveLength(1)
  })
})

describe('another request under the same key is 422', () => {
  test.each<[string, Ask, string]>([
    ['another body', { body: { name: 'b' } }, '/api/orders'],
    ['another spelling of the body', { body: '{"name": "a"}' }, '/api/orders'],
    ['another query', {}, '/api/orders?dry_run=true'],
    ['a precondition', { headers: { 'if-match': '"7"' } }, '/api/orders'],
    ['an empty precondition', { headers: { 'if-match': '' } }, '/api/orders'],
  ])('%s', async (_what, more, path) => {
    const { deeds, post } = setUp()
    await post('k1')
    const problem = await problemIn(await post('k1', more, path))
    expect(problem).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    expect(deeds).toHaveLength(1)
  })
})

describe('while the first call has no answer', () => {
  test('the second is told so, and the key answers once the first is done', async () => {
    const { deeds, post, does } = setUp()
    const gate = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    does(() => {
      entered.resolve()
      return gate.promise
    })
    const first = post('k1')
    await entered.promise
    const meanwhile = await problemIn(await post('k1'))
    expect(meanwhile).toMatchObject({ status: 409, code: 'conflict' })
    expect(meanwhile.detail).toMatch(/still running, or ended before/)
    gate.resolve()
    expect((await first).status).toBe(201)
    expect((await post('k1')).headers.get('idempotent-replayed')).toBe('true')
    expect(deeds).toHaveLength(1)
  })

  test('two at the same moment are done once', async () => {
    const { deeds, post } = setUp()
    const statuses = (await Promise.all([post('k1'), post('k1')])).map(({ status }) => status)
    expect(statuses).toEqual(expect.arrayContaining([201, 409]))
    expect(deeds).toHaveLength(1)
  })

  test('a reservation left behind by a dead process is 409 until it is forgotten', async () => {
    const memory = mapMemory()
    const { deeds, post } = setUp(memory)
    await post('k1')
    for (const [key, { request_digest }] of memory.kept)
      memory.kept.set(key, { request_digest, answer: null })
    expect((await post('k1')).status).toBe(409)
    expect(deeds).toHaveLength(1)
  })
})

describe('a call that was refused or failed', () => {
  test.each([
    ['a conflict', new Failure('name_taken', 'Taken.'), 409],
    ['an absent component', new Failure('component_unavailable', 'Away.'), 503],
    ['a surprise', new Error('x'), 500],
  ])('%s may be tried again under its key', async (_what, thrown, status) => {
    const { deeds, post, does } = setUp()
    does(async () => {
      throw thrown
    })
    expect((await post('k1')).status).toBe(status)
    does(async () => undefined)
    expect((await post('k1')).status).toBe(201)
    expect(deeds).toHaveLength(1)
  })

  test('an invalid request does not use its key up', async () => {
    const { post } = setUp()
    expect((await post('k1', { body: { nam: 'a' } })).status).toBe(422)
    expect((await post('k1')).status).toBe(201)
  })
})

describe('callers of different classes', () => {
  test('do not see each other’s answers', async () => {
    const { deeds, post } = setUp()
    const person = (name: string) => ({
      peer: '10.9.9.9',
      headers: { 'x-plumbline-proxy-secret': PROXY_SECRET, 'remote-user': name, 'remote-groups': 'admins' },
    })
    for (const caller of [
      {},
      { headers: { 'x-api-key': KEY } },
      { peer: '10.1.2.3' },
      person('alice'),
      person('bob'),
    ]) {
      const answer = await post('k1', caller)
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null])
    }
    expect(deeds).toHaveLength(5)
  })
})

describe('the key itself', () => {
  test.each(['', 'x'.repeat(256), 'a b', 'ä'])('%j is refused', async (key) => {
    const { deeds, post } = setUp()
    const problem = await problemIn(await post(key))
    expect(problem).toMatchObject({ status: 422, errors: [{ loc: ['header', 'Idempotency-Key'] }] })
    expect(deeds).toHaveLength(0)
  })

  test('255 characters are fine', async () => {
    expect((await setUp().post('!'.repeat(255))).status).toBe(201)
  })
})

describe('a memory that fails', () => {
  test('after the deed: the answer is given and the trouble is logged', async () => {
    const save = async () => {
      throw new Failure('store_unavailable', 'The database is gone.')
    }
    const { deeds, lines, post } = setUp({ ...mapMemory(), save })
    expect((await post('k1')).status).toBe(201)
    await afterAnswer()
    expect(deeds).toHaveLength(1)
    expect(lines.map(({ message }) => message)).toContain('idempotent answer not kept')
  })

  test('on a full disk: it is done all the same, and remembered where there is room by then', async () => {
    const memory = mapMemory()
    let is_full = true
    const reserve: AnswerMemory['reserve'] = async (...given) => {
      if (is_full) throw new Failure('storage_full', 'The disk is full.')
      return memory.reserve(...given)
    }
    const { deeds, post, lines, does } = setUp({ ...memory, reserve })
    expect((await post('k1')).status).toBe(201)
    expect(lines).toContainEqual(expect.objectContaining({ message: 'idempotent answer not kept' }))
    expect((await post('k1')).headers.get('idempotent-replayed')).toBeNull()
    expect(deeds).toHaveLength(2)
    // What it deletes makes room.
    does(async () => void (is_full = false))
    expect((await post('k2')).status).toBe(201)
    expect((await post('k2')).headers.get('idempotent-replayed')).toBe('true')
    expect(deeds).toHaveLength(3)
  })

  test('before the deed: nothing is done', async () => {
    const find = async () => {
      throw new Failure('store_unavailable', 'The database is gone.')
    }
    const { deeds, post } = setUp({ ...mapMemory(), find })
    expect((await post('k1')).status).toBe(503)
    expect(deeds).toHaveLength(0)
  })
})
