/** Discovery and network views over the whole house, with Docker over a real unix socket and UniFi over real HTTP. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aContainer, type DockerApi, dockerApi } from '../fakes/lab/docker.ts'
import { agentSays, PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import type { Answered } from './client.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'
import { byTier } from '../kit/tier.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let docker: DockerApi
let unifi: UnifiApi
let proxmox: ProxmoxApi
let socket_path: string

beforeEach(async () => {
  directory = newFolder('lab')
  socket_path = join(directory, 'docker.sock')
  docker = await dockerApi({ socket_path })
  unifi = await unifiApi()
  proxmox = await proxmoxApi()
})
afterEach(async () => {
  await docker.close()
  await unifi.close()
  await proxmox.close()
})

const env = () => ({
  PLUMBLINE_DOCKER_HOSTS: `hub=unix:${socket_path}@192.168.1.10`,
  PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
  PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
})
const withProxmox = () => ({
  ...env(),
  PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
  PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
})
const bodyOf = async (at: TestHouse, path: string) => {
  const answer = await at.call('GET', path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as Record<string, unknown> as {
    complete: boolean | null
    sources: {
      kind: string
      configured: boolean
      known: boolean | null
      detail: string | null
      count: number
    }[]
    containers: { name: string; domains: { domain: string; by: string }[] }[] | null
    clients: { name: string; domains: { domain: string; by: string }[] }[] | null
    guests: { name: string; addresses: string[]; domains: { domain: string; by: string }[] }[] | null
    not_exposed:
      | {
          source: string
          name: string
          likelihood: string
          suggestion: { body: object; assumed: string[] } | null
        }[]
      | null
    points_at_nothing: { domain: string; reason: string; held_by: object | null }[] | null
    not_judged: number | null
  }
}

const textOf = ({ body }: Answered): string => body as unknown as string

describe('discovery', () => {
  it('matches what runs to the domains, says what is not exposed and what points at nothing', async () => {
    docker.containers = [
      aContainer('app', {
        Ports: [
          { IP: '0.0.0.0', PrivatePort: 8080, PublicPort: 18080, Type: 'tcp' },
          { IP: '::', PrivatePort: 8080, PublicPort: 18080, Type: 'tcp' },
        ],
        Status: 'Up 2 hours (healthy)',
      }),
      aContainer('wiki', {
        Ports: [{ IP: '0.0.0.0', PrivatePort: 3000, PublicPort: 13000, Type: 'tcp' }],
        Labels: { 'traefik.http.routers.wiki.rule': 'Host(`wiki.example.org`)' },
      }),
      aContainer('old', { State: 'exited', Ports: [], NetworkSettings: { Networks: {} } }),
    ]
    await using at = await openTestHouse({ env: env() })
    await create(at.call, { domain: 'app.example.com', backend_host: '192.168.1.10', backend_port: 18080 })
    await create(at.call, { domain: 'printer.example.com', backend_host: '192.168.1.50', backend_port: 80 })
    await create(at.call, { domain: 'gone.example.com', backend_host: '192.168.1.77', backend_port: 80 })
    await create(at.call, { domain: 'nas.example.com', backend_host: '192.168.1.9', backend_port: 80 })
    await create(at.call, { domain: 'old.example.com', backend_host: 'old', backend_port: 80 })
    await create(at.call, { domain: 'typo.example.com', backend_host: 'wikki', backend_port: 80 })
    await create(at.call, { domain: 'far.example.com', backend_host: '203.0.113.9', backend_port: 80 })
    const found = await bodyOf(at, '/api/discover')
    expect(found).toMatchObject({ complete: true, not_judged: 1 })
    expect(found.containers?.find(({ name }) => name === 'app')).toMatchObject({
      health: 'healthy',
      domains: [{ domain: 'app.example.com', by: 'address_port' }],
    })
    expect(found.clients?.find(({ name }) => name === 'printer')).toMatchObject({
      wired: true,
      vlan: 1,
      online: true,
      domains: [{ domain: 'printer.example.com', by: 'address' }],
    })
    const reasons = Object.fromEntries(found.points_at_nothing!.map(({ domain, reason }) => [domain, reason]))
    expect(reasons).toEqual({
      'gone.example.com': 'no_such_address',
      'nas.example.com': 'offline',
      'old.example.com': 'not_running',
      'typo.example.com': 'no_such_container',
    })
    expect(found.not_exposed!.map(({ name }) => name).toSorted()).toEqual(['phone', 'wiki'])
    const wiki = found.not_exposed!.find(({ name }) => name === 'wiki')!.suggestion!
    expect(wiki).toMatchObject({
      body: { domain: 'wiki.example.org', backend_host: '192.168.1.10' },
      assumed: [],
    })
    const made = await at.call('POST', '/api/domains', { body: wiki.body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const after = await bodyOf(at, '/api/discover/hubA')
    expect(after.not_exposed).toEqual([])
    expect('clients' in after).toBe(false)
    expect((await bodyOf(at, '/api/discover/homelab')).clients).toHaveLength(5)
  })

  itInDepth(
    'guests are matched by address, also by one that only the network knows, and a stopped one is named',
    async () => {
      const card = (mac: string) => ({ net0: `virtio=${mac},bridge=vmbr0`, agent: '1' })
      proxmox.guests = [
        {
          type: 'qemu',
          vmid: 101,
          name: 'web',
          config: card('BC:24:11:00:00:01'),
          inside: agentSays('BC:24:11:00:00:01', '192.168.1.30'),
        },
        { type: 'qemu', vmid: 102, name: 'media', config: card('02:00:5E:10:00:02') },
        {
          type: 'lxc',
          vmid: 200,
          name: 'wiki',
          status: 'stopped',
          config: { net0: 'name=eth0,hwaddr=BC:24:11:00:00:03,ip=192.168.1.31/24' },
        },
        {
          type: 'lxc',
          vmid: 201,
          name: 'git',
          config: { net0: 'name=eth0,hwaddr=BC:24:11:00:00:04,ip=192.168.1.32/24' },
        },
      ]
      await using at = await openTestHouse({ env: withProxmox() })
      await create(at.call, { domain: 'web.example.com', backend_host: '192.168.1.30', backend_port: 80 })
      await create(at.call, { domain: 'wiki.example.com', backend_host: '192.168.1.31', backend_port: 80 })
      const found = await bodyOf(at, '/api/discover')
      const guest = (name: string) => found.guests!.find((one) => one.name === name)
      expect(guest('web')).toMatchObject({
        cluster: 'lab',
        domains: [{ domain: 'web.example.com', by: 'address' }],
      })
      expect(guest('media'), 'the controller knows its card').toMatchObject({ addresses: ['192.168.1.61'] })
      expect(found.points_at_nothing).toEqual([
        expect.objectContaining({
          domain: 'wiki.example.com',
          reason: 'not_running',
          held_by: { source: 'proxmox', at: 'lab', name: 'wiki' },
        }),
      ])
      expect(
        found.not_exposed!.map(({ source, name, likelihood }) => [source, name, likelihood]),
        'the phone is the guest, and is told once',
      ).toEqual([
        ['proxmox', 'git', 'medium'],
        ['proxmox', 'media', 'medium'],
        ['unifi', 'printer', 'medium'],
      ])
      const { suggestion } = found.not_exposed![0]!
      expect(suggestion).toMatchObject({ body: { domain: 'git.example.com', backend_host: '192.168.1.32' } })
      expect((await at.call('POST', '/api/domains', { body: suggestion!.body })).status).toBe(201)
    },
  )

  itInDepth(
    'a token that sees no guests is a source that is unknown, and the token appears nowhere',
    async () => {
      proxmox.permissions = {}
      proxmox.guests = [{ type: 'qemu', vmid: 101, name: 'web' }]
      await using at = await openTestHouse({ env: withProxmox() })
      const found = await bodyOf(at, '/api/discover')
      expect(found).toMatchObject({ complete: false, guests: null, points_at_nothing: null })
      const [, source] = found.sources
      expect(source).toMatchObject({ kind: 'proxmox', known: false, reason: 'refused' })
      expect(source!.detail).toMatch(/lab: it shows no guests, .*VM\.Audit/)
      expect(JSON.stringify(found)).not.toContain('canary')
    },
  )

  itInDepth('2,000 guests are read within a look, and matched', async () => {
    proxmox.guests = Array.from({ length: 2000 }, (_, i) => ({
      type: i % 2 === 0 ? 'qemu' : 'lxc',
      vmid: 100 + i,
      name: `g${i}`,
      node: `pve${i % 5}`,
      config: { net0: 'name=eth0,hwaddr=BC:24:11:00:00:01', ipconfig0: `ip=10.7.${i >> 8}.${i & 255}/16` },
    }))
    await using at = await openTestHouse({ env: withProxmox() })
    await create(at.call, { domain: 'g7.example.com', backend_host: '10.7.0.7', backend_port: 80 })
    await expect
      .poll(async () => {
        const { guests } = await bodyOf(at, '/api/discover')
        return [guests!.length, guests!.filter(({ domains }) => domains.length === 1).map(({ name }) => name)]
      })
      .toEqual([2000, ['g7']])
  })

  itInDepth('an event of the host brings the next look forward', async () => {
    await using at = await openTestHouse({ env: env() })
    expect((await bodyOf(at, '/api/discover/hubA')).containers).toEqual([])
    await expect.poll(() => docker.listeners()).toBe(1)
    docker.containers = [aContainer('app')]
    docker.tell()
    await expect.poll(async () => (await bodyOf(at, '/api/discover/hubA')).containers?.length).toBe(1)
  })

  it('what is not configured says so, and nothing is called empty', async () => {
    await using at = await openTestHouse({ opened: false })
    const found = await bodyOf(at, '/api/discover')
    expect(found).toMatchObject({
      complete: null,
      containers: null,
      clients: null,
      not_exposed: null,
      points_at_nothing: null,
    })
    expect(found.sources.map(({ configured }) => configured)).toEqual([false, false, false])
    const summary = await at.call('GET', '/api/network/summary')
    expect(summary.body).toMatchObject({ configured: false, complete: null, sites: null })
  })

  it('while a source is unknown it says which and why, and no domain is said to point at nothing', async () => {
    docker.answer = (_request, response) => void response.writeHead(502).end('<html>bad gateway</html>')
    await using at = await openTestHouse({ env: env() })
    await create(at.call, { domain: 'gone.example.com', backend_host: '192.168.1.77', backend_port: 80 })
    const found = await bodyOf(at, '/api/discover')
    expect(found).toMatchObject({
      complete: false,
      containers: null,
      points_at_nothing: null,
      not_judged: null,
    })
    expect(found.clients).toHaveLength(5)
    expect(found.sources[0]).toMatchObject({ known: false, reason: 'unreadable' })
    expect(found.sources[0]!.detail).toMatch(/hub.*502.*PLUMBLINE_DOCKER_HOSTS/)
  })

  itInDepth('thousands of containers and clients are matched to hundreds of domains', async () => {
    const [containers, clients, names] = byTier([1000, 2000, 200], [5000, 10_000, 1000])
    docker.containers = Array.from({ length: containers }, (_, i) =>
      aContainer(`c${i}`, {
        Ports: [{ IP: '0.0.0.0', PrivatePort: 8080, PublicPort: 10_000 + i, Type: 'tcp' }],
        NetworkSettings: {
          Networks: { proxy: { IPAddress: `10.9.${i >> 8}.${i & 255}`, DNSNames: [`c${i}`] } },
        },
      }),
    )
    unifi.lists.set(
      'stat/sta',
      Array.from({ length: clients }, (_, i) => ({
        mac: `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`,
        ip: `10.8.${i >> 8}.${i & 255}`,
        hostname: `h${i}`,
      })),
    )
    await using at = await openTestHouse({ env: env() })
    const domains = Array.from({ length: names }, (_, i) => ({
      domain: `d${i}.example.com`,
      service_type: 'http',
      environment: 'production',
      backend_host: i % 2 === 0 ? '192.168.1.10' : `10.8.0.${i % 256}`,
      backend_port: 10_000 + i,
    }))
    const estate = await at.call('POST', '/api/estate', { body: { domains } })
    expect(estate.status, JSON.stringify(estate.body).slice(0, 500)).toBe(200)
    const found = await bodyOf(at, '/api/discover')
    expect([found.containers?.length, found.clients?.length]).toEqual([containers, clients + 4])
    expect(found.containers!.filter(({ domains: all }) => all.length > 0)).toHaveLength(names / 2)
    const page = await at.call('GET', '/network')
    expect(textOf(page)).toContain('more, at /api/network/lan-hosts')
  })
})

describeInDepth('network views', () => {
  it('count what there is, per site', async () => {
    unifi.sites.push({ _id: '60', name: 'x7k2', desc: 'Office' })
    unifi.lists.set('x7k2/stat/sta', [])
    unifi.lists.set('x7k2/stat/health', [{ subsystem: 'wan', status: 'error', wan_ip: '' }])
    await using at = await openTestHouse({ env: env() })
    const { body } = await at.call('GET', '/api/network/summary', { key: null })
    expect(body).toMatchObject({
      configured: true,
      complete: true,
      sites: [
        {
          site: 'default',
          label: 'Home',
          wan: [{ name: 'wan', status: 'ok', address: '198.51.100.7', latency_ms: 12, uptime_s: 86_400 }],
          vpn: { status: 'ok', active: 3 },
          clients: { online: 2, wired: 1, wireless: 1, guest: 0, known: 3 },
          devices: { total: 2, offline: 1 },
        },
        {
          site: 'x7k2',
          label: 'Office',
          wan: [{ status: 'error', address: null }],
          vpn: { status: null, active: null },
          clients: { online: 0 },
        },
      ],
    })
  })

  it('say what is forwarded from the internet, and which of it nothing explains', async () => {
    unifi.lists.set('v2/firewall/zone', [
      { _id: 'z1', name: 'External', zone_key: 'external' },
      { _id: 'z2', name: 'Internal', zone_key: 'internal' },
    ])
    unifi.lists.set('v2/firewall-policies', [
      {
        name: 'IPv6 to the NAS',
        enabled: true,
        action: 'ALLOW',
        predefined: false,
        source: { zone_id: 'z1' },
        destination: { zone_id: 'z2', port: '5001', port_matching_type: 'SPECIFIC' },
      },
      {
        name: 'Block All',
        enabled: true,
        action: 'BLOCK',
        predefined: true,
        source: { zone_id: 'z1' },
        destination: { zone_id: 'z2' },
      },
    ])
    await using at = await openTestHouse({ env: { ...env(), PLUMBLINE_RESOLVER_ADDRESS: '192.168.1.10' } })
    const inbound = async () => {
      const { body } = await at.call('GET', '/api/network/summary', { key: null })
      return (body as unknown as { sites: { inbound: Record<string, unknown> }[] }).sites[0]!.inbound
    }
    expect(await inbound()).toMatchObject({
      has_gateway: true,
      detail: null,
      forwards: [
        { name: 'https', ports: '80,443', to_address: '192.168.1.10', explained: true },
        { name: 'printer', ports: '9100', to_name: 'printer', protocol: 'tcp_udp', explained: false },
      ],
      rules: [{ name: 'IPv6 to the NAS', lets_in: true, to: 'internal', ports: '5001' }],
      proxy: [
        { port: 80, reaches: true },
        { port: 443, reaches: true },
      ],
    })
    await create(at.call, { domain: 'printer.example.com', backend_host: '192.168.1.50', backend_port: 9100 })
    expect(await inbound()).toMatchObject({
      forwards: [{}, { name: 'printer', explained: true, domains: ['printer.example.com'] }],
    })
    const page = textOf(await at.call('GET', '/network', { key: null }))
    expect(page).toContain('leads to the proxy')
    expect(page).toContain('IPv6 to the NAS')
  })

  it('list the devices of one site, and those that are there', async () => {
    await using at = await openTestHouse({ env: env() })
    const hosts = async (query: string) => {
      const answer = await at.call('GET', `/api/network/lan-hosts${query}`, { key: null })
      return [
        answer.status,
        (answer.body['hosts'] as unknown as { name: string }[] | undefined)?.map(({ name }) => name),
      ]
    }
    expect(await hosts('')).toEqual([200, ['Attic', 'Gateway', 'old-nas', 'phone', 'printer']])
    expect(await hosts('?online_only=true')).toEqual([200, ['Gateway', 'phone', 'printer']])
    expect(await hosts('?site=Home&online_only=true')).toEqual([200, ['Gateway', 'phone', 'printer']])
    expect(await hosts('?site=Hoem')).toEqual([422, undefined])
    expect(await hosts('?online_only=yes')).toEqual([422, undefined])
    const refused = await at.call('GET', '/api/network/lan-hosts?site=Hoem')
    expect(JSON.stringify(refused.body)).toContain('Did you mean')
  })

  it('are a page that escapes whatever a client calls itself, and allows no script', async () => {
    const name = `<script>alert("x")</script>' onmouseover="y`
    unifi.lists.set('stat/sta', [{ mac: '02:00:5e:10:00:09', ip: '192.168.1.80', name, oui: '&amp;' }])
    await using at = await openTestHouse({ env: env() })
    const page = await at.call('GET', '/network', { key: null })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const text = textOf(page)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('onmouseover="')
    expect(text).toContain('&lt;script&gt;')
    expect(text).toContain('&amp;amp;')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('say what is unknown, and the credential appears nowhere', async () => {
    await using at = await openTestHouse({
      env: { ...env(), PLUMBLINE_UNIFI_API_KEY: 'canary-0123456789abcdef' },
    })
    const page = await at.call('GET', '/network', { key: null })
    const summary = await at.call('GET', '/api/network/summary', { key: null })
    expect(summary.body).toMatchObject({ configured: true, complete: false, sites: null })
    expect(JSON.stringify(summary.body)).toContain('PLUMBLINE_UNIFI_URL')
    expect(textOf(page)).toContain('home is unknown')
    expect(JSON.stringify([page.body, summary.body])).not.toContain('canary')
  })
})
