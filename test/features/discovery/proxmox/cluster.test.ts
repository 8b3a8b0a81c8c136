/** A Proxmox VE cluster over real HTTP: whose guests it has, where they are reached, and what keeps that from being known. */
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { type OpenCluster, proxmoxCluster } from '../../../../src/features/discovery/proxmox/cluster.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import {
  agentSays,
  type FakeGuest,
  PROXMOX_TOKEN,
  type ProxmoxApi,
  proxmoxApi,
} from '../../../fakes/proxmox/proxmox.ts'
import { guestsInMemory } from '../../../fakes/proxmox/guest-memory.ts'
import { type HandClock, handClock } from '../../../fakes/hand-clock.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

interface Opened {
  readonly api: ProxmoxApi
  readonly cluster: OpenCluster
  readonly clock: HandClock
}

async function open(guests: readonly FakeGuest[], token = PROXMOX_TOKEN): Promise<Opened> {
  const api = await proxmoxApi()
  api.guests = [...guests]
  const clock = handClock()
  const http = createHttpClient({ clock })
  const cluster = proxmoxCluster({
    name: 'lab',
    base: api.base,
    token: new Secret(token),
    http,
    clock,
    memory: guestsInMemory(),
  })
  opened.push(api, http, cluster)
  return { api, cluster, clock }
}

const signal = () => AbortSignal.timeout(60_000)
const look = ({ cluster }: Opened) => cluster.look(signal())
const detailOf = async (at: Opened): Promise<string> => {
  const seen = await look(at)
  return seen.known ? 'known' : `${seen.reason}: ${seen.detail}`
}
const onlyGuest = async (guest: Partial<FakeGuest>) => {
  const at = await open([{ type: 'qemu', vmid: 101, name: 'web', ...guest }])
  const seen = await look(at)
  if (!seen.known) throw new Error(seen.detail)
  return seen.state.guests[0]
}

const MAC = 'BC:24:11:00:00:01'
const NET = `virtio=${MAC},bridge=vmbr0,tag=20,firewall=1`

describe('where a guest is reached', () => {
  it.each<[what: string, Partial<FakeGuest>, read: object]>([
    [
      'by what cloud-init was given',
      { config: { net0: NET, ipconfig0: 'ip=192.0.2.30/24,gw=192.0.2.1' } },
      { addresses: ['192.0.2.30'], macs: [MAC.toLowerCase()], detail: null },
    ],
    [
      'by its agent, and only by its own cards',
      { config: { net0: NET, agent: '1,fstrim_cloned_disks=1' }, inside: agentSays(MAC, '192.0.2.31') },
      { addresses: ['192.0.2.31'], detail: null },
    ],
    [
      'by its agent, whose setting is a number',
      { config: { net0: NET, agent: 1 }, inside: agentSays(MAC, '192.0.2.31') },
      { addresses: ['192.0.2.31'] },
    ],
    [
      'by the fixed address of a container',
      {
        type: 'lxc',
        config: { net0: `name=eth0,bridge=vmbr0,hwaddr=${MAC},ip=192.0.2.32/24,gw=192.0.2.1,type=veth` },
      },
      { id: 'lxc/101', kind: 'lxc', addresses: ['192.0.2.32'], macs: [MAC.toLowerCase()], detail: null },
    ],
    [
      'by what a container got by DHCP, in the old form',
      {
        type: 'lxc',
        config: { net0: `name=eth0,bridge=vmbr0,hwaddr=${MAC},ip=dhcp,type=veth` },
        inside: [{ name: 'eth0', hwaddr: MAC.toLowerCase(), inet: '192.0.2.33/24', inet6: 'fe80::1/64' }],
      },
      { addresses: ['192.0.2.33'], detail: null },
    ],
    [
      'and in the new one',
      {
        type: 'lxc',
        config: { net0: `name=eth0,bridge=vmbr0,hwaddr=${MAC},ip=dhcp,type=veth` },
        inside: agentSays(MAC, '192.0.2.34'),
      },
      { addresses: ['192.0.2.34'] },
    ],
    [
      'not known without an agent',
      { config: { net0: NET } },
      { addresses: [], detail: expect.stringContaining('no guest agent') },
    ],
    [
      'not known while the agent does not run, in the words of the status line',
      { config: { net0: NET, agent: '1' } },
      { addresses: [], detail: expect.stringContaining('QEMU guest agent is not running') },
    ],
    [
      'not known where the agent tells nonsense',
      { config: { net0: NET, agent: '1' }, inside: {} },
      { addresses: [], detail: expect.stringContaining('cannot be read') },
    ],
    [
      'by its setting while its agent is silent',
      { config: { net0: NET, agent: '1', ipconfig0: 'ip=192.0.2.30/24' } },
      { addresses: ['192.0.2.30'] },
    ],
    [
      'by its setting while it is stopped, and the agent is not asked',
      { status: 'stopped', config: { net0: NET, agent: '1', ipconfig0: 'ip=192.0.2.30/24' } },
      { state: 'stopped', addresses: ['192.0.2.30'], detail: null },
    ],
  ])('%s', async (_what, guest, read) => expect(await onlyGuest(guest)).toMatchObject(read))
})

