/** The host's clock is set back after a credential has ended: none comes back by that, in the same process or the next. */
import { describe, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import type { Client } from './client.ts'
import { create, openTestHouse } from './test-house.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HOME = 'home.example.com'

/** One credential, by what it can do and what is done with it. */
interface Issued {
  readonly opens: (call: Client) => Promise<number>
  readonly revoke: (call: Client) => Promise<unknown>
  readonly rotate: (call: Client) => Promise<unknown>
  readonly kind: string
}

/** Somewhere else each time: whoever tries a wrong one again and again is slowed down. */
let strangers = 0
const stranger = () => `203.0.113.${strangers++ & 255}`

async function done(call: Client, method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body === undefined ? {} : { body })
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body as unknown as Readonly<Record<'key' | 'token', string>> & {
    readonly key_info: { readonly id: string }
    readonly edge: { readonly id: number }
  }
}

const bearer = (token: string) => ({
  key: null,
  peer: stranger(),
  headers: { authorization: `Bearer ${token}` },
})

async function apiKey(call: Client): Promise<Issued> {
  const { key, key_info } = await done(call, 'POST', '/api/keys', { name: 'backup' })
  const path = `/api/keys/${key_info.id}`
  return {
    kind: 'api_key',
    opens: async (calls) => (await calls('GET', '/api/domains', { key, peer: stranger() })).status,
    revoke: (calls) => done(calls, 'DELETE', path),
    rotate: (calls) => done(calls, 'POST', `${path}/rotate`),
  }
}

async function edgeToken(call: Client): Promise<Issued> {
  const { edge, token } = await done(call, 'POST', '/api/ccm/edge/edges', { name: 'fra1' })
  const path = `/api/ccm/edge/edges/${edge.id}`
  return {
    kind: 'edge_token',
    opens: async (calls) => (await calls('GET', `${path}/routes`, bearer(token))).status,
    revoke: (calls) => done(calls, 'DELETE', `${path}/token`),
    rotate: (calls) => done(calls, 'POST', `${path}/token`),
  }
}

async function heartbeatToken(call: Client): Promise<Issued> {
  const { token } = await done(call, 'POST', '/api/heartbeats', { name: 'external' })
  const path = '/api/heartbeats/external'
  return {
    kind: 'heartbeat_token',
    opens: async (calls) => (await calls('POST', path, bearer(token))).status,
    revoke: (calls) => done(calls, 'DELETE', `${path}/token`),
    rotate: (calls) => done(calls, 'POST', `${path}/token`),
  }
}

async function siteKey(call: Client): Promise<Issued> {
  await create(call, { domain: HOME, ddns_enabled: true })
  const { key, token } = await done(call, 'POST', '/api/ddns/tokens', { host: HOME, label: 'attic' })
  const path = `/api/ddns/tokens/${(token as unknown as { readonly id: string }).id}`
  return {
    kind: 'ddns_key',
    opens: async (calls) =>
      (await calls('GET', `/api/ddns/update/${HOME}?key=${key}`, { key: null, peer: '84.1.2.3' })).status,
    revoke: (calls) => done(calls, 'DELETE', path),
    rotate: (calls) => done(calls, 'POST', `${path}/rotate`),
  }
}

const KINDS = [
  ['an API key', apiKey],
  ['a token of an edge', edgeToken],
  ['a token of a heartbeat', heartbeatToken],
  ['a site key', siteKey],
] as const

/** As people are shown them, those with an end. */
async function ended(call: Client, { kind }: Issued) {
  const { credentials } = (await call('GET', '/api/credentials')).body as unknown as {
    readonly credentials: readonly { kind: string; state: string; expires_at: string | null }[]
  }
  return credentials
    .filter((one) => one.kind === kind && one.expires_at !== null)
    .map(({ state, expires_at }) => ({ state, expires_at }))
}

/** Nothing ticks in it: what is refused is refused by the call. */
const open = (clock: MovedClock, directory?: string) =>
  openTestHouse({ clock, opened: false, ...(directory !== undefined && { directory }) })

describe.each(KINDS)('%s', (_name, issue) => {
  it.each([
    ['two hours', 2 * HOUR],
    ['90 days', 90 * DAY],
  ])('that was revoked is refused after the clock was set back by %s', async (_by, back_ms) => {
    const clock = movedClock()
    await using at = await open(clock)
    const issued = await issue(at.call)
    expect(await issued.opens(at.call)).toBe(200)
    await issued.revoke(at.call)
    const shown = await ended(at.call, issued)
    expect(shown).toMatchObject([{ state: 'ended' }])
    expect(await issued.opens(at.call)).toBe(401)
    clock.step(-back_ms)
    expect(await issued.opens(at.call)).toBe(401)
    await issued.revoke(at.call)
    expect(await ended(at.call, issued), 'a repeat changes nothing').toEqual(shown)
    await using next = await at.reopen()
    expect(await issued.opens(next.call)).toBe(401)
    expect(await ended(next.call, issued)).toEqual(shown)
  })

  it('that was seen to have ended after its grace stays so', async () => {
    const clock = movedClock()
    await using at = await open(clock)
    const issued = await issue(at.call)
    await issued.rotate(at.call)
    expect(await issued.opens(at.call)).toBe(200)
    clock.step(DAY + 1000)
    expect(await issued.opens(at.call)).toBe(401)
    clock.step(-2 * HOUR)
    expect(await issued.opens(at.call)).toBe(401)
    expect(await ended(at.call, issued)).toMatchObject([{ state: 'ended' }])
  })

  it('whose grace is over has ended for good also where nobody has tried it', async () => {
    const clock = movedClock()
    await using first = await open(clock)
    const issued = await issue(first.call)
    await issued.rotate(first.call)
    clock.step(DAY + 1000)
    await first.house.close()
    await using at = await openTestHouse({ clock, directory: first.directory })
    await at.house.close()
    clock.step(-2 * HOUR)
    await using next = await open(clock, first.directory)
    expect(await issued.opens(next.call)).toBe(401)
  })
})
