/** The inventory over the whole house, with Proxmox VE and UniFi over real HTTP: each fault of an estate appears, and goes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { type FakeGuest, PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'

let unifi: UnifiApi
let proxmox: ProxmoxApi
let other: ProxmoxApi
let clock: HandClock

beforeEach(async () => {
  unifi = await unifiApi()
  unifi.lists.set('stat/alluser', [])
  proxmox = await proxmoxApi()
  other = await proxmoxApi()
  clock = handClock(Date.now())
})
afterEach(async () => {
  await unifi.close()
  await proxmox.close()
  await other.close()
})

const env = () => ({
  PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
  PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
  PLUMBLINE_PROXMOX: `lab=${proxmox.base},attic=${other.base}`,
  PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
})
const open = (over: Readonly<Record<string, string>> = {}): Promise<TestHouse> =>
  openTestHouse({ env: { ...env(), ...over }, opened: false, clock })

const BASE = '/companions/inventory'
type Body = Record<string, unknown>
async function ask(house: TestHouse, path: string, status = 200): Promise<Body> {
  const answer = await house.call('GET', BASE + path)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(status)
  return answer.body
}
/** What is looked at is kept for some seconds. */
const later = () => clock.pass(20_000)

const guest = (
  vmid: number,
  over: Partial<FakeGuest> & { readonly mac?: number; readonly ip?: string } = {},
): FakeGuest => ({
  type: 'qemu',
  vmid,
  name: `guest${vmid}`,
  config: {
    net0: `virtio=BC:24:11:00:00:${(over.mac ?? vmid % 90).toString().padStart(2, '0')},bridge=vmbr0`,
    ipconfig0: `ip=${over.ip ?? `10.9.0.${vmid % 250}`}/24`,
  },
  ...over,
})

describe('an estate without a fault', () => {
  it('is told with its numbers, addresses and domains', async () => {
    proxmox.guests = [guest(1401, { ip: '10.1.4.101' }), { ...guest(1901), row: { template: 1 } }]
    await using house = await open()
    await create(house.call, { domain: 'web.example.com', backend_host: '10.1.4.101', backend_port: 80 })
    const assets = (await ask(house, '/api/assets')) as unknown as Body[]
    expect(assets).toMatchObject([
      { vmid: 1401, purpose: 'web', in_scheme: true, state: 'running', domains: ['web.example.com'] },
      { vmid: 1901, state: 'template', template: true },
    ])
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: true, complete: true, ip: [], vmid: [] })
    expect(await ask(house, '/api/orphans')).toMatchObject({ ok: true, orphans: [], unknown_kinds: [] })
    expect(await ask(house, '/api/assets/1401')).toMatchObject({ conflicts: [] })
    expect(await ask(house, '/api/assets/7777', 404)).toMatchObject({ code: 'not_found' })
    expect(await ask(house, '/api/vmid/next?node=pve1&purpose=web')).toMatchObject({
      vmid: 1402,
      address: '10.1.4.102',
      complete: true,
    })
    expect(await ask(house, '/api/vmid/check?vmid=1901')).toMatchObject({ in_use: true, complete: true })
    expect(await ask(house, '/api/vmid/check?vmid=1403')).toMatchObject({ in_use: false })
    expect(await ask(house, '/api/infrastructure/status')).toMatchObject({
      status: 'ok',
      conflicts: 0,
      orphans: 0,
    })
  })
})

type Fault = readonly [what: string, make: () => void, path: string, found: object]

