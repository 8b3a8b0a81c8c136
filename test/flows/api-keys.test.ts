/** API keys over a whole house: several at once, by name, each ending a day after its successor came, without a restart. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const DAY = 24 * 3_600_000

let at: TestHouse
let clock: MovedClock

beforeEach(async () => {
  clock = movedClock()
  at = await openTestHouse({ clock })
})
afterEach(() => at[Symbol.asyncDispose]())

interface Made {
  readonly key: string
  readonly key_info: { readonly id: string; readonly name: string }
}
interface Listed {
  readonly id: string
  readonly name: string
  readonly state: string
}

const made = async (method: 'POST', path: string, body?: unknown): Promise<Made> => {
  const answer = await at.call(method, path, body === undefined ? {} : { body })
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body as unknown as Made
}
const list = async () => (await at.call('GET', '/api/keys')).body as unknown as readonly Listed[]
const mainPath = () => join(at.directory, 'api-key')
const mainKey = () => readFileSync(mainPath(), 'utf8').trim()
let strangers = 0
/** Somewhere else each time: who tries a key again and again is slowed down, and here it is tried until it is one. */
const elsewhere = () => `203.0.${113 + (strangers >> 8)}.${strangers++ & 255}`
/** With a key, from elsewhere: only the key lets it in. */
const as = async (key: string) => (await at.call('GET', '/api/domains', { key, peer: elsewhere() })).status

/** Warnings of keys. */
const noted = () => {
  const lines: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (message, facts) => void lines.push(`${message} ${JSON.stringify(facts)}`),
  }
  return { log, warned: () => lines.filter((line) => line.includes('main key')) }
}

itInDepth(
  'a key that only looks keeps that over a restart and to its successor, and not as the main key',
  async () => {
    const first = await made('POST', '/api/keys', { name: 'dashboard', access: 'read' })
    const writes = async (key: string) => (await at.call('POST', '/api/deploy-all', { key })).status
    expect([await as(first.key), await writes(first.key)]).toEqual([200, 403])
    const next = await made('POST', `/api/keys/${first.key_info.id}/rotate`)
    expect([await as(next.key), await writes(next.key)]).toEqual([200, 403])
    at = await at.reopen()
    expect([await as(next.key), await writes(next.key)]).toEqual([200, 403])
    expect((await list()).filter(({ name }) => name === 'dashboard')).toMatchObject([
      { access: 'read' },
      { access: 'read' },
    ])
    const path = join(at.directory, 'api-keys.json')
    writeFileSync(mainPath(), `${next.key}\n`)
    at = await at.reopen()
    expect(await writes(next.key)).toBe(200)
    await at.house.close()
    writeFileSync(path, readFileSync(path, 'utf8').replace('"access": "read"', '"access": "reed"'))
    await expect(at.reopen()).rejects.toThrow('is damaged')
  },
)

it('a named key opens the API, stands in the trail, and is kept as a digest', async () => {
  const { key, key_info } = await made('POST', '/api/keys', { name: 'backup' })
  expect(await as(key)).toBe(200)
  expect(await as(mainKey())).toBe(200)
  expect(await as(`${key}x`)).toBe(401)
  await at.call('POST', '/api/domains', {
    key,
    body: { domain: 'app.example.com', service_type: 'manual', environment: 'production' },
  })
  expect(JSON.stringify((await at.call('GET', '/api/audit')).body)).toContain('key:backup')
  expect(await list()).toMatchObject([
    { id: key_info.id, name: 'backup', state: 'valid' },
    { name: 'main', state: 'valid' },
  ])
  const path = join(at.directory, 'api-keys.json')
  expect(readFileSync(path, 'utf8')).not.toContain(key)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect((await at.call('POST', '/api/keys', { body: { name: 'backup' } })).status).toBe(409)
  expect((await at.call('POST', '/api/keys', { body: { name: 'Not ok' } })).status).toBe(422)
  at = await at.reopen()
  expect(await as(key)).toBe(200)
  await at.call('DELETE', `/api/keys/${key_info.id}`)
  expect(await as(key)).toBe(401)
  at = await at.reopen()
  expect(await as(key)).toBe(401)
})

const idOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16)

