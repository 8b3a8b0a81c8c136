/** A zone that somebody adds at another account, beside zone files that would be made: its names go there, and nowhere else. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { type FakeCloudflare, startFakeCloudflare } from '../fakes/dns/cloudflare.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'

let fake: FakeCloudflare
let at: TestHouse
let ahead = 0
const clock = { ...systemClock, now: () => systemClock.now() + ahead }

beforeAll(async () => {
  fake = await startFakeCloudflare(['old.example'])
  at = await openTestHouse({
    clock,
    opened: false,
    env: {
      PLUMBLINE_DNS_PROVIDER: 'zonefile,cloudflare',
      PLUMBLINE_CLOUDFLARE_API_TOKEN: fake.token,
      PLUMBLINE_CLOUDFLARE_URL: fake.base,
    },
  })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await fake.stop()
})

const zoneFile = (zone: string) => join(at.directory, 'zones', `${zone}.zone`)
const activate = async (domain: string) => {
  const id = await create(at.call, { domain, static_ip: '198.51.100.7' })
  return at.call('POST', `/api/domains/${id}/activate`)
}

it('a zone that was added a moment ago gets the record, and no file is made', async () => {
  fake.zones.push({ ...fake.zones[0]!, id: 'f'.repeat(32), name: 'new.example' })
  ahead += 6000
  expect(await activate('app.new.example')).toMatchObject({ status: 200 })
  const names = [...fake.records.values()].map(({ name, type }) => `${type} ${name}`)
  expect(names).toContain('A app.new.example')
  expect(existsSync(zoneFile('new.example'))).toBe(false)
})

it('a zone that is named and that no account has is not there, rather than clean', async () => {
  expect(await at.call('GET', '/api/dns/records?zone=typo.example')).toMatchObject({
    status: 404,
    body: { detail: expect.stringMatching(/typo\.example.*plumbline dns zones/) as unknown },
  })
  const { status, body } = await at.call('GET', '/api/dns/records?zone=old.example')
  expect([status, body['drift']]).toEqual([200, false])
})

it('a zone that no account has is made as a file', async () => {
  expect(await activate('app.home.example')).toMatchObject({ status: 200 })
  expect(existsSync(zoneFile('home.example'))).toBe(true)
})

it('while the other account does not answer, none is made', async () => {
  await fake.stop()
  ahead += 6000
  expect(await activate('app.later.example')).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining('while cloudflare does not answer') as unknown },
  })
  expect(existsSync(zoneFile('later.example'))).toBe(false)
  const { body } = await at.call('GET', '/api/dns/records?zone=typo.example')
  expect(body).toMatchObject({ drift: null, unknown: [{ zone: 'typo.example' }] })
})