const FAULTS: readonly Fault[] = [
  [
    'one address on two guests that run',
    () => (proxmox.guests = [guest(1401, { ip: '10.1.4.9' }), guest(1402, { ip: '10.1.4.9' })]),
    '/api/conflicts',
    { ok: false, ip: [{ address: '10.1.4.9', severity: 'error' }] },
  ],
  [
    'one address on a guest that runs and one that does not',
    () =>
      (proxmox.guests = [
        guest(1401, { ip: '10.1.4.9' }),
        guest(1402, { ip: '10.1.4.9', status: 'stopped' }),
      ]),
    '/api/conflicts',
    { ok: false, ip: [{ address: '10.1.4.9', severity: 'warning' }] },
  ],
  [
    'a guest at the address of a client',
    () => (proxmox.guests = [guest(1401, { ip: '192.168.1.50' })]),
    '/api/conflicts',
    { ok: false, ip: [{ address: '192.168.1.50', severity: 'error' }] },
  ],
  [
    'one number in two clusters',
    () => {
      proxmox.guests = [guest(1401)]
      other.guests = [guest(1401, { mac: 77, ip: '10.8.0.1' })]
    },
    '/api/conflicts',
    {
      ok: false,
      vmid: [{ vmid: 1401, severity: 'error', holders: [{ cluster: 'lab' }, { cluster: 'attic' }] }],
    },
  ],
  [
    'one number in two clusters, of which one runs',
    () => {
      proxmox.guests = [guest(1401)]
      other.guests = [guest(1401, { mac: 77, ip: '10.8.0.1', status: 'stopped' })]
    },
    '/api/conflicts',
    { ok: false, vmid: [{ vmid: 1401, severity: 'warning' }] },
  ],
  [
    'one card on two guests',
    () => (proxmox.guests = [guest(1401, { mac: 5 }), guest(1402, { mac: 5 })]),
    '/api/conflicts',
    { ok: false, mac: [{ mac: 'bc:24:11:00:00:05', severity: 'error' }] },
  ],
  [
    'an address by hand in a range of leases',
    () => {
      proxmox.guests = [guest(1401, { ip: '192.168.1.200' })]
      unifi.lists.set('rest/networkconf', [LAN])
    },
    '/api/conflicts',
    { ok: false, network: [{ reason: 'in_dhcp_pool', address: '192.168.1.200' }] },
  ],
  [
    'a lease of another address for its card',
    () => {
      proxmox.guests = [guest(1401, { mac: 5, ip: '192.168.1.7' })]
      unifi.lists.set('stat/alluser', [reservation('bc:24:11:00:00:05', '192.168.1.8')])
    },
    '/api/conflicts',
    { ok: false, network: [{ reason: 'fixed_lease_differs', expected: '192.168.1.8' }] },
  ],
  [
    'a reservation of nobody',
    () => unifi.lists.set('stat/alluser', [reservation('02:00:00:00:00:99', '192.168.1.77')]),
    '/api/orphans',
    { ok: false, orphans: [{ kind: 'reservation_without_asset', id: '02:00:00:00:00:99' }] },
  ],
]

const LAN = {
  name: 'Default',
  purpose: 'corporate',
  ip_subnet: '192.168.1.1/24',
  dhcpd_enabled: 'true',
  dhcpd_start: '192.168.1.150',
  dhcpd_stop: '192.168.1.250',
}
const reservation = (mac: string, fixed_ip: string) => ({
  mac,
  use_fixedip: 1,
  fixed_ip,
  last_seen: 1_600_000_000,
})

describe('a fault of an estate', () => {
  itOneIn(3).each(FAULTS)('%s appears and goes', async (_what, make, path, found) => {
    const networks = unifi.lists.get('rest/networkconf')!
    make()
    await using house = await open()
    expect(await ask(house, path)).toMatchObject(found)
    proxmox.guests = []
    other.guests = []
    unifi.lists.set('stat/alluser', []).set('rest/networkconf', networks)
    later()
    expect(await ask(house, path)).toMatchObject({ ok: true })
  })

  itInDepth('an address that the scheme does not give is one only where the scheme was set', async () => {
    proxmox.guests = [guest(1401, { ip: '10.9.9.9' })]
    await using plain = await open()
    expect(await ask(plain, '/api/conflicts')).toMatchObject({ ok: true })
    await using strict = await open({ PLUMBLINE_VMID_IP: '10.{node}.{purpose}.{sequence+100}/24' })
    expect(await ask(strict, '/api/conflicts')).toMatchObject({
      network: [{ reason: 'not_by_scheme', expected: '10.1.4.101' }],
    })
  })

  it('a domain that leads to a guest that is gone is an orphan, and a shared address no conflict', async () => {
    proxmox.guests = [guest(1401, { ip: '192.168.1.9' }), guest(1402, { ip: '192.168.1.9' })]
    await using house = await open({ PLUMBLINE_IP_SHARED: '192.168.1.9' })
    await create(house.call, { domain: 'web.example.com', backend_host: '192.168.1.66', backend_port: 80 })
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: true })
    expect(await ask(house, '/api/orphans')).toMatchObject({
      orphans: [{ kind: 'domain_without_asset', name: 'web.example.com' }],
    })
  })

  itInDepth('the card of a guest that the controller sees, too, is no conflict', async () => {
    proxmox.guests = [guest(1401, { mac: 5, ip: '192.168.1.7' })]
    unifi.lists.set('stat/sta', [
      { mac: 'BC:24:11:00:00:05', ip: '192.168.1.7', hostname: 'web', is_wired: true },
    ])
    await using house = await open()
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: true, ip: [] })
  })
})