it('the id of a key says nothing of it, and stays while the key is the same', async () => {
  const [main] = (await list()) as [Listed]
  const { key, key_info } = await made('POST', '/api/keys', { name: 'backup' })
  expect([main.id, key_info.id]).not.toContain(idOf(mainKey()))
  expect(key_info.id).not.toBe(idOf(key))
  const ids = async () => (await list()).map(({ id, name, state }) => [name, id, state])
  const before = await ids()
  at = await at.reopen()
  expect(await ids()).toEqual(before)
  // Another main key has another one, and the one before keeps its own.
  const next = await made('POST', `/api/keys/${main.id}/rotate`)
  expect(next.key_info.id).not.toBe(main.id)
  const rotated = await ids()
  expect(rotated).toContainEqual(['main', main.id, 'ending'])
  expect(rotated).toContainEqual(['main', next.key_info.id, 'valid'])
  at = await at.reopen()
  expect(await ids()).toEqual(rotated)
})

it('the id that an earlier version made of the main key is replaced, and what was issued keeps its own', async () => {
  const { key, key_info } = await made('POST', '/api/keys', { name: 'backup' })
  await at.house.close()
  const path = join(at.directory, 'api-keys.json')
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { keys: { id: string; digest: string }[] }
  writeFileSync(
    path,
    JSON.stringify({ keys: kept.keys.map((one) => ({ ...one, id: one.digest.slice(0, 16) })) }),
  )
  at = await at.reopen()
  const [backup, main] = (await list()) as [Listed, Listed]
  expect(key_info.id).not.toBe(backup.id)
  expect([backup.id, main.name]).toEqual([idOf(key), 'main'])
  expect(main.id).not.toBe(idOf(mainKey()))
  await expect.poll(() => readFileSync(path, 'utf8')).toContain(main.id)
  expect(readFileSync(path, 'utf8')).not.toContain(`"${idOf(mainKey())}"`)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect([await as(key), await as(mainKey())]).toEqual([200, 200])
})

itInDepth('a damaged file stops the start: who was to be shut out must not be forgotten', async () => {
  await at.house.close()
  writeFileSync(join(at.directory, 'api-keys.json'), '{"keys":[{"id":"x"')
  await expect(openTestHouse({ clock, directory: at.directory })).rejects.toThrow(/api-keys\.json is damaged/)
})

itInDepth('a dry run issues nothing', async () => {
  const answer = await at.call('POST', '/api/keys?dry_run=true', { body: { name: 'backup' } })
  expect(answer).toMatchObject({ status: 200, body: { dry_run: true } })
  expect((await list()).map(({ name }) => name)).toEqual(['main'])
})

it('a rotated key goes on for 24 hours beside its successor', async () => {
  const old = await made('POST', '/api/keys', { name: 'backup' })
  const next = await made('POST', `/api/keys/${old.key_info.id}/rotate`)
  expect([await as(old.key), await as(next.key)]).toEqual([200, 200])
  expect((await at.call('POST', `/api/keys/${old.key_info.id}/rotate`)).status).toBe(409)
  clock.step(DAY + 1000)
  expect([await as(old.key), await as(next.key)]).toEqual([401, 200])
})

it('of several at the same time, one rotates a key and one gets its name', async () => {
  const statuses = async (path: string, body?: unknown) => {
    const calls = [0, 1, 2, 3].map(() => at.call('POST', path, body === undefined ? {} : { body }))
    return (await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b)
  }
  expect((await statuses('/api/keys', { name: 'backup' })).slice(1)).toEqual([409, 409, 409])
  const main = (await list()).find(({ name }) => name === 'main')!
  const backup = (await list()).find(({ name }) => name === 'backup')!
  for (const { id } of [main, backup])
    expect((await statuses(`/api/keys/${id}/rotate`)).slice(1)).toEqual([409, 409, 409])
  expect((await list()).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'backup ending',
    'backup valid',
    'main ending',
    'main valid',
  ])
  const trail = (await at.call('GET', '/api/audit')).body as unknown as readonly { readonly action: string }[]
  expect(trail.filter(({ action }) => action.endsWith('_key'))).toHaveLength(3)
})

itInDepth('the main key is rotated into its file, and the old one goes on for 24 hours', async () => {
  const old = mainKey()
  const [{ id }] = (await list()) as [Listed]
  expect((await at.call('DELETE', `/api/keys/${id}`)).status).toBe(409)
  const next = await made('POST', `/api/keys/${id}/rotate`)
  expect(mainKey()).toBe(next.key)
  expect(statSync(mainPath()).mode & 0o777).toBe(0o600)
  expect([await as(old), await as(next.key)]).toEqual([200, 200])
  at = await at.reopen()
  expect([await as(old), await as(next.key)]).toEqual([200, 200])
  clock.step(DAY + 1000)
  expect([await as(old), await as(next.key)]).toEqual([401, 200])
})

