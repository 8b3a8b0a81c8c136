/** The network companion's metrics and its look for strangers, over the whole daemon and real HTTP, and by a real Prometheus. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CANARY, poisoned } from '../fakes/lab/poison.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { describePeers } from '../peers/peers.ts'
import { checkMetrics, PROMETHEUS_PROGRAMS, startPrometheus } from '../peers/prometheus.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

let unifi: UnifiApi
let proxmox: ProxmoxApi
let clock: HandClock

beforeEach(async () => {
  unifi = await unifiApi()
  proxmox = await proxmoxApi()
  clock = handClock(Date.now())
})
afterEach(async () => {
  await unifi.close()
  await proxmox.close()
})

const env = () => ({
  PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
  PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
  PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
  PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
})
const open = (over: Readonly<Record<string, string>> = {}): Promise<TestHouse> =>
  openTestHouse({ env: { ...env(), ...over }, opened: false, clock })

const BASE = '/companions/network'
type Body = Readonly<Record<string, unknown>>
async function ask({ call }: TestHouse, path: string): Promise<Body> {
  const answer = await call('GET', BASE + path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const metrics = async ({ call }: TestHouse): Promise<string> =>
  (await call('GET', `${BASE}/metrics`)).body as unknown as string
const later = () => clock.pass(20_000)

const client = (mac: string, over: object = {}) => ({ mac, hostname: 'h', is_wired: false, ...over })
const card = (mac: string) => ({
  type: 'qemu' as const,
  vmid: 100,
  name: 'guest',
  config: { net0: `virtio=${mac.toUpperCase()},bridge=vmbr0` },
})

describe('a client that nobody knows', () => {
  beforeEach(() => unifi.lists.set('stat/alluser', []))
  const STRANGER = 'ac:bc:32:00:00:09'

  it('is told with where it is connected, and a made-up MAC is flagged', async () => {
    unifi.lists.set('stat/sta', [
      client(STRANGER, {
        ap_mac: '02:00:5E:20:00:02',
        first_seen: '1700000000',
        network: 'Default',
        oui: 'X',
      }),
      client('da:00:00:00:00:01', { is_wired: 'true', sw_mac: '02:00:5e:20:00:01', sw_port: '7' }),
    ])
    await using house = await open()
    expect(await ask(house, '/api/rogue-check')).toMatchObject({
      ok: false,
      complete: true,
      known: 0,
      rogue: [
        {
          mac: STRANGER,
          randomized: false,
          first_seen: '2023-11-14T22:13:20.000Z',
          uplink: { mac: '02:00:5e:20:00:02', name: 'Attic', port: null },
        },
        { mac: 'da:00:00:00:00:01', randomized: true, uplink: { name: 'Gateway', port: 7 } },
      ],
    })
    expect(await metrics(house)).toContain('plumbline_network_rogue_clients 2\n')
  })

  const KNOWN: readonly [string, () => Readonly<Record<string, string>>][] = [
    ['as the card of a guest', () => ((proxmox.guests = [card(STRANGER)]), {})],
    ['by a name', () => (unifi.lists.set('stat/sta', [client(STRANGER, { name: 'mine' })]), {})],
    [
      'by a fixed address',
      () => (
        unifi.lists.set('stat/sta', [client(STRANGER, { use_fixedip: 'true', fixed_ip: '192.168.1.9' })]),
        {}
      ),
    ],
    ['by a setting', () => ({ PLUMBLINE_KNOWN_MACS: STRANGER.toUpperCase() })],
    ['by a prefix', () => ({ PLUMBLINE_KNOWN_MACS: 'AC-BC-32' })],
    ['as a device', () => (unifi.lists.set('stat/device', [{ mac: STRANGER, type: 'usw', state: 1 }]), {})],
  ]
  it.each(KNOWN)('is none where it is known %s', async (_how, arrange) => {
    unifi.lists.set('stat/sta', [client(STRANGER)])
    const over = arrange()
    await using house = await open(over)
    expect(await ask(house, '/api/rogue-check')).toMatchObject({ ok: true, rogue: [], undecided: [] })
  })

  it('is a guest of the network only where that is asked for', async () => {
    unifi.lists.set('stat/sta', [client(STRANGER, { is_guest: 1 })])
    await using house = await open()
    expect(await ask(house, '/api/rogue-check')).toMatchObject({ ok: true, rogue: [] })
    expect(await ask(house, '/api/rogue-check?guests=true')).toMatchObject({
      ok: false,
      rogue: [{ guest: true }],
    })
  })

  it('is undecided while a source that could know it is not whole', async () => {
    unifi.lists.set('stat/sta', [client(STRANGER)])
    proxmox.answer = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    await using house = await open()
    expect(await ask(house, '/api/rogue-check')).toMatchObject({
      ok: null,
      complete: false,
      rogue: [],
      undecided: [{ mac: STRANGER }],
    })
    expect(await metrics(house)).not.toContain('rogue_clients')
  })

  it('cannot be found where nothing is configured', async () => {
    await using house = await openTestHouse({ opened: false })
    expect(await ask(house, '/api/rogue-check')).toMatchObject({ ok: null, complete: null, checked_at: null })
    expect(await metrics(house)).toBe('')
  })
})

describe('metrics', () => {
  it('tell uplinks, devices and clients, and nothing of what is not known', async () => {
    await using house = await open()
    const text = await metrics(house)
    for (const line of [
      'plumbline_network_up{controller="home"} 1',
      'plumbline_network_wan_latency_seconds{controller="home",site="default",wan="wan"} 0.012',
      'plumbline_network_vpn_active{controller="home",site="default"} 3',
      'plumbline_network_devices{controller="home",site="default",type="uap",state="offline"} 1',
      'plumbline_network_clients{controller="home",site="default",kind="wired"} 1',
      'plumbline_network_port_forwards{controller="home",site="default",enabled="true"} 2',
      'plumbline_network_device_up{mac="02:00:5e:20:00:02"} 0',
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).not.toContain('client_info')
    unifi.answer = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    later()
    const dark = await metrics(house)
    expect(dark).toMatch(/^plumbline_network_up\{controller="home"\} 0$/m)
    expect(dark).not.toMatch(/wan_|device|clients/)
  })

  it('are at most 300 series at 50 devices, and no secret or hostile name breaks them', async () => {
    unifi.lists.set(
      'stat/device',
      Array.from({ length: 50 }, (_, at) =>
        poisoned({
          mac: `02:00:5e:20:00:${(at + 16).toString(16)}`,
          name: `"} ${at}\\\nx{`,
          type: ['usw', 'uap', 'udm'][at % 3],
          model: 'M',
          version: '7',
          state: String(at % 12),
          uptime: '5',
          num_sta: at,
        }),
      ),
    )
    await using house = await open()
    const text = await metrics(house)
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(series.length).toBeLessThanOrEqual(300)
    expect(series.filter((line) => line.startsWith('plumbline_network_device_info'))).toHaveLength(50)
    expect(text).not.toContain(CANARY)
  })

  itInDepth('have clients where somebody wants them, up to 2,000', async () => {
    const macOf = (at: number) =>
      `00:00:5e:00:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`
    const clients = Array.from({ length: 2001 }, (_, at) => client(macOf(at), { rx_bytes: '7', tx_bytes: 8 }))
    unifi.lists.set('stat/sta', clients.slice(1))
    await using house = await open({ PLUMBLINE_NETWORK_CLIENT_METRICS: 'true' })
    const text = await metrics(house)
    expect(text).toContain(`client_receive_bytes_total{mac="${macOf(1)}"} 7\n`)
    expect(text.match(/^plumbline_network_client_info/gm)).toHaveLength(2000)
    unifi.lists.set('stat/sta', clients)
    later()
    expect(await metrics(house)).not.toContain('client_info')
  })
})

describePeers(PROMETHEUS_PROGRAMS, 'a real reader', () => {
  it('promtool has nothing to say', async () => {
    await using house = await open({ PLUMBLINE_NETWORK_CLIENT_METRICS: 'true' })
    expect(await checkMetrics(await metrics(house))).toBe('')
  })

  itInDepth('a real Prometheus scrapes the companion at its own address', async () => {
    await using house = await openTestHouse({ env: { ...env(), PLUMBLINE_NETWORK_LISTEN: '127.0.0.1:0' } })
    const target = house.house.companions()['network']!.replace('http://', '')
    const prometheus = await startPrometheus(
      `- job_name: network\n  static_configs: [{ targets: ['${target}'] }]\n`,
    )
    try {
      await expect
        .poll(() => prometheus.ask('query?query=plumbline_network_up'), { timeout: 60_000, interval: 500 })
        .toMatchObject({
          result: [{ metric: { controller: 'home', job: 'network' }, value: [expect.anything(), '1'] }],
        })
    } finally {
      await prometheus.stop()
    }
  })
})
