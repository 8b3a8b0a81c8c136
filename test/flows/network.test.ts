/** The network companion over the whole daemon, with a UniFi controller over real HTTP that misbehaves: lists, and none of their secrets. */
import { rmSync } from 'node:fs'
import { fetch } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CANARY, poisoned } from '../fakes/lab/poison.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

let unifi: UnifiApi
let clock: HandClock

beforeEach(async () => {
  unifi = await unifiApi()
  unifi.lists.set('v2/firewall/zone', []).set('v2/firewall-policies', [])
  clock = handClock(Date.now())
})
afterEach(() => unifi.close())

const env = () => ({ PLUMBLINE_UNIFI_URL: `home=${unifi.base}`, PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY })
const open = (over: Readonly<Record<string, string>> = {}): Promise<TestHouse> =>
  openTestHouse({ env: { ...env(), ...over }, opened: false, clock })

const BASE = '/companions/network'
interface Body extends Record<string, unknown> {
  readonly data: readonly Record<string, unknown>[]
  readonly sources: readonly Record<string, unknown>[]
}
async function ask({ call }: TestHouse, path: string, status = 200): Promise<Body> {
  const answer = await call('GET', BASE + path)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(status)
  return answer.body as unknown as Body
}
/** What is looked at is kept for some seconds. */
const later = () => clock.pass(20_000)

/** What the controller answers at a path that contains these words. */
const answering =
  (words: string, status: number, value: unknown): NonNullable<UnifiApi['answer']> =>
  (request, response) => {
    if (!request.url!.includes(words)) return false
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    return true
  }
const REFUSED = { meta: { rc: 'error', msg: 'api.err.NoPermission' }, data: [] }

const PATHS = [
  '/api/devices',
  '/api/clients',
  '/api/clients?all=true',
  '/api/port-forwards',
  '/api/firewall-rules',
  '/api/firewall-groups',
  '/api/wlans',
  '/api/networks',
] as const

const FIRST: Readonly<Record<(typeof PATHS)[number], readonly [count: number, first: object]>> = {
  '/api/devices': [2, { mac: '02:00:5e:20:00:01', name: 'Gateway', type: 'udm', state: 1 }],
  '/api/clients': [
    2,
    {
      name: 'printer',
      hostname: 'HPLJ',
      is_wired: true,
      is_guest: false,
      vlan: 1,
      last_seen: 1_700_086_400,
      online: true,
    },
  ],
  '/api/clients?all=true': [4, { name: 'printer', online: true }],
  '/api/port-forwards': [2, { name: 'https', enabled: true, dst_port: '80,443' }],
  '/api/firewall-rules': [0, {}],
  '/api/firewall-groups': [1, { name: 'web', group_members: ['80', '443'] }],
  '/api/wlans': [
    1,
    { name: 'lab', enabled: true, wpa3_support: false, hide_ssid: false, wlan_bands: ['2g', '5g'] },
  ],
  '/api/networks': [2, { name: 'WAN', purpose: 'wan', ip_subnet: null }],
}

