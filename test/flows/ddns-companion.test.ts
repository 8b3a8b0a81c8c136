/** The dynamic DNS companion over the whole house: what it says, a forced update, and the uplink of a UniFi site as a source. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { run } from './command.ts'
import { createActive, openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

let unifi: UnifiApi
let clock: HandClock

beforeEach(async () => {
  unifi = await unifiApi()
  clock = handClock(Date.now())
})
afterEach(() => unifi.close())

const HUB = 'home.example.com'
const WAN = '45.83.105.12'
const uplink = (wan_ip: string, status = 'ok') => [{ subsystem: 'wan', status, wan_ip }]

const open = (env: Readonly<Record<string, string>> = {}, over: TestHouseOptions = {}): Promise<TestHouse> =>
  openTestHouse({ env: { PLUMBLINE_HUB_HOST: HUB, ...env }, opened: false, clock, ...over })
const withSource = () =>
  open({
    PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
    PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
    PLUMBLINE_DDNS_SOURCES: `reports,unifi:home/default=${HUB}`,
  })

const BASE = '/companions/ddns'
type Body = Record<string, unknown>
const update = async ({ call }: TestHouse, body?: object, status = 200): Promise<Body> => {
  const answer = await call('POST', `${BASE}/update`, body === undefined ? {} : { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}
const statusOf = async ({ call }: TestHouse): Promise<Body> => (await call('GET', `${BASE}/status`)).body

describe('an address that is given', () => {
  it('is a report of the hub, or of the name that is said', async () => {
    await using house = await open()
    expect(await update(house, { ip: WAN })).toMatchObject({
      success: true,
      changed: [{ host: HUB, addresses: [WAN] }],
      failed: [],
    })
    expect(await update(house, { host: HUB, ip: WAN })).toMatchObject({
      changed: [],
      unchanged: [{ host: HUB }],
    })
    expect(await statusOf(house)).toMatchObject({
      hub_host: HUB,
      hosts: [{ host: HUB, ipv4: WAN, source: 'reported' }],
    })
  })

  it.each<[string, object, number]>([
    ['of a private network', { ip: '192.168.1.1' }, 422],
    ['of a carrier', { ip: '100.64.0.1' }, 422],
    ['of a CDN', { ip: '104.16.0.1' }, 422],
    ['of a CDN, IPv6', { ipv6: '2606:4700::1' }, 422],
    ['that is missing, for a name that there is none of', { host: 'nope.example.com' }, 404],
    ['that is none', { ip: 'here' }, 422],
    ['for a name that takes none', { host: 'other.example.com', ip: WAN }, 404],
    ['beside a member that there is none of', { ip: WAN, force: true }, 422],
  ])('%s is refused', async (_what, body, status) => {
    await using house = await open()
    await update(house, body, status)
  })

  it('needs a name where there is no hub', async () => {
    await using house = await openTestHouse({ opened: false })
    expect(await update(house, { ip: WAN }, 422)).toMatchObject({ errors: [{ loc: ['body', 'host'] }] })
  })

  it('that is wrong is named where it stands', async () => {
    await using house = await open()
    expect(await update(house, { ip: 'here' }, 422)).toMatchObject({ errors: [{ loc: ['body', 'ip'] }] })
    expect(await update(house, { host: 'a b', ip: WAN }, 422)).toMatchObject({
      errors: [{ loc: ['body', 'host'] }],
    })
  })

  it('and comes within a minute of the last change waits, and is said to', async () => {
    await using house = await open()
    const other = '45.83.105.13'
    await update(house, { ip: WAN })
    const due_at = new Date(clock.now() + 60_000).toISOString()
    clock.pass(10_000)
    const waiting = [
      {
        host: HUB,
        addresses: [other],
        due_at: expect.stringContaining(due_at.slice(0, 19)) as unknown,
        because: null,
      },
    ]
    for (const dry_run of [true, false]) {
      const { body } = await house.call('POST', `${BASE}/update?dry_run=${dry_run}`, { body: { ip: other } })
      expect(body).toMatchObject({ dry_run, changed: [], unchanged: [], waiting })
      const after = `${other}, when it is due`
      const plan = {
        actions: [expect.objectContaining({ verb: 'update', before: WAN, after }) as unknown],
        warnings: [],
      }
      expect(body['plan']).toEqual(dry_run ? expect.objectContaining(plan) : undefined)
      expect(body['message']).toContain(`${other} waits until`)
      const held = dry_run ? [] : [{ type: 'A', address: other }]
      expect(await statusOf(house)).toMatchObject({ hosts: [{ ipv4: WAN, waiting: held }] })
    }
  })

  it('is not taken in a dry run', async () => {
    await using house = await open()
    const { body } = await house.call('POST', `${BASE}/update?dry_run=true`, { body: { ip: WAN } })
    expect(body).toMatchObject({
      dry_run: true,
      changed: [{ host: HUB, addresses: [WAN] }],
      plan: {
        actions: [
          { component: 'ddns', verb: 'create', item: `A reported for ${HUB}`, before: null, after: WAN },
        ],
        warnings: [expect.stringContaining(HUB) as unknown],
      },
    })
    expect(await statusOf(house)).toMatchObject({ hosts: [{ ipv4: null }] })
  })

  it('goes on as an operation that this service tells of', async () => {
    await using house = await open()
    const headers = { prefer: 'respond-async' }
    const answer = await house.call('POST', `${BASE}/update`, { body: { ip: WAN }, headers })
    expect(answer.status).toBe(202)
    const location = new URL(answer.headers.get('location')!, 'http://127.0.0.1').pathname
    const own = location.startsWith(BASE) ? location : BASE + location
    await expect.poll(async () => (await house.call('GET', own)).body).toMatchObject({ state: 'succeeded' })
  })
})

describe('what is published of a name', () => {
  const NAME = 'cam.example.com'
  const ENV = { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_DNS_ZONES: 'example.com' }
  const published = { A: [WAN], AAAA: [], state: 'unknown' }

  it('is what stands in the zone, also where no server is asked, and where it is kept for a name that is off', async () => {
    await using house = await openTestHouse({ env: ENV })
    const id = await createActive(house.call, { domain: NAME, ddns_enabled: true })
    await update(house, { host: NAME, ip: WAN })
    expect(await statusOf(house)).toMatchObject({
      status: 'unknown',
      unknown_because: expect.stringContaining('PLUMBLINE_DNS_AUTHORITATIVE') as string,
      checked_at: null,
      hosts: [{ host: NAME, published }],
    })
    expect((await house.call('POST', `/api/domains/${id}/deactivate`)).status).toBe(200)
    expect(await statusOf(house)).toMatchObject({
      status: 'ok',
      unknown_because: null,
      hosts: [{ host: NAME, source: null, published }],
    })
    const shown = await run(['ddns', 'status'], { PLUMBLINE_DATA_DIR: house.directory, ...ENV })
    expect(shown.out).toContain(`${WAN} (kept)`)
  })
})

describe('a source', () => {
  it('is the uplink that the controller tells', async () => {
    unifi.lists.set('stat/health', uplink(WAN))
    await using house = await withSource()
    expect(await update(house)).toMatchObject({ success: true, changed: [{ host: HUB, addresses: [WAN] }] })
    expect(await statusOf(house)).toMatchObject({
      hosts: [{ host: HUB, ipv4: WAN, source: 'unifi:home/default', last_error: null }],
      sources: [{ name: 'unifi:home/default', host: HUB, addresses: [WAN], error: null }],
    })
    // Another one by hand is not of the source.
    clock.pass(70_000)
    await update(house, { ip: '45.83.105.99' })
    expect(await statusOf(house)).toMatchObject({ hosts: [{ ipv4: '45.83.105.99', source: 'reported' }] })
    // A dry run reads the source, and takes nothing.
    clock.pass(70_000)
    const { body } = await house.call('POST', `${BASE}/update?dry_run=true`)
    expect(body).toMatchObject({ changed: [{ host: HUB, addresses: [WAN] }], failed: [] })
    expect(await statusOf(house)).toMatchObject({ hosts: [{ ipv4: '45.83.105.99' }] })
  })

  it.each<[string, () => void, RegExp]>([
    [
      'with an address of its carrier',
      () => unifi.lists.set('stat/health', uplink('100.64.7.7')),
      /no public address/,
    ],
    [
      'with an address of a CDN',
      () => unifi.lists.set('stat/health', uplink('104.16.0.1')),
      /no public address of a gateway/,
    ],
    ['without an address', () => unifi.lists.set('stat/health', []), /no uplink has an address/],
    ['that is down', () => unifi.lists.set('stat/health', uplink(WAN, 'error')), /no uplink has an address/],
    [
      'that does not answer',
      () => (unifi.answer = (_request, response) => Boolean(response.writeHead(500).end())),
      /500/,
    ],
  ])('%s changes nothing, and says why', async (_what, spoil, why) => {
    unifi.lists.set('stat/health', uplink(WAN))
    await using house = await withSource()
    await update(house)
    spoil()
    clock.pass(20_000)
    expect(await update(house)).toMatchObject({
      success: false,
      changed: [],
      failed: [{ name: 'unifi:home/default', error: expect.stringMatching(why) as unknown }],
    })
    expect(await statusOf(house)).toMatchObject({ status: 'degraded', hosts: [{ ipv4: WAN }] })
  })

  itInDepth('of a controller or a site that there is none of says so', async () => {
    await using house = await open({ PLUMBLINE_DDNS_SOURCES: `unifi:away/default=${HUB}` })
    expect(await update(house)).toMatchObject({
      failed: [{ error: 'unifi:away/default: PLUMBLINE_UNIFI_URL names no controller "away".' }],
    })
  })

  it('is read each minute by itself', async () => {
    unifi.lists.set('stat/health', uplink(WAN))
    await using house = await open(
      {
        PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
        PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
        PLUMBLINE_DDNS_SOURCES: `unifi:home/default=${HUB}`,
      },
      { opened: true },
    )
    await expect.poll(() => statusOf(house)).toMatchObject({ hosts: [{ host: HUB, ipv4: WAN }] })
  })
})

it('a name without a source says that nothing was read for it', async () => {
  await using house = await open()
  expect(await update(house, { host: HUB })).toMatchObject({
    success: true,
    warnings: [expect.stringContaining(`No source is set for ${HUB}`)],
  })
})

it('without a name or a source it answers all the same', async () => {
  await using house = await openTestHouse({ opened: false })
  expect((await house.call('GET', `${BASE}/health`)).body).toMatchObject({ status: 'ok', configured: false })
  expect(await statusOf(house)).toMatchObject({ hub_host: null, hosts: [], sources: [], checked_at: null })
  expect(await update(house)).toMatchObject({ warnings: [expect.stringMatching(/PLUMBLINE_DDNS_SOURCES/)] })
})