describe('the list', () => {
  it('takes what is odd as it is meant, leaves templates out, and counts what it cannot read', async () => {
    const at = await open([
      { type: 'qemu', vmid: 101, name: 'web', row: { tags: 'prod;web' } },
      { type: 'lxc', vmid: 200, name: '', row: { status: 'levitating' } },
      { type: 'qemu', vmid: 9000, name: 'debian-12', row: { template: '1' } },
      { type: 'qemu', vmid: 102, name: 'broken', row: { vmid: 'x' } },
      { type: 'qemu', vmid: 103, name: 'storage', row: { type: 'storage' } },
    ])
    expect(await look(at)).toMatchObject({
      known: true,
      state: {
        version: '9.1.3',
        unreadable: 1,
        missing: null,
        guests: [
          { name: 'CT 200', vmid: 200, state: 'unknown' },
          { name: 'web', vmid: 101, tags: ['prod', 'web'] },
        ],
      },
    })
  })

  it('an empty one without the right to see guests is a refusal, never "no guests"', async () => {
    const at = await open([{ type: 'qemu', vmid: 101, name: 'web' }])
    at.api.permissions = { '/access': { 'User.Modify': 1 } }
    expect(await detailOf(at)).toMatch(/^refused: lab: it shows no guests, .*VM\.Audit.*PVEAuditor/)
    at.api.permissions = { '/': { 'VM.Audit': 0 } }
    expect(await detailOf(at)).toMatch(/^refused/)
  })

  it('an empty one with that right is empty', async () => {
    expect(await look(await open([]))).toMatchObject({ known: true, state: { guests: [], missing: null } })
  })

  it('one of which the token sees a part says so', async () => {
    const at = await open([
      { type: 'qemu', vmid: 101, name: 'web' },
      { type: 'qemu', vmid: 102, name: 'hidden' },
    ])
    at.api.permissions = { '/vms/101': { 'VM.Audit': 1 } }
    expect(await look(at)).toMatchObject({
      state: { guests: [{ name: 'web' }], missing: expect.stringContaining('only for /vms/101') },
    })
  })
})