describe('a small home', () => {
  itInDepth('is told list by list, with numbers and flags as such', async () => {
    await using house = await open()
    for (const path of PATHS) {
      const body = await ask(house, path)
      const [count, first] = FIRST[path]
      expect(body, path).toMatchObject({
        count,
        complete: true,
        sources: [{ name: 'home', known: true, count }],
      })
      expect(body.data).toHaveLength(count)
      if (count > 0)
        expect(body.data[0], path).toMatchObject({ controller: 'home', site: 'default', ...first })
    }
  })

  it('costs one round of requests for all who ask, and settings are asked for when somebody wants them', async () => {
    await using house = await open()
    await Promise.all(Array.from({ length: 20 }, () => ask(house, '/api/clients')))
    const after_clients = [...unifi.asked]
    expect(after_clients.filter((line) => line.endsWith('stat/sta'))).toHaveLength(1)
    expect(after_clients.join()).not.toMatch(/wlanconf|firewallgroup/)
    await Promise.all(Array.from({ length: 20 }, () => ask(house, '/api/wlans')))
    await ask(house, '/api/firewall-rules')
    const counts = [
      'rest/wlanconf',
      'rest/portforward',
      'firewall/zone',
      'rest/firewallrule',
      'stat/sta',
    ].map((list) => unifi.asked.filter((line) => line.endsWith(list)).length)
    expect(counts).toEqual([1, 1, 1, 1, 1])
  })

  it('has rules of a firewall without zones, and policies of one with', async () => {
    unifi.lists.set('rest/firewallrule', [
      {
        _id: '1',
        name: 'drop all',
        enabled: 'true',
        action: 'drop',
        ruleset: 'WAN_IN',
        rule_index: '2000',
        state_new: 1,
        dst_port: '22',
      },
    ])
    await using house = await open()
    const rules = await ask(house, '/api/firewall-rules')
    expect(rules.data).toMatchObject([
      { kind: 'rule', index: 2000, states: ['new'], ports: '22', enabled: true },
    ])
    unifi.lists
      .set('v2/firewall/zone', [
        { _id: 'z1', name: 'External', zone_key: 'external' },
        { _id: 'z2', name: 'Internal' },
      ])
      .set('v2/firewall-policies', [
        {
          _id: 'p1',
          name: 'web',
          enabled: true,
          action: 'ALLOW',
          index: '10000',
          predefined: 'false',
          source: { zone_id: 'z1', matching_target: 'ANY' },
          destination: {
            zone_id: 'z2',
            matching_target: 'IP',
            ips: ['192.168.1.10'],
            port: 443,
            port_matching_type: 'SPECIFIC',
          },
        },
      ])
    unifi.lists.delete('rest/firewallrule')
    later()
    const policies = await ask(house, '/api/firewall-rules')
    expect(policies).toMatchObject({ complete: true, count: 1 })
    expect(policies.data).toMatchObject([
      {
        kind: 'policy',
        index: 10_000,
        ports: '443',
        predefined: false,
        source: { zone: 'External' },
        destination: { zone: 'Internal', addresses: ['192.168.1.10'] },
      },
    ])
  })

  it('calls a client as somebody named it, also where that is not told with its connection', async () => {
    unifi.lists.set('stat/alluser', [{ mac: '02:00:5E:10:00:02', hostname: 'phone', name: 'my phone' }])
    await using house = await open()
    const { data } = await ask(house, '/api/clients')
    expect(data).toContainEqual(expect.objectContaining({ hostname: 'phone', name: 'my phone' }))
  })

  it('is narrowed to a site, and an unknown one is named', async () => {
    await using house = await open()
    expect((await ask(house, '/api/clients?site=Home')).count).toBe(2)
    expect(JSON.stringify(await ask(house, '/api/clients?site=hom', 422))).toMatch(/default, Home/)
  })
})

itInDepth('two controllers are one list, also where it is long', async () => {
  const other = await unifiApi()
  const many = Array.from({ length: 600 }, (_, at) => ({
    mac: `02:00:5e:00:0${at >> 8}:${(at & 255).toString(16).padStart(2, '0')}`,
  }))
  unifi.lists.set('stat/sta', many)
  other.lists.set('stat/sta', many)
  await using house = await open({ PLUMBLINE_UNIFI_URL: `home=${unifi.base},attic=${other.base}` })
  for (let round = 0; round < 2; round++) {
    const { count, data, complete } = await ask(house, '/api/clients')
    expect([count, data.length, complete]).toEqual([1200, 1200, true])
    expect(new Set(data.map(({ controller }) => controller))).toEqual(new Set(['home', 'attic']))
  }
  await other.close()
})

