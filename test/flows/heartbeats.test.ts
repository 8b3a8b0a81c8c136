/** Heartbeats over the whole house: they call with their token alone, and their silence is told once, and its end. */
import { describe, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import type { Client } from './client.ts'
import { openAlerts } from './notifications-world.ts'
import { passingClock } from './passing-clock.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ALL = '/api/heartbeats'
const MINUTE_MS = 60_000
/** Events are a stream otherwise. */
const JSON_ANSWER = { headers: { accept: 'application/json' } } as const

async function added(call: Client, name = 'external'): Promise<string> {
  const answer = await call('POST', ALL, { body: { name } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  expect(answer.headers.get('location')).toBe(`${ALL}/${name}`)
  return answer.body['token'] as unknown as string
}

/** From the internet, with nothing but the token. */
const beat = (call: Client, token: string | null, name = 'external', body?: unknown) =>
  call('POST', `${ALL}/${name}`, {
    key: null,
    peer: '203.0.113.9',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  })

const state = async (call: Client) =>
  ((await call('GET', ALL)).body as unknown as readonly { readonly state: string }[]).map((one) => one.state)

const events = async (call: Client, kind: string): Promise<number> => {
  const { body } = await call('GET', '/api/events?limit=1000', JSON_ANSWER)
  return (body as unknown as readonly { kind: string }[]).filter((event) => event.kind === kind).length
}

const part = async (call: Client) => {
  const { body } = await call('GET', '/api/control-plane/health?probe=true')
  const { components } = body as unknown as { components: readonly { name: string }[] }
  return components.find(({ name }) => name === 'heartbeats')
}

describe('who is heard', () => {
  it('is the holder of its token, and whoever has the API key', async () => {
    await using at = await openTestHouse({ opened: false })
    const token = await added(at.call)
    const other = await added(at.call, 'watchdog')
    expect(await state(at.call)).toEqual(['pending', 'pending'])
    expect((await beat(at.call, null)).status, 'nothing').toBe(401)
    expect((await beat(at.call, 'nonsense')).status).toBe(401)
    expect((await beat(at.call, other)).status, 'the token of another one').toBe(403)
    expect((await beat(at.call, token, 'gone')).status, 'a name that nobody has').toBe(403)
    expect((await beat(at.call, 'nonsense', 'gone')).status, 'and who guesses learns no names').toBe(401)
    const look = { key: null, peer: '203.0.113.9', headers: { authorization: `Bearer ${token}` } }
    expect((await at.call('GET', ALL, look)).status, 'another endpoint').toBe(401)
    expect((await at.call('DELETE', `${ALL}/external`, look)).status).toBe(401)
    expect(await state(at.call)).toEqual(['pending', 'pending'])
    expect((await beat(at.call, token)).body).toMatchObject({ name: 'external', state: 'alive' })
    expect((await at.call('POST', `${ALL}/watchdog`)).status, 'the API key').toBe(200)
    expect(await state(at.call)).toEqual(['alive', 'alive'])
    expect((await at.call('POST', `${ALL}/gone`)).status).toBe(404)
  })

  it('whatever the body says, as long as it is JSON and no larger than others', async () => {
    await using at = await openTestHouse({ opened: false })
    const token = await added(at.call)
    for (const body of [
      {},
      [],
      'null',
      '"text"',
      7,
      { alerts: [{ labels: { alertname: 'Watchdog' } }], version: '4' },
    ])
      expect((await beat(at.call, token, 'external', body)).status, JSON.stringify(body)).toBe(200)
    expect((await beat(at.call, token, 'external', '{')).status).toBe(422)
    expect((await beat(at.call, token, 'external', { a: 'x'.repeat(70_000) })).status).toBe(413)
  })

  it('ends with the token: at once when revoked or removed, after a day when rotated', async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ clock, opened: false })
    const first = await added(at.call)
    const rotated = await at.call('POST', `${ALL}/external/token`)
    const second = rotated.body['token'] as unknown as string
    expect([(await beat(at.call, first)).status, (await beat(at.call, second)).status]).toEqual([200, 200])
    clock.step(24 * 60 * MINUTE_MS + 1)
    expect([(await beat(at.call, first)).status, (await beat(at.call, second)).status]).toEqual([401, 200])
    expect((await at.call('DELETE', `${ALL}/external/token`)).status).toBe(200)
    expect((await beat(at.call, second)).status).toBe(401)
    const third = (await at.call('POST', `${ALL}/external/token`)).body['token'] as unknown as string
    expect((await beat(at.call, third)).status).toBe(200)
    expect((await at.call('DELETE', `${ALL}/external`)).status).toBe(200)
    expect((await beat(at.call, third)).status).toBe(401)
    await added(at.call)
    expect((await beat(at.call, third)).status, 'one of the same name is another one').toBe(401)
  })

  it('a client that guesses is slowed down, and locks nobody out', async () => {
    await using at = await openTestHouse({ clock: movedClock().limitsStandStill(), opened: false })
    const token = await added(at.call)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await beat(at.call, 'guess')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await beat(at.call, token)).status).toBe(200)
  })
})