describe('trouble', () => {
  it('a token that is not accepted is told, never repeated, and tried again only after a minute', async () => {
    const at = await open([], 'monitor@pve!plumbline=canary-wrong')
    const said = await detailOf(at)
    expect(said).toMatch(/^refused: lab: \/version .*401 \(invalid token value!\); the token is not accepted/)
    expect(said).not.toContain('canary')
    expect(await detailOf(at)).toMatch(/within a minute/)
    expect(at.api.asked).toHaveLength(1)
    at.clock.pass(60_001)
    await look(at)
    expect(at.api.asked).toHaveLength(2)
  })

  it.each<[string, number, string, string, RegExp]>([
    ['HTML with 200', 200, 'OK', '<html>', /^unreadable: .*something else than JSON/],
    ['no data', 200, 'OK', '{}', /^unreadable/],
    ['another API', 200, 'OK', '{"data":{}}', /^unreadable: .*not a Proxmox VE API/],
    ['a redirect', 302, 'Found', '', /^unreadable: .*302 \(Found\)/],
    ['a wrong parameter', 400, 'Parameter verification failed.', '{"errors":{"type":"no"}}', /type: no/],
    ['a proxy without a node', 596, 'Broken pipe', '', /^unreachable: .*596 \(Broken pipe\)/],
    ['a status line with an escape', 500, 'a\u001b[31mb', '', /^unreachable: .*a \[31mb/],
  ])('%s', async (_what, status, reason, body, words) => {
    const at = await open([])
    at.api.answer = (request, response) => {
      // Written by hand: a server's library refuses what a hostile one sends.
      response.socket?.end(
        `HTTP/1.1 ${status} ${reason}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
      return request.method === 'GET'
    }
    expect(await detailOf(at)).toMatch(words)
  })

  it('a list that is none', async () => {
    const at = await open([])
    at.api.answer = (request, response) => {
      if (!request.url!.includes('resources')) return false
      response.end('{"data":{"a":1}}')
      return true
    }
    expect(await detailOf(at)).toMatch(/^unreadable: .*not what Proxmox VE promises/)
  })

  it('a node that is silent costs one question, and the guests of others are known', async () => {
    const at = await open([
      ...Array.from({ length: 40 }, (_, i) => ({
        type: 'qemu' as const,
        vmid: 200 + i,
        name: `z${i}`,
        node: 'pve2',
        row: { status: 'unknown' },
      })),
      { type: 'qemu', vmid: 101, name: 'web', config: { net0: NET, ipconfig0: 'ip=192.0.2.30/24' } },
    ])
    at.api.silent_nodes.add('pve2')
    const seen = await look(at)
    const all = seen.known ? seen.state.guests : []
    expect(all.find(({ name }) => name === 'web')).toMatchObject({ addresses: ['192.0.2.30'] })
    expect(all.find(({ name }) => name === 'z39')).toMatchObject({
      state: 'unknown',
      detail: expect.stringMatching(/node/),
    })
    expect(at.api.asked.filter((line) => line.includes('pve2')).length).toBeLessThan(12)
  })

  it('an agent that hangs keeps nobody: the look comes with the rest, and few are asked at once', async () => {
    const at = await open(
      Array.from({ length: 30 }, (_, i) => ({
        type: 'qemu' as const,
        vmid: 101 + i,
        name: `a${i}`,
        config: { net0: NET, agent: '1', ipconfig0: i === 29 ? 'ip=192.0.2.30/24' : 'ip=dhcp' },
        inside: 'hang',
      })),
    )
    const seen = look(at)
    await expect.poll(() => at.api.agents_at_once()).toBe(2)
    at.clock.pass(3000)
    expect(await seen).toMatchObject({ known: true })
    expect(at.api.agents_at_once()).toBe(2)
  })

  it('the signal ends a look, and closing ends what goes on behind it', async () => {
    const at = await open([
      { type: 'qemu', vmid: 101, name: 'web', config: { net0: NET, agent: '1' }, inside: 'hang' },
    ])
    const stop = new AbortController()
    const seen = at.cluster.look(stop.signal)
    await expect.poll(() => at.api.agents_at_once()).toBe(1)
    stop.abort(new Error('enough'))
    await expect(seen).rejects.toThrow('enough')
    await at.cluster.close()
  })
})

describe('what was read is kept', () => {
  it('for some minutes, but not over a restart; a guest that stops keeps the addresses that it had', async () => {
    const guest: FakeGuest = {
      type: 'qemu',
      vmid: 101,
      name: 'web',
      config: { net0: NET, agent: '1' },
      inside: agentSays(MAC, '192.0.2.31'),
    }
    const at = await open([guest])
    const asked = () => at.api.asked.filter((line) => line.includes('/qemu/101/')).length
    await look(at)
    await look(at)
    expect(asked()).toBe(2)
    at.api.guests = [{ ...guest, uptime: 5, inside: agentSays(MAC, '192.0.2.77') }]
    expect(await look(at)).toMatchObject({ state: { guests: [{ addresses: ['192.0.2.77'] }] } })
    at.api.guests = [{ ...guest, status: 'stopped', uptime: 0 }]
    expect(await look(at)).toMatchObject({
      state: { guests: [{ state: 'stopped', addresses: ['192.0.2.77'] }] },
    })
    const before = asked()
    at.clock.pass(5 * 60_000)
    await look(at)
    expect(asked()).toBe(before + 1)
  })
})