describe('what is not known', () => {
  it('is 503 where the controller does not answer, and never an empty list', async () => {
    unifi.answer = answering('/', 502, {})
    await using house = await open()
    for (const path of PATHS)
      expect(await ask(house, path, 503), path).toMatchObject({
        code: 'component_unavailable',
        detail: expect.stringMatching(/home: .*PLUMBLINE_UNIFI_URL/),
      })
  })

  it('is one list where one is refused', async () => {
    unifi.answer = answering('rest/wlanconf', 403, REFUSED)
    await using house = await open()
    const { detail } = await ask(house, '/api/wlans', 503)
    expect(detail).toMatch(/wlanconf.*may not read/)
    expect(await ask(house, '/api/firewall-groups')).toMatchObject({ complete: true, count: 1 })
  })

  const PARTS: readonly [list: string, path: string][] = [
    ['stat/sta', '/api/clients'],
    ['stat/device', '/api/devices'],
    ['rest/networkconf', '/api/networks'],
  ]
  itOneIn(3).each(PARTS)('%s is one list of a look, and leaves the others known', async (list, own) => {
    unifi.answer = answering(list, 403, REFUSED)
    await using house = await open()
    expect((await ask(house, own, 503))['detail']).toContain(list)
    for (const path of PATHS.filter((one) => !one.startsWith(own)))
      expect(await ask(house, path), path).toMatchObject({ complete: true, count: FIRST[path][0] })
    expect(await ask(house, '/api/rogue-check')).toMatchObject({ ok: null, complete: false, rogue: [] })
    const { body } = await house.call('GET', '/companions/inventory/api/ip/next?network=10.9.0.0/24')
    expect(body).toMatchObject({ code: 'component_unavailable', detail: expect.stringContaining(list) })
    const summary = (await house.call('GET', '/api/network/summary')).body
    expect(summary).toMatchObject({ complete: false, sources: [{ detail: expect.stringContaining(list) }] })
    const { body: metrics } = await house.call('GET', `${BASE}/metrics`)
    expect(JSON.stringify(metrics)).not.toContain('rogue_clients{')
  })

  it('a cut list is a part, too, and without who is connected nobody is called away', async () => {
    unifi.answer = (request, response) => {
      if (!request.url!.includes('stat/sta')) return false
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' })
      response.write('{"meta":{"rc":"ok"},"data":[{"mac":"02:00:')
      setImmediate(() => response.destroy())
      return true
    }
    await using house = await open()
    const { data, complete } = await ask(house, '/api/clients?all=true')
    expect(complete).toBe(false)
    expect(data.map(({ online }) => online)).toEqual([null, null, null])
    expect((await house.call('GET', '/api/network/summary')).body).toMatchObject({
      sites: [{ clients: null, devices: { total: 2 } }],
    })
  })

  it('is all of it where no list of a site is told', async () => {
    unifi.answer = answering('/api/s/', 403, REFUSED)
    await using house = await open()
    for (const path of PATHS) await ask(house, path, 503)
  })

  it('is a part where one of two generations is refused', async () => {
    unifi.lists.set('rest/firewallrule', [{ _id: '1', name: 'a', ruleset: 'WAN_IN', action: 'drop' }])
    unifi.answer = answering('/v2/', 403, {})
    await using house = await open()
    expect(await ask(house, '/api/firewall-rules')).toMatchObject({
      count: 1,
      complete: false,
      sources: [
        { known: true, reason: 'refused', detail: expect.stringMatching(/default: .*firewall\/zone/) },
      ],
    })
  })

  itInDepth('is one controller of two', async () => {
    const dark = await unifiApi()
    dark.answer = answering('/', 500, {})
    await using house = await open({ PLUMBLINE_UNIFI_URL: `home=${unifi.base},attic=${dark.base}` })
    expect(await ask(house, '/api/devices')).toMatchObject({
      count: 2,
      complete: false,
      sources: [
        { name: 'home', known: true },
        { name: 'attic', known: false, count: null },
      ],
    })
    expect((await ask(house, '/api/devices?site=Attic', 503))['code']).toBe('component_unavailable')
    await dark.close()
  })

  it('is said where nothing is configured', async () => {
    await using house = await openTestHouse({ opened: false })
    expect(await ask(house, '/health')).toMatchObject({ status: 'ok', configured: false })
    for (const path of PATHS)
      expect(await ask(house, path), path).toMatchObject({
        data: [],
        complete: null,
        sources: [{ configured: false }],
      })
  })
})