describe('what is not known in whole', () => {
  const DARK: readonly [string, () => void, RegExp][] = [
    [
      'a cluster that shows only some guests',
      () => (other.permissions = { '/vms/1': { 'VM.Audit': 1 } }),
      /attic/,
    ],
    [
      'a cluster that answers an error',
      () => {
        other.answer = (_request, response) => {
          response.writeHead(500).end()
          return true
        }
      },
      /attic/,
    ],
    [
      'a row that nobody can read',
      () => (other.guests = [{ ...guest(1), row: { vmid: 'x' } }]),
      /attic: 1 of its entries/,
    ],
  ]

  itOneIn(3).each(DARK)('%s is never free', async (_what, darken, named) => {
    other.guests = [guest(2401)]
    darken()
    await using house = await open({ PLUMBLINE_VMID_NODES: '1=pve1' })
    for (const path of ['/api/vmid/next?node=pve1&purpose=web', '/api/ip/next?network=10.50.0.0/24']) {
      const { code, detail } = await ask(house, path, 503)
      expect([code, detail]).toEqual(['component_unavailable', expect.stringMatching(named)])
      expect(await ask(house, `${path}&allow_incomplete=true`)).toMatchObject({ complete: false })
    }
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: null, complete: false })
    const { unknown_kinds } = await ask(house, '/api/orphans')
    expect(unknown_kinds).toMatchObject([
      { kind: 'domain_without_asset' },
      { kind: 'reservation_without_asset' },
    ])
    expect((await ask(house, '/api/assets/9999', 503))['detail']).toMatch(named)
    expect(await ask(house, '/api/infrastructure/status')).toMatchObject({ conflicts: null, orphans: null })
  })

  it('no cluster that answers is no empty list of guests', async () => {
    for (const api of [proxmox, other])
      api.answer = (_request, response) => {
        response.writeHead(500).end()
        return true
      }
    await using house = await open()
    expect((await ask(house, '/api/assets', 503))['detail']).toMatch(/lab: .*attic: /)
  })

  it('without a source everything says so', async () => {
    await using house = await openTestHouse({ opened: false })
    expect(await ask(house, '/health')).toMatchObject({ status: 'ok', configured: false })
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: null, complete: null, checked_at: null })
    expect(await ask(house, '/api/vmid/check?vmid=1401')).toMatchObject({ in_use: null, complete: null })
    expect((await ask(house, '/api/ip/next?network=10.0.0.0/24', 503))['detail']).toMatch(/PLUMBLINE_PROXMOX/)
    expect((await ask(house, '/api/vmid/next?node=a&purpose=web', 503))['detail']).toMatch(
      /PLUMBLINE_PROXMOX/,
    )
  })
})

describe('bad input', () => {
  itOneIn(12).each([
    '/api/vmid/next',
    '/api/vmid/next?node=pve1',
    '/api/vmid/next?node=pve9&purpose=web',
    '/api/vmid/next?node=pve1&purpose=wev',
    '/api/vmid/decode?vmid=99',
    '/api/vmid/decode?vmid=1e3',
    '/api/vmid/check?vmid=1.5',
    '/api/vmid/validate?vmid=1e3',
    '/api/vmid/validate?vmid=9007199254740993',
    '/api/vmid/calculate-ip?vmid=-1',
    '/api/vmid/validate-ip?vmid=1401&ip=10.1.4.999',
    '/api/vmid/suggest?count=0',
    '/api/vmid/next?node=pve1&purpose=web&hold=601',
    '/api/ip/next',
    '/api/ip/next?network=10.0.0.0/24&node=pve1&purpose=web',
    '/api/ip/next?network=0.0.0.0/0',
    '/api/ip/next?network=::1:0/64',
    '/api/assets/abc',
    '/api/assets/0',
    '/api/assets/99',
    '/api/assets/1000000000',
    '/api/assets?include=guests',
    '/api/assets/1401?cluster=loft',
    '/api/assets?state=asleep',
  ])('%s is 422', async (path) => {
    await using house = await open()
    await ask(house, path, 422)
  })
})