describe('how one is kept', () => {
  it('the token is shown once: no list, no trail and no dry run has it', async () => {
    await using at = await openTestHouse({ opened: false })
    const dry = await at.call('POST', `${ALL}?dry_run=true`, { body: { name: 'external' } })
    expect(dry.body).toMatchObject({ dry_run: true })
    expect((await at.call('GET', ALL)).body).toEqual([])
    const answer = await at.call('POST', ALL, { body: { name: 'external' } })
    const { token, settings, curl, endpoint } = answer.body as unknown as Record<string, string>
    expect(settings).toBe(
      `PLUMBLINE_EXTERNAL_HEARTBEAT_URL=${endpoint}\nPLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN=${token}\n`,
    )
    expect(curl).toContain(`'Authorization: Bearer ${token}' ${endpoint}`)
    await at.call('DELETE', `${ALL}/external/token?dry_run=true`)
    expect((await beat(at.call, token!)).status).toBe(200)
    for (const path of [ALL, '/api/audit', '/api/credentials', '/api/events?limit=100'])
      expect(JSON.stringify((await at.call('GET', path, JSON_ANSWER)).body)).not.toContain(token)
    const credentials = (await at.call('GET', '/api/credentials')).body['credentials'] as unknown
    expect(credentials).toContainEqual(
      expect.objectContaining({ kind: 'heartbeat_token', name: 'external', state: 'valid' }),
    )
    const trail = (await at.call('GET', '/api/audit')).body as unknown as { action: string }[]
    expect(trail.map(({ action }) => action)).toContain('add_heartbeat')
  })

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 'Fra 1' }],
    [{ name: '../x' }],
    [{ name: 'a', more: 1 }],
    [{ name: 7 }],
  ])('%j is refused', async (body) => {
    await using at = await openTestHouse({ opened: false })
    expect((await at.call('POST', ALL, { body })).status).toBe(422)
    expect((await at.call('GET', ALL)).body).toEqual([])
  })

  it('has a name of its own', async () => {
    await using at = await openTestHouse({ opened: false })
    await added(at.call)
    expect((await at.call('POST', ALL, { body: { name: 'external' } })).body).toMatchObject({
      status: 409,
      code: 'name_taken',
    })
    for (const [method, path] of [
      ['DELETE', `${ALL}/nobody`],
      ['POST', `${ALL}/nobody/token`],
      ['DELETE', `${ALL}/nobody/token`],
    ] as const)
      expect((await at.call(method, path)).status).toBe(404)
  })
})

describe('one that falls silent', () => {
  itInDepth(
    'is found after a quarter of an hour, stays found over a restart, and is over when it calls',
    async () => {
      const clock = passingClock()
      const first = await openTestHouse({ clock })
      const token = await added(first.call)
      expect((await beat(first.call, token)).status).toBe(200)
      expect(await events(first.call, 'heartbeat_alive')).toBe(1)
      clock.pass(14 * MINUTE_MS)
      expect(await state(first.call)).toEqual(['alive'])
      expect(await part(first.call)).toMatchObject({ ok: true })
      clock.pass(2 * MINUTE_MS)
      expect(await state(first.call)).toEqual(['silent'])
      expect(await part(first.call)).toMatchObject({ ok: false, cause: 'silent' })
      expect((await openAlerts(first)).map(({ kind }) => kind)).toContain('heartbeat_silent')
      await expect.poll(() => events(first.call, 'heartbeat_silent')).toBe(1)
      await using at = await first.reopen()
      expect(await state(at.call), 'a restart is no sign of life').toEqual(['silent'])
      expect((await beat(at.call, token)).body).toMatchObject({ state: 'alive', silent_since: null })
      expect(await events(at.call, 'heartbeat_alive')).toBe(2)
      expect((await openAlerts(at)).filter(({ kind, seen }) => kind === 'heartbeat_silent' && seen)).toEqual(
        [],
      )
      expect(await part(at.call)).toMatchObject({ ok: true })
      clock.pass(16 * MINUTE_MS)
      await expect.poll(() => events(at.call, 'heartbeat_silent')).toBe(2)
    },
  )

  it('may never have called: whoever added it waits for it', async () => {
    const clock = passingClock()
    await using at = await openTestHouse({ clock, env: { PLUMBLINE_HEARTBEAT_SILENT_AFTER: '10m' } })
    await added(at.call)
    expect(await state(at.call)).toEqual(['pending'])
    clock.pass(11 * MINUTE_MS)
    expect(await state(at.call)).toEqual(['silent'])
    const { body } = await at.call('DELETE', `${ALL}/external`)
    expect(body).toMatchObject({ success: true })
    expect((await openAlerts(at)).map(({ kind }) => kind)).not.toContain('heartbeat_silent')
  })

  it('is no matter of the clock on the wall, nor of our own absence', async () => {
    const clock = movedClock()
    const first = await openTestHouse({ clock })
    const token = await added(first.call)
    await beat(first.call, token)
    for (const step of [365 * 24 * 60, -800 * 24 * 60]) {
      clock.step(step * MINUTE_MS)
      expect(await state(first.call)).toEqual(['alive'])
      expect((await beat(first.call, token)).status).toBe(200)
    }
    clock.step(60 * MINUTE_MS)
    await using at = await first.reopen()
    expect(await state(at.call)).toEqual(['alive'])
  })
})