it('no secret of a controller comes out of any list', async () => {
  for (const [list, rows] of unifi.lists) unifi.lists.set(list, rows.map(poisoned))
  unifi.lists
    .set('v2/firewall/zone', [poisoned({ _id: 'z1', name: 'External', zone_key: 'external' })])
    .set('v2/firewall-policies', [
      poisoned({ _id: 'p', name: 'p', action: 'ALLOW', source: { zone_id: 'z1' } }),
    ])
    .set('rest/firewallrule', [poisoned({ _id: 'r', name: 'r', ruleset: 'WAN_IN', action: 'drop' })])
    .set('stat/device', [
      poisoned({ mac: '02:00:5e:20:00:01', type: 'udm', uplink: {}, port_table: [{ port_idx: 1 }] }),
    ])
  const lines: string[] = []
  const note = (level: string, message: string, facts?: object) =>
    void lines.push(JSON.stringify([level, message, facts]))
  const log = {
    debug: (message: string, facts?: object) => note('debug', message, facts),
    info: (message: string, facts?: object) => note('info', message, facts),
    warn: (message: string, facts?: object) => note('warn', message, facts),
    error: (message: string, facts?: object) => note('error', message, facts),
  }
  await using house = await openTestHouse({ env: env(), opened: false, clock, log })
  for (const path of PATHS) {
    const body = await ask(house, path)
    expect(body.count, path).toBeGreaterThan(0)
    expect(JSON.stringify(body), path).not.toContain(CANARY)
  }
  for (const path of ['/api/network', '/api/network/clients', '/metrics'])
    expect(JSON.stringify((await house.call('GET', path)).body), path).not.toContain(CANARY)
  expect(lines.join('\n')).not.toContain(CANARY)
})

it('an entry that is none leaves its list incomplete, and is counted', async () => {
  for (const list of ['stat/device', 'stat/sta', 'rest/wlanconf'])
    unifi.lists.set(list, [...(unifi.lists.get(list) as readonly object[]), null, 'odd'] as never)
  await using house = await open()
  for (const path of ['/api/devices', '/api/clients', '/api/wlans'] as const)
    expect(await ask(house, path), path).toMatchObject({ complete: false, sources: [{ unreadable: 2 }] })
  expect(await ask(house, '/api/rogue-check')).toMatchObject({ complete: false })
  expect(await ask(house, '/api/networks')).toMatchObject({ complete: true, sources: [{ unreadable: 0 }] })
})

const MANY = 4_000
itInDepth(
  `${MANY} clients are one list and one look for a hundred who ask at once, each of whom is answered`,
  async () => {
    unifi.lists.set(
      'stat/sta',
      Array.from({ length: MANY }, (_, at) => ({
        _id: String(at),
        mac: `02:00:5e:${[at >> 16, (at >> 8) & 255, at & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`,
        hostname: `host-${at}`,
        ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
        is_wired: at % 2 === 0 ? 'true' : 'false',
        rx_bytes: String(at),
      })),
    )
    // A crowd comes through a proxy: one network alone has 64 connections. Replies are not compared with their schema here.
    const proxied = {
      PLUMBLINE_TRUSTED_PROXIES: '127.0.0.1',
      PLUMBLINE_PROXY_SECRET: 'a-secret-of-the-two-of-us-0001',
    }
    const directory = newFolder('crowd')
    // However busy the machine is, the look is not over before the last of them was answered.
    const house = await buildDaemon(loadConfig({ ...envIn(directory), ...env(), ...proxied }), {
      log: silentLog,
      clock,
    })
    const url = `${await house.open()}${BASE}/api/clients`
    const headers = { 'X-API-Key': house.key.reveal() }
    const all = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await fetch(url, { headers })
        return [answer.status, await answer.text()] as const
      }),
    )
    await house.close()
    rmSync(directory, { recursive: true })
    expect(new Set(all.map(([status]) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(([, text]) => text)).size).toBe(1)
    const { count, data } = JSON.parse(all[0]![1]) as Body
    expect([count, data.length, data[MANY - 1]!['rx_bytes']]).toEqual([MANY, MANY, MANY - 1])
    expect(unifi.asked.filter((line) => line.endsWith('stat/sta'))).toHaveLength(1)
  },
)