itInDepth('a hundred who ask at once cost one look at each source', async () => {
  proxmox.guests = [guest(1401)]
  await using house = await open()
  const paths = ['/api/conflicts', '/api/assets', '/api/ip/used', '/api/orphans']
  await Promise.all(Array.from({ length: 100 }, (_, at) => ask(house, paths[at % paths.length]!)))
  const looks = (asked: readonly string[], path: string) => asked.filter((line) => line.includes(path)).length
  expect([looks(proxmox.asked, '/cluster/resources'), looks(unifi.asked, '/stat/sta')]).toEqual([1, 1])
})

itInDepth(
  'a list of assets is narrowed by names or numbers, and names that nobody has are refused',
  async () => {
    proxmox.guests = [guest(1401), guest(1501), { ...guest(2401), node: 'pve2' }]
    await using house = await open({ PLUMBLINE_VMID_NODES: '1=pve1,2=pve2' })
    const numbers = async (query: string) =>
      ((await ask(house, `/api/assets?${query}`)) as unknown as Body[]).map(({ vmid, name }) => vmid ?? name)
    expect(await numbers('node=1')).toEqual([1401, 1501])
    expect(await numbers('node=PVE2')).toEqual([2401])
    expect(await numbers('purpose=4&node=pve1')).toEqual([1401])
    expect(await numbers('purpose=Web')).toEqual([1401, 2401])
    expect(await numbers('cluster=LAB')).toEqual([1401, 1501, 2401])
    expect(await numbers('cluster=attic')).toEqual([])
    expect(await numbers('q=guest15')).toEqual([1501])
    expect(await numbers('node=pve2&include=nodes')).toEqual([2401, 'pve2', 'pve2'])
    expect((await numbers('cluster=home&include=devices')).length).toBeGreaterThan(0)
    expect(await numbers('include=devices,nodes')).toEqual(await numbers('include=nodes,devices'))
    for (const [query, near] of [
      ['node=pve3', '"pve1"'],
      ['purpose=wep', '"web"'],
      ['cluster=lap', '"lab"'],
    ] as const)
      expect(await ask(house, `/api/assets?${query}`, 422)).toMatchObject({
        detail: expect.stringContaining(near),
      })
    // While a cluster does not tell its hosts, it may have one of that name.
    other.answer = (request, response) => {
      if (!request.url!.endsWith('/nodes')) return false
      response.writeHead(500, 'no such luck').end()
      return true
    }
    later()
    expect(await numbers('node=pve3')).toEqual([])
  },
)

itInDepth('hosts of the clusters are on or off as their cluster says', async () => {
  await using house = await open()
  const nodes = await ask(house, '/api/assets?include=nodes&cluster=lab')
  expect(nodes).toMatchObject([
    { name: 'pve1', state: 'online' },
    { name: 'pve2', state: 'online' },
  ])
})

itInDepth('why a number is none is said as it is', async () => {
  await using house = await open()
  const { detail } = await ask(house, '/api/vmid/validate?vmid=9007199254740993', 422)
  expect(detail).toContain('at most 9007199254740991')
})