it('a main key that was revoked stays so when the clock is set back, until its owner makes it the main key again', async () => {
  const old = mainKey()
  const [{ id }] = (await list()) as [Listed]
  await made('POST', `/api/keys/${id}/rotate`)
  expect((await at.call('DELETE', `/api/keys/${id}`)).status).toBe(200)
  clock.step(-90 * DAY)
  expect(await as(old)).toBe(401)
  at = await at.reopen()
  expect(await as(old)).toBe(401)
  expect(await list()).toMatchObject([
    { id, state: 'ended' },
    { name: 'main', state: 'valid' },
  ])
  await at.house.close()
  writeFileSync(mainPath(), `${old}\n`)
  at = await at.reopen()
  expect(await as(old)).toBe(200)
  expect((await list()).filter((key) => key.id === id)).toMatchObject([{ state: 'valid' }])
})

it('a revoked key is listed for 30 days and then forgotten, and opens nothing on either side of that', async () => {
  const { key, key_info } = await made('POST', '/api/keys', { name: 'backup' })
  expect((await at.call('DELETE', `/api/keys/${key_info.id}`)).status).toBe(200)
  clock.step(30 * DAY - 60_000)
  await made('POST', '/api/keys', { name: 'next' })
  expect((await list()).map(({ name }) => name)).toEqual(['backup', 'main', 'next'])
  clock.step(120_000)
  await made('POST', '/api/keys', { name: 'third' })
  expect((await list()).map(({ name }) => name)).toEqual(['main', 'next', 'third'])
  clock.step(-60 * DAY)
  expect(await as(key)).toBe(401)
})

it('a main key that somebody writes into the file is taken without a restart, as a rotation', async () => {
  const old = mainKey()
  const next = 'written-by-hand-0123456789-0123456789'
  expect(await as(next)).toBe(401)
  writeFileSync(mainPath(), `${next}\n`)
  await expect.poll(() => as(next), { timeout: 60_000 }).toBe(200)
  expect(await as(old)).toBe(200)
  clock.step(DAY + 1000)
  expect(await as(old)).toBe(401)
})

itInDepth('a rotated main key whose file is gone at once stays the main key', async () => {
  const [{ id }] = (await list()) as [Listed]
  const next = await made('POST', `/api/keys/${id}/rotate`)
  rmSync(mainPath())
  // More than one glance.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  expect((await list()).map((key) => [key.id, key.state])).toEqual([
    [id, 'ending'],
    [next.key_info.id, 'valid'],
  ])
})

itInDepth('what may not be a key keeps the present one, and is told once', async () => {
  const main = mainKey()
  await at.house.close()
  const { log, warned } = noted()
  at = await openTestHouse({ clock, log, directory: at.directory })
  for (const text of ['a', 'with blanks in it, and more than 24 characters']) {
    writeFileSync(mainPath(), `${text}\n`)
    await expect.poll(warned, { timeout: 60_000 }).toHaveLength(text === 'a' ? 1 : 2)
    expect([await as(main), await as(text)]).toEqual([200, 401])
    // More than one glance.
    await new Promise((resolve) => setTimeout(resolve, 4500))
  }
  expect(await list()).toMatchObject([{ name: 'main', state: 'valid' }])
  expect(warned()).toEqual([
    expect.stringMatching(/the main key is not taken.*api-key.*is shorter than 24/),
    expect.stringMatching(/the main key is not taken.*api-key.*without blanks/),
  ])
  writeFileSync(mainPath(), 'written-by-hand-0123456789-0123456789\n')
  await expect.poll(() => as('written-by-hand-0123456789-0123456789'), { timeout: 60_000 }).toBe(200)
})

itInDepth('another API_KEY at the start says that the one before goes on, and what ends it', async () => {
  const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]
  await using house = await openTestHouse({ clock, env: { API_KEY: first } })
  await expect.poll(() => existsSync(join(house.directory, 'api-keys.json'))).toBe(true)
  await house.house.close()
  const { log, warned } = noted()
  await using next = await openTestHouse({
    clock,
    log,
    directory: house.directory,
    env: { API_KEY: second },
  })
  const open = async (key: string) =>
    (await next.call('GET', '/api/domains', { key, peer: elsewhere() })).status
  expect([await open(first), await open(second)]).toEqual([200, 200])
  const [line] = warned()
  const [, id] = /plumbline keys revoke ([0-9a-f]+)/.exec(line ?? '') ?? []
  expect((await next.call('DELETE', `/api/keys/${id}`, { key: second })).status).toBe(200)
  expect([await open(first), await open(second)]).toEqual([401, 200])
  expect(warned()).toHaveLength(1)
})

