/** What is not known is not offered as free, over the whole house: guests nobody could read, old reservations, containers, SSH targets. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DockerApi, dockerApi } from '../fakes/lab/docker.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import {
  agentSays,
  type FakeGuest,
  PROXMOX_TOKEN,
  type ProxmoxApi,
  proxmoxApi,
} from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const BASE = '/companions/inventory/api'
const NEXT = '/ip/next?network=10.9.0.0/29'
type Body = Record<string, unknown>

let unifi: UnifiApi
let proxmox: ProxmoxApi
let docker: DockerApi
let clock: HandClock
beforeEach(async () => {
  unifi = await unifiApi()
  for (const list of ['stat/alluser', 'stat/sta', 'rest/user']) unifi.lists.set(list, [])
  proxmox = await proxmoxApi()
  docker = await dockerApi()
  docker.containers = []
  clock = handClock(Date.now())
})
afterEach(async () => {
  await unifi.close()
  await proxmox.close()
  await docker.close()
})

const open = (over: Readonly<Record<string, string>> = {}): Promise<TestHouse> =>
  openTestHouse({
    opened: false,
    clock,
    env: {
      PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
      PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
      PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
      PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
      PLUMBLINE_DOCKER_HOSTS: `box=tcp://127.0.0.1:${docker.port}`,
      ...over,
    },
  })
async function ask(house: TestHouse, path: string, status = 200): Promise<Body> {
  const answer = await house.call('GET', BASE + path)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(status)
  return answer.body
}
const card = (vmid: number): string => `virtio=BC:24:11:00:00:${vmid % 90},bridge=vmbr0`
const guest = (
  vmid: number,
  config: NonNullable<FakeGuest['config']>,
  over: Partial<FakeGuest> = {},
): FakeGuest => ({
  type: 'qemu',
  vmid,
  name: `guest${vmid}`,
  config,
  ...over,
})

it.each([500, 595])('a guest whose settings are answered with %i may have any address', async (status) => {
  proxmox.guests = [
    guest(101, { net0: card(101), ipconfig0: 'ip=10.9.0.2/29' }),
    guest(102, { net0: card(102), ipconfig0: 'ip=10.9.0.3/29' }),
  ]
  proxmox.answer = (request, response) => {
    if (request.url?.includes('/102/config') !== true) return false
    response.writeHead(status, 'no such luck').end()
    return true
  }
  await using house = await open()
  const { detail } = await ask(house, NEXT, 503)
  expect(detail).toMatch(/settings of a guest are not known: guest102 \(102/)
  const seen = await ask(house, `${NEXT}&allow_incomplete=true`)
  expect(seen).toMatchObject({ address: '10.9.0.3', complete: false, silent_guests: ['guest102'] })
  // Its number is known.
  await ask(house, '/vmid/next?node=pve1&purpose=web')
  proxmox.answer = null
  clock.pass(20 * 60_000)
  expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.4', complete: true, silent_guests: [] })
})

it('so may a template whose settings cannot be read', async () => {
  proxmox.guests = [guest(102, { net0: card(102) }, { status: 'stopped', row: { template: 1 } })]
  proxmox.answer = (request, response) => {
    if (request.url?.includes('/102/config') !== true) return false
    response.writeHead(500, 'no such luck').end()
    return true
  }
  await using house = await open()
  expect((await ask(house, NEXT, 503))['detail']).toMatch(/settings of a guest are not known: guest102 \(102/)
})

it('a number of a cluster whose list is not known is free only where the cluster itself says so', async () => {
  proxmox.guests = [guest(102, { net0: card(102) })]
  const refusing = (paths: RegExp) => {
    proxmox.answer = (request, response) => {
      if (!paths.test(request.url ?? '')) return false
      response.writeHead(500, 'no such luck').end()
      return true
    }
  }
  refusing(/resources/)
  await using house = await open()
  expect(await ask(house, '/vmid/check?vmid=103')).toMatchObject({ in_use: false, complete: false })
  expect(await ask(house, '/vmid/check?vmid=102')).toMatchObject({
    in_use: true,
    holders: [],
    complete: false,
  })
  refusing(/resources|nextid/)
  expect(await ask(house, '/vmid/check?vmid=103')).toMatchObject({ in_use: null, complete: false })
})

it('every guest with a card of which nobody tells the address is named', async () => {
  const plain = { net0: card(101) }
  proxmox.guests = [
    guest(101, plain),
    guest(102, plain, { status: 'stopped' }),
    guest(103, plain, { status: 'paused' }),
    guest(104, { net0: card(104), net1: card(105), ipconfig1: 'ip=10.9.0.2/29,ip6=fd00::2/64' }),
    guest(106, { net0: card(106), ipconfig0: 'ip=10.9.0.3/29' }),
    guest(107, { net0: card(107) }),
  ]
  unifi.lists.set('stat/sta', [{ mac: 'bc:24:11:00:00:17', ip: '10.9.0.4' }])
  await using house = await open()
  expect(await ask(house, NEXT)).toMatchObject({
    address: '10.9.0.5',
    silent_guests: ['guest101', 'guest102', 'guest103', 'guest104'],
  })
})

itInDepth(
  'what only the inside of a guest told stays its own over a restart, until the guest is gone or another one',
  async () => {
    const agent = { net0: card(101), agent: '1' }
    proxmox.guests = [guest(101, agent, { inside: agentSays('BC:24:11:00:00:11', '10.9.0.2') })]
    await using house = await open()
    expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.3', complete: true })
    proxmox.guests = [guest(101, agent, { status: 'stopped' })]
    await using again = await house.reopen()
    expect(await ask(again, NEXT)).toMatchObject({ address: '10.9.0.3', complete: true })
    // A guest that is on no list may come back.
    const { permissions } = proxmox
    proxmox.permissions = { '/vms/102': { 'VM.Audit': 1 } }
    clock.pass(60_000)
    await ask(again, NEXT, 503)
    proxmox.permissions = permissions
    await using third = await again.reopen()
    expect(await ask(third, NEXT)).toMatchObject({ address: '10.9.0.3' })
    // Another guest of the same number.
    proxmox.guests = [guest(101, { net0: card(102), agent: '1' }, { status: 'stopped' })]
    await using fourth = await third.reopen()
    expect(await ask(fourth, NEXT)).toMatchObject({ address: '10.9.0.2', silent_guests: ['guest101'] })
  },
)

it('an address that a machine still runs with is its own over our restart, until it is started anew', async () => {
  const HOUR = 3_600_000
  const now = (address: string, uptime: number, over: Partial<FakeGuest> = {}) => [
    guest(101, { net0: card(101), ipconfig0: `ip=${address}/29` }, { uptime, ...over }),
  ]
  proxmox.guests = now('10.9.0.2', 3600)
  await using house = await open()
  expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.3', complete: true })
  // Settings of a virtual machine hold from its next start on.
  proxmox.guests = now('10.9.0.6', 7200)
  clock.pass(HOUR)
  expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.3' })
  // Its node does not answer for a while.
  proxmox.guests = now('10.9.0.6', 0, { row: { status: 'unknown', uptime: undefined } })
  clock.pass(60_000)
  expect(await ask(house, `${NEXT}&allow_incomplete=true`)).toMatchObject({ address: '10.9.0.3' })
  await using again = await house.reopen()
  proxmox.guests = now('10.9.0.6', 7300)
  clock.pass(60_000)
  expect(await ask(again, NEXT)).toMatchObject({ address: '10.9.0.3', complete: true })
  // Started anew while nobody looked, and for longer than it ran before.
  proxmox.guests = now('10.9.0.6', 9000)
  clock.pass(5 * HOUR)
  await using third = await again.reopen()
  expect(await ask(third, NEXT)).toMatchObject({ address: '10.9.0.2', complete: true })
})

it('a reservation of a client that was not seen for months is in use, and an orphan', async () => {
  unifi.lists.set('rest/user', [
    { _id: 'a', mac: '02:00:00:00:00:99', name: 'old', use_fixedip: true, fixed_ip: '10.9.0.2' },
    { _id: 'b', mac: '02:00:00:00:00:98', name: 'none' },
  ])
  await using house = await open()
  expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.3' })
  expect(await ask(house, '/orphans')).toMatchObject({
    orphans: [{ kind: 'reservation_without_asset', id: '02:00:00:00:00:99' }],
  })
})

it('reservations that the controller does not tell are not none', async () => {
  unifi.lists.delete('rest/user')
  await using house = await open()
  await ask(house, NEXT, 503)
})

it('addresses of containers and of listed SSH targets are in use, also of one that is stopped', async () => {
  docker.containers = [
    {
      Id: 'a'.repeat(64),
      Names: ['/dns'],
      State: 'running',
      NetworkSettings: { Networks: { lan: { IPAddress: '10.9.0.2' } } },
    },
    {
      Id: 'b'.repeat(64),
      Names: ['/old'],
      State: 'exited',
      NetworkSettings: { Networks: { lan: { IPAddress: '', IPAMConfig: { IPv4Address: '10.9.0.3' } } } },
    },
  ]
  await using house = await open({ PLUMBLINE_SSH_TARGETS: 'nas=admin@10.9.0.4:22' })
  expect(await ask(house, NEXT)).toMatchObject({ address: '10.9.0.5' })
  expect(await ask(house, '/conflicts')).toMatchObject({ ok: true, ip: [] })
})

it.each([
  ['10.{node}.0.{vmid-1400}/24', '10.1.0.0/24'],
  ['10.{node}.{purpose}.{sequence-1}/24', '10.1.4.0/24'],
])('the network of a node and a purpose is found by %s', async (template, network) => {
  await using house = await open({ PLUMBLINE_VMID_IP: template })
  expect(await ask(house, '/ip/next?node=pve1&purpose=web')).toMatchObject({ network })
})

it('what is offered with a number is what is offered as an address, held with it, and in use for every question alike', async () => {
  proxmox.guests = [guest(1402, { net0: card(1402), ipconfig0: 'ip=10.9.0.4/29' })]
  await using house = await open({
    PLUMBLINE_VMID_IP: '10.9.0.{sequence}/29',
    PLUMBLINE_SSH_TARGETS: 'nas=admin@10.9.0.3:22,own=admin@10.9.0.4:22',
  })
  const suggested = await ask(house, '/vmid/suggest?node=pve1&purpose=web&count=4')
  // The first is the gateway's, the third the SSH target's, the fourth is in use by another guest.
  expect(suggested).toMatchObject({
    suggestions: [
      { vmid: 1401, address: null },
      { vmid: 1403, address: null },
      { vmid: 1404, address: null },
      { vmid: 1405, address: '10.9.0.5' },
    ],
  })
  expect(await ask(house, '/vmid/calculate-ip?vmid=1403')).toMatchObject({
    address: '10.9.0.3',
    in_use: true,
  })
  expect(await ask(house, '/vmid/validate-ip?vmid=1403&ip=10.9.0.3')).toMatchObject({
    valid: false,
    problems: [{ code: 'in_use', message: 'nas has it.' }],
  })
  // The target that a guest is itself is nobody else.
  expect(await ask(house, '/vmid/validate-ip?vmid=1402&ip=10.9.0.4')).toMatchObject({
    problems: [{ code: 'not_by_scheme' }],
  })

  const held = await ask(house, '/vmid/suggest?node=pve1&purpose=web&count=4&hold=300')
  expect(held).toEqual(suggested)
  expect(await ask(house, `${NEXT}&hold=300`)).toMatchObject({ address: '10.9.0.2' })
  expect(await ask(house, `${NEXT}&hold=300`)).toMatchObject({ address: '10.9.0.6' })
})

it('no address goes with a number while not all that are in use are known', async () => {
  unifi.lists.delete('rest/user')
  await using house = await open()
  const path = '/vmid/next?node=pve1&purpose=web'
  expect(await ask(house, path)).toMatchObject({ vmid: 1401, address: null, complete: true })
  expect(await ask(house, `${path}&allow_incomplete=true`)).toMatchObject({ address: '10.1.4.101' })
})
