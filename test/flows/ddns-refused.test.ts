/** Dynamic DNS: a report that is refused is read where people look, and whoever sent it is told why. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'

const HOME = 'home.example.com'
const OFF = 'off.example.com'
const GATEWAY = '84.1.2.3'

interface Shown {
  readonly host: string
  readonly refused: { readonly at: string; readonly code: string; readonly detail: string } | null
}

let at: TestHouse
let clock: MovedClock

beforeEach(async () => {
  clock = movedClock().limitsStandStill()
  at = await openTestHouse({ clock })
  await create(at.call, { domain: HOME, ddns_enabled: true })
})
afterEach(() => at[Symbol.asyncDispose]())

async function issue(host: string): Promise<string> {
  const { body } = await at.call('POST', '/api/ddns/tokens', { body: { host } })
  return body['key'] as unknown as string
}

const update = (key: string, query: string, host = HOME) =>
  at.call('GET', `/api/ddns/update/${host}?key=${key}${query}`, { key: null, peer: GATEWAY })

const nic = (key: string, query: string) =>
  at.call('GET', `/nic/update?${query}`, {
    key: null,
    peer: GATEWAY,
    headers: { authorization: `Basic ${btoa(`ddns:${key}`)}` },
  })

async function refusedOf(host: string): Promise<Shown['refused']> {
  const { hosts } = (await at.call('GET', '/api/ddns/hosts')).body as unknown as { hosts: Shown[] }
  return hosts.find((one) => one.host === host)?.refused ?? null
}

const status = async () => (await at.call('GET', '/companions/ddns/status')).body

async function told(): Promise<readonly string[]> {
  const { body } = await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })
  const all = body as unknown as { kind: string; message: string; facts: { refused?: string } }[]
  return all.flatMap(({ facts, message }) => (facts.refused === undefined ? [] : [message]))
}

it('a refused report is shown with its reason until one is taken, and told once', async () => {
  const key = await issue(HOME)
  expect(await refusedOf(HOME)).toBeNull()
  expect((await update(key, '&ip=192.168.1.20')).status).toBe(422)
  expect((await update(key, '&ip=192.168.1.20')).status).toBe(422)
  expect(await refusedOf(HOME)).toMatchObject({
    code: 'validation_failed',
    detail: expect.stringMatching(/^ip: .*public/) as unknown,
    at: expect.stringMatching(/^20\d\d-/) as unknown,
  })
  expect(await status()).toMatchObject({
    status: 'degraded',
    hosts: [{ host: HOME, last_error: expect.stringContaining('public') as unknown }],
  })
  await expect.poll(told).toEqual([expect.stringContaining(`${HOME}: a report was refused: ip: `)])
  expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
  expect(await refusedOf(HOME)).toBeNull()
  expect(await status()).toMatchObject({ hosts: [{ last_error: null }] })
})

it('a key that is used for one foreign name after another is told once in ten minutes', async () => {
  const key = await issue(HOME)
  // The innocent form: one router that reports a second name each time, whose first is taken.
  for (let i = 0; i < 50; i++) await nic(key, `hostname=${HOME},other-${i}.example.com&myip=84.1.1.1`)
  expect(await refusedOf(HOME)).toMatchObject({ detail: expect.stringContaining('other-49.') as unknown })
  const once = [expect.stringContaining('other-0.example.com') as unknown]
  await expect.poll(told).toEqual(once)
  clock.pass(10 * 60_000 - 1)
  await nic(key, 'hostname=more.example.com&myip=84.1.1.1')
  clock.pass(1)
  await nic(key, 'hostname=last.example.com&myip=84.1.1.1')
  const again = [...once, expect.stringContaining('last.example.com') as unknown]
  await expect.poll(told).toEqual(again)
})

it('in the form of dyndns2, too, line by line', async () => {
  const key = await issue(HOME)
  expect((await nic(key, `hostname=${HOME}&myip=10.0.0.1`)).status).toBe(200)
  expect(await refusedOf(HOME)).toMatchObject({ code: 'validation_failed' })
  const id = await create(at.call, { domain: OFF, ddns_enabled: true })
  const off = await issue(OFF)
  const { status: saved } = await at.call('PUT', `/api/domains/${id}`, {
    body: { ...(await at.call('GET', `/api/domains/${id}`)).body, ddns_enabled: false },
  })
  expect(saved).toBe(200)
  await nic(off, `hostname=${OFF}&myip=84.1.1.1`)
  expect(await refusedOf(OFF)).toMatchObject({ code: 'ddns_disabled' })
})

it('a key that is wrong, or another name’s, is shown where the name or the key is known, and nowhere else', async () => {
  const key = await issue(HOME)
  await update(key.toUpperCase(), '&ip=84.1.1.1')
  expect(await refusedOf(HOME)).toMatchObject({ code: 'wrong_key' })
  await update(key, '&ip=84.1.1.1')
  expect(await refusedOf(HOME)).toBeNull()
  await nic(key.toUpperCase(), `hostname=${HOME}&myip=84.1.1.1`)
  expect(await refusedOf(HOME)).toMatchObject({ code: 'wrong_key' })
  // A stranger can make nothing look broken, and nothing grow.
  expect(await status()).not.toMatchObject({ status: 'degraded' })
  expect(await told()).toEqual([])
  await update(key.toUpperCase(), '&ip=84.1.1.1', 'nobody.example.com')
  expect(await refusedOf('nobody.example.com')).toBeNull()
  expect((await update(key, '&ip=84.1.1.1', 'other.example.com')).status).toBe(403)
  expect(await refusedOf(HOME)).toMatchObject({
    code: 'token_not_for_name',
    detail: expect.stringContaining('other.example.com') as unknown,
  })
})

it('a stranger’s wrong key does not hide why the host’s own report was refused', async () => {
  const key = await issue(HOME)
  await update(key, '&ip=192.168.1.20')
  const own = await refusedOf(HOME)
  expect(own).toMatchObject({ code: 'validation_failed' })
  clock.pass(60_000)
  expect((await update('stranger', '&ip=9.9.9.9')).status).toBe(401)
  await nic('stranger', `hostname=${HOME}&myip=9.9.9.9`)
  expect(await refusedOf(HOME)).toEqual(own)
  expect(await status()).toMatchObject({ status: 'degraded' })
  await update(key, '&ip=84.1.1.1')
  expect(await refusedOf(HOME)).toBeNull()
})