itInDepth('the file of API_KEY_FILE is followed, and never written', async () => {
  const path = join(at.directory, 'given-key')
  const [first, second] = ['given-by-its-owner-0123456789-01234', 'another-by-its-owner-0123456789-01']
  writeFileSync(path, `${first}\n`)
  await using house = await openTestHouse({ clock, env: { API_KEY_FILE: path } })
  const open = async (key: string) =>
    (await house.call('GET', '/api/domains', { key, peer: elsewhere() })).status
  expect(await open(first)).toBe(200)
  const [{ id }] = (await house.call('GET', '/api/keys')).body as unknown as [Listed]
  const refused = await house.call('POST', `/api/keys/${id}/rotate`)
  expect(refused.status).toBe(409)
  expect(refused.body['detail']).toContain(path)
  expect(readFileSync(path, 'utf8')).toBe(`${first}\n`)
  writeFileSync(path, `${second}\n`)
  // Seldom enough that nobody takes it for guessing.
  await expect.poll(() => open(second), { timeout: 60_000, interval: 1500 }).toBe(200)
  expect(await open(first)).toBe(200)
  clock.step(DAY + 1000)
  expect([await open(first), await open(second)]).toEqual([401, 200])
})

it('a key that has no successor is due after its quarter, and stays valid', async () => {
  const { key } = await made('POST', '/api/keys', { name: 'backup' })
  clock.step(200 * DAY)
  expect(await list()).toMatchObject([{ state: 'rotation_due' }, { state: 'rotation_due' }])
  expect(await as(key)).toBe(200)
})

itInDepth(
  'everything that lets somebody in is on one page, by age; what is due is a reminder and no fault',
  async () => {
    const token = 'issued-by-a-provider-0123456789'
    const env = { PLUMBLINE_HETZNER_TOKEN: token }
    await using house = await openTestHouse({ clock, env })
    await house.call('POST', '/api/ccm/edge/edges', { body: { name: 'near' } })
    const page = async () =>
      (await house.call('GET', '/api/credentials')).body['credentials'] as unknown as readonly {
        readonly kind: string
        readonly name: string
        readonly state: string
      }[]
    const states = async () => (await page()).map(({ kind, name, state }) => `${kind} ${name} ${state}`)
    await expect
      .poll(states)
      .toEqual(['api_key main valid', 'edge_token near valid', 'external PLUMBLINE_HETZNER_TOKEN valid'])
    expect(readFileSync(join(house.directory, 'credential-ages.json'), 'utf8')).not.toContain(token)
    clock.step(200 * DAY)
    expect((await states()).every((text) => text.endsWith('rotation_due'))).toBe(true)
    const { body } = await house.call('GET', '/api/control-plane/health?probe=true')
    const parts = body['components'] as unknown as readonly { readonly name: string; readonly ok: boolean }[]
    expect(parts.find(({ name }) => name === 'credentials')).toMatchObject({
      ok: true,
      details: { rotation_due: ['api_key main', 'edge_token near', 'external PLUMBLINE_HETZNER_TOKEN'] },
    })
    const told = async () => JSON.stringify((await house.call('GET', '/api/notifications')).body)
    await expect
      .poll(told, { timeout: 60_000 })
      .toContain('PLUMBLINE_HETZNER_TOKEN is older than the quarter')
    // Another one begins anew, the same one does not.
    await using same = await house.reopen()
    await expect
      .poll(async () => JSON.stringify((await same.call('GET', '/api/credentials')).body))
      .toContain('rotation_due')
  },
)

itInDepth('says of a main key that no call rotates what does', async () => {
  const remedies = async (house: TestHouse, key: string) => {
    const { body } = await house.call('GET', '/api/credentials', { key })
    const all = body['credentials'] as unknown as readonly {
      readonly name: string
      readonly remedy: string
    }[]
    return all.filter(({ name }) => name === 'main').map(({ remedy }) => remedy)
  }
  const [{ id }] = (await list()) as [Listed]
  expect(await remedies(at, mainKey())).toEqual([`plumbline keys rotate ${id}`])
  const key = 'given-by-its-owner-0123456789-01234'
  await using given = await openTestHouse({ clock, env: { API_KEY: key } })
  expect(await remedies(given, key)).toEqual([
    'The environment gives this key: set another API_KEY and restart.',
  ])
  const path = join(at.directory, 'given-key')
  writeFileSync(path, `${key}\n`)
  await using filed = await openTestHouse({ clock, env: { API_KEY_FILE: path } })
  expect((await remedies(filed, key)).join()).toContain(`Write another key into ${path}`)
})