describe('an offer', () => {
  it('is made to nobody else while it is kept', async () => {
    await using house = await open()
    const path = '/api/vmid/next?node=pve1&purpose=web'
    const withKey = async (of: string) => (await ask(house, of))['vmid']
    expect([await withKey(`${path}&hold=60`), await withKey(path)]).toEqual([1401, 1401])
    // Jobs of one key that each want one kept are kept apart.
    expect(await Promise.all([withKey(`${path}&hold=60`), withKey(`${path}&hold=60`)])).toEqual([1402, 1403])
    const address = '/api/ip/next?network=10.77.0.0/29&hold=60'
    const first = await Promise.all([ask(house, address), ask(house, address)])
    expect(first.map((one) => one['address'])).toEqual(['10.77.0.2', '10.77.0.3'])
    const stranger = await house.house.app.request(
      new Request(`http://127.0.0.1${BASE}${path}`, { headers: { host: '127.0.0.1' } }),
      {},
      { peer: '127.0.0.1' },
    )
    expect(await stranger.json()).toMatchObject({ vmid: 1404 })
  })

  const OFFERED: readonly [network: string, offer: object][] = [
    ['10.77.0.9/32', { address: '10.77.0.9', gateway: null }],
    ['fd00:7::9/128', { address: 'fd00:7::9', gateway: null }],
    ['10.77.0.8/31', { address: '10.77.0.8', gateway: null }],
    ['192.168.1.0/31', { code: 'conflict' }],
    ['192.168.1.254/31', { address: '192.168.1.254', gateway: '192.168.1.1' }],
    ['192.168.1.64/26', { address: '192.168.1.65', gateway: '192.168.1.1' }],
    ['192.168.1.255/32', { code: 'conflict' }],
    ['192.168.1.253/32', { code: 'conflict' }],
    ...['127.0.0.0/8', '224.1.0.0/24', '240.0.0.0/8', '0.0.0.0/8', 'ff02::/64', 'fe80::/64'].map(
      (network): [string, object] => [network, { code: 'validation_failed' }],
    ),
  ]
  it('keeps to what a host may have, in narrow networks and in parts of known ones', async () => {
    await using house = await open({ PLUMBLINE_IP_SHARED: '192.168.1.253' })
    for (const [network, offer] of OFFERED) {
      const { body } = await house.call('GET', `${BASE}/api/ip/next?network=${network}`)
      expect(body, network).toMatchObject(offer)
    }
  })

  itInDepth('of a network passes over the address of a template', async () => {
    proxmox.guests = [{ ...guest(1401, { ip: '192.168.9.2', status: 'stopped' }), row: { template: 1 } }]
    await using house = await open()
    expect(await ask(house, '/api/ip/next?network=192.168.9.0/29')).toMatchObject({ address: '192.168.9.3' })
    proxmox.guests = [
      { ...guest(1401, { ip: '192.168.9.5', status: 'stopped' }), row: { template: 1 } },
      guest(1402, { ip: '192.168.9.5' }),
    ]
    clock.pass(60_000)
    expect(await ask(house, '/api/assets/1401')).toMatchObject({ template: true, addresses: ['192.168.9.5'] })
    expect(await ask(house, '/api/conflicts')).toMatchObject({ ok: true })
  })

  it('of a network sees within a minute that a stopped guest was given another address', async () => {
    const stopped = (ip: string) => [guest(2401, { ip, status: 'stopped' })]
    proxmox.guests = stopped('192.168.9.32')
    await using house = await open()
    const next = '/api/ip/next?network=192.168.9.0/24'
    expect(await ask(house, next)).toMatchObject({ address: '192.168.9.2' })
    proxmox.guests = stopped('192.168.9.2')
    clock.pass(31_000)
    expect(await ask(house, next)).toMatchObject({ address: '192.168.9.3' })
    expect(await ask(house, '/api/assets/2401')).toMatchObject({ addresses: ['192.168.9.2'] })
  })

  itInDepth('of a network passes over leases, gateways and whoever has one', async () => {
    unifi.lists.set('rest/networkconf', [{ ...LAN, dhcpd_start: '192.168.1.3', dhcpd_stop: '192.168.1.40' }])
    proxmox.guests = [guest(1401, { ip: '192.168.1.41' })]
    await using house = await open({ PLUMBLINE_IP_RESERVED: '192.168.1.42-192.168.1.44' })
    expect(await ask(house, '/api/ip/next?network=192.168.1.0/24')).toMatchObject({
      address: '192.168.1.45',
      gateway: '192.168.1.1',
      complete: true,
    })
  })
})
