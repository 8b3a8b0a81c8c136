/** Container hosts, clusters and controllers that answer every field with what no field should hold: the views stay, in their shape. */
import { expect, it } from 'vitest'
import { aContainer, dockerApi } from '../fakes/lab/docker.ts'
import { UNIFI_KEY, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { describedClient } from './described.ts'
import { create, openTestHouse } from './test-house.ts'

const ODD: readonly unknown[] = [
  1e300,
  -1e300,
  0.5,
  '9'.repeat(400),
  '1e999',
  9e15,
  -1,
  true,
  null,
  '',
  'x'.repeat(100_000),
  '\u0000\ud800',
  '{{ env "X" }}',
  '__proto__',
  [],
  [null],
  [['x']],
  {},
  { length: 3 },
]

type Row = Readonly<Record<string, unknown>>

/** One row for each field and each value that it should not hold. */
const spoilt = (row: Row, fields: readonly string[] = []): Row[] =>
  [...new Set([...Object.keys(row), ...fields])].flatMap((name) =>
    ODD.map((value) => ({ ...row, [name]: value })),
  )

/** Each has an address of its own, or they would be one. */
const macOf = (i: number): string =>
  `02:00:5e:99:${[i >> 8, i & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`

const VIEWS = [
  '/api/discover',
  '/api/discover/hubA',
  '/api/discover/homelab',
  '/api/network/summary',
  '/api/network/lan-hosts',
  '/network',
  '/api/control-plane/health?probe=true',
]

it('every view is answered as it is described', async () => {
  const docker = await dockerApi()
  const unifi = await unifiApi()
  const proxmox = await proxmoxApi()
  try {
    let macs = 0
    for (const [name, rows] of unifi.lists) {
      const all = spoilt((rows[0] ?? {}) as Row, ['last_ip', 'fixed_ip', 'use_fixedip', 'wan_ip', 'num_user'])
      const own = all.map((row) => (typeof row['mac'] === 'string' ? { ...row, mac: macOf(macs++) } : row))
      unifi.lists.set(name, [...rows, ...own])
    }
    docker.containers = spoilt(aContainer('odd'))
    proxmox.guests = ODD.map((value, i) => ({
      type: 'qemu',
      vmid: 100 + i,
      name: `g${i}`,
      config: { net0: value, agent: value, tags: value, ipconfig0: value },
      inside: i % 2 === 0 ? value : [{ name: value, 'hardware-address': value, 'ip-addresses': value }],
      row: { uptime: value, tags: value, status: value, template: value },
    }))
    const env = {
      PLUMBLINE_DOCKER_HOSTS: `hub=tcp://127.0.0.1:${docker.port}@192.168.1.10`,
      PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
      PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
      PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
      PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
    }
    await using at = await openTestHouse({ env })
    await create(at.call, { backend_host: '192.168.1.50' })
    const call = await describedClient(at.call)
    for (const path of VIEWS) {
      const { status, body } = await call('GET', path)
      const { sources = [] } = body as {
        sources?: readonly { known: boolean | null; detail: string | null }[]
      }
      for (const { known, detail } of sources) expect(known, `${path} ${detail}`).toBe(true)
      expect(status, `${path} ${JSON.stringify(body).slice(0, 500)}`).toBe(200)
    }
  } finally {
    await docker.close()
    await unifi.close()
    await proxmox.close()
  }
})
