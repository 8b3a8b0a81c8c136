/** Which domain leads where, what points at nothing, and what is suggested: tables over the pure parts. */
import { describe, expect, it } from 'vitest'
import {
  DomainIndex,
  matchContainer,
  matchLanHost,
  type Pointing,
} from '../../../../src/features/discovery/model/match.ts'
import { evaluatePointing, type Seen } from '../../../../src/features/discovery/nothing.ts'
import {
  commonSuffix,
  suggestForContainer,
  suggestForLanHost,
} from '../../../../src/features/discovery/suggest.ts'
import type { Guest } from '../../../../src/features/discovery/model/guests-port.ts'
import type {
  Container,
  ContainerPort,
  HostPlace,
  LanHost,
} from '../../../../src/features/discovery/model/lab-port.ts'

const HUB: HostPlace = { address: '192.168.1.10', is_local: true }
const NAS: HostPlace = { address: '192.168.1.9', is_local: false }

const port = (over: Partial<ContainerPort> = {}): ContainerPort => ({
  protocol: 'tcp',
  private_port: 8080,
  public_port: 18080,
  address: null,
  ...over,
})
const container = (over: Partial<Container> = {}): Container => ({
  id: 'f'.repeat(64),
  name: 'app',
  image: null,
  state: 'running',
  health: null,
  labels: {},
  networks: [{ name: 'proxy', addresses: ['172.20.0.5'], fixed: [], aliases: ['app', 'f'.repeat(12)] }],
  ports: [port()],
  is_on_host_network: false,
  ...over,
})
const host = (over: Partial<LanHost> = {}): LanHost => ({
  kind: 'client',
  mac: '02:00:00:00:00:01',
  name: 'Printer',
  hostname: 'hplj',
  address: '192.168.1.50',
  fixed_address: null,
  alias: null,
  user_id: null,
  online: true,
  wired: true,
  guest: false,
  network: null,
  vlan: null,
  vendor: null,
  last_seen: null,
  ...over,
})
const guest = (over: Partial<Guest> = {}): Guest => ({
  id: 'qemu/101',
  kind: 'qemu',
  vmid: 101,
  name: 'web',
  node: 'pve1',
  state: 'running',
  tags: [],
  macs: ['bc:24:11:00:00:01'],
  fixed: [],
  addresses: ['192.168.1.30'],
  detail: null,
  ...over,
})
const domain = (
  backend_host: string | null,
  backend_port: number | null = 80,
  over: Partial<Pointing> = {},
): Pointing => ({
  id: 1,
  domain: 'app.example.com',
  status: 'active',
  backend_host,
  backend_port,
  ...over,
})

describe('a domain leads to a container', () => {
  it.each<[what: string, Pointing, Container, HostPlace, by: string | null]>([
    ['by the host and its published port', domain('192.168.1.10', 18080), container(), HUB, 'address_port'],
    ['not by another port of the host', domain('192.168.1.10', 8080), container(), HUB, null],
    ['by its own address and port', domain('172.20.0.5', 8080), container(), HUB, 'address_port'],
    ['by its name in any case', domain('APP', 8080), container(), HUB, 'name_port'],
    ['not by its name and another port', domain('app', 18080), container(), HUB, null],
    [
      'by the name of its Compose service',
      domain('web', 8080),
      container({ labels: { 'com.docker.compose.service': 'web' } }),
      HUB,
      'name_port',
    ],
    ['not by its short id', domain('f'.repeat(12), 8080), container(), HUB, null],
    ['by the loopback where the host is ours', domain('127.0.0.1', 18080), container(), HUB, 'address_port'],
    ['not by the loopback of another host', domain('127.0.0.1', 18080), container(), NAS, null],
    [
      'not by a loopback port of another host',
      domain('127.0.0.1', 18080),
      container({ ports: [port({ address: '127.0.0.1' })] }),
      NAS,
      null,
    ],
    [
      'by the one address that it is published on',
      domain('10.0.0.1', 18080),
      container({ ports: [port({ address: '10.0.0.1' })] }),
      HUB,
      'address_port',
    ],
    [
      'not by UDP',
      domain('192.168.1.10', 18080),
      container({ ports: [port({ protocol: 'udp' })] }),
      HUB,
      null,
    ],
    ['not when it is disabled', domain('app', 8080, { status: 'disabled' }), container(), HUB, null],
    ['not without a backend', domain(null, null), container(), HUB, null],
  ])('%s', (_what, pointing, one, place, by) => {
    const [match] = matchContainer(new DomainIndex([pointing]), one, place)
    expect(match?.by ?? null).toBe(by)
  })
})

it.each<[string, string | null]>([
  ['192.168.1.50', 'address'],
  ['hplj', 'name'],
  ['PRINTER', 'name'],
  ['192.168.1.51', null],
  ['printer.lan', null],
])('a domain that points at %s leads to a client by %s', (backend, by) => {
  expect(matchLanHost(new DomainIndex([domain(backend)]), host())[0]?.by ?? null).toBe(by)
})

describe('a domain points at nothing', () => {
  const seen: Seen = {
    containers: [
      { at: 'hub', container: container(), place: HUB },
      {
        at: 'hub',
        container: container({ name: 'old', state: 'exited', ports: [], networks: [] }),
        place: HUB,
      },
    ],
    hosts: [
      host(),
      host({ mac: '02:00:00:00:00:02', name: 'nas', hostname: null, address: '192.168.1.9', online: false }),
      host({ mac: '02:00:00:00:00:03', name: 'hub', hostname: null, address: '192.168.1.10' }),
      // The network still shows a client that was just stopped.
      host({ mac: 'bc:24:11:00:00:02', name: 'db', hostname: 'db', address: '192.168.1.31' }),
    ].map((one) => ({ at: 'home', host: one })),
    guests: [
      guest(),
      guest({
        id: 'lxc/200',
        name: 'DB',
        state: 'stopped',
        macs: ['bc:24:11:00:00:02'],
        addresses: ['192.168.1.31'],
      }),
      guest({ id: 'lxc/201', name: 'app', state: 'stopped', macs: [], addresses: [] }),
    ].map((one) => ({ at: 'lab', guest: one })),
    are_guests_all: true,
    networks: ['192.168.1.1/24'],
  }
  it('a record that is not active yet is told with its status, a disabled one is not told', () => {
    const told = (status: Pointing['status']) =>
      evaluatePointing([domain('192.168.1.77', 80, { status })], seen).points_at_nothing.map(
        (one) => one.status,
      )
    expect(told('inactive')).toEqual(['inactive'])
    expect(told('disabled')).toEqual([])
  })

  const reasonOf = (pointing: Pointing, what: Seen = seen): string => {
    const { points_at_nothing, not_judged } = evaluatePointing([pointing], what)
    return points_at_nothing[0]?.reason ?? (not_judged === 1 ? 'not judged' : 'something')
  }
  it.each<[host: string, port: number, reason: string]>([
    ['192.168.1.10', 18080, 'something'],
    // A container there has the port, for its neighbours alone.
    ['192.168.1.10', 8080, 'port_not_published'],
    // A program of the host's own may have it.
    ['192.168.1.10', 9090, 'not judged'],
    ['app', 8080, 'something'],
    ['old', 80, 'not_running'],
    ['wiki', 80, 'no_such_container'],
    ['192.168.1.50', 80, 'something'],
    ['192.168.1.9', 80, 'offline'],
    ['192.168.1.77', 80, 'no_such_address'],
    ['10.0.0.1', 80, 'not judged'],
    ['2001:db8::1', 80, 'not judged'],
    ['nas.lan', 80, 'not judged'],
    ['localhost', 9999, 'not judged'],
    ['printer', 80, 'something'],
    ['nas', 80, 'offline'],
    ['web', 80, 'something'],
    ['192.168.1.30', 80, 'something'],
    ['192.168.1.31', 5432, 'not_running'],
    ['db', 5432, 'not_running'],
  ])('%s:%i: %s', (backend, backend_port, reason) =>
    expect(reasonOf(domain(backend, backend_port))).toBe(reason),
  )

  it('a container on the host network may serve any port of its host', () => {
    const own = container({ name: 'adguard', is_on_host_network: true, ports: [], networks: [] })
    const containers = [...seen.containers!, { at: 'hub', container: own, place: HUB }]
    expect(reasonOf(domain('192.168.1.10', 18081), { ...seen, containers })).toBe('something')
  })

  it('and it is told who has that address or name', () => {
    const held = (backend: string) => evaluatePointing([domain(backend)], seen).points_at_nothing[0]?.held_by
    expect(held('192.168.1.31')).toEqual({ source: 'proxmox', at: 'lab', name: 'DB' })
    expect(held('192.168.1.9')).toEqual({ source: 'unifi', at: 'home', name: 'nas' })
    expect(held('old')).toEqual({ source: 'docker', at: 'hub', name: 'old' })
    expect(held('192.168.1.77')).toBeNull()
  })

  it('a name may be that of a guest that the token does not see', () => {
    expect(reasonOf(domain('wiki'), { ...seen, are_guests_all: false })).toBe('not judged')
  })

  it('only as far as the sources reach that are configured', () => {
    expect(reasonOf(domain('wiki'), { ...seen, containers: null, guests: null })).toBe('not judged')
    expect(reasonOf(domain('192.168.1.77'), { ...seen, hosts: null, guests: null, networks: [] })).toBe(
      'not judged',
    )
    expect(reasonOf(domain('wiki', 80, { status: 'disabled' }))).toBe('something')
  })
})

describe('what is suggested', () => {
  const body = (one: Container, address: string | null = '192.168.1.10') => {
    const made = suggestForContainer(one, address, 'example.com')
    return made === null
      ? null
      : [made.body.domain, made.body.backend_host, made.body.backend_port, ...made.assumed]
  }
  it.each<[string, Container, string | null, unknown]>([
    ['the published port', container(), '192.168.1.10', ['app.example.com', '192.168.1.10', 18080, 'domain']],
    [
      'its own address where none is published',
      container({ ports: [port({ public_port: null })] }),
      '192.168.1.10',
      ['app.example.com', '172.20.0.5', 8080, 'domain', 'backend_host'],
    ],
    [
      'its own address where the host is unknown',
      container(),
      null,
      ['app.example.com', '172.20.0.5', 8080, 'domain', 'backend_host'],
    ],
    [
      'the web port of several',
      container({
        ports: [port({ private_port: 9100, public_port: 1 }), port({ private_port: 80, public_port: 2 })],
      }),
      '192.168.1.10',
      ['app.example.com', '192.168.1.10', 2, 'domain'],
    ],
    ['nothing for a database', container({ ports: [port({ private_port: 5432 })] }), '192.168.1.10', null],
    [
      'a name that its labels had',
      container({ labels: { 'traefik.http.routers.a.rule': 'Host(`Wiki.Example.org`) && PathPrefix(`/`)' } }),
      '192.168.1.10',
      ['wiki.example.org', '192.168.1.10', 18080],
    ],
    [
      'no name from a label that is none',
      container({ labels: { 'traefik.http.routers.a.rule': 'Host(`{{x}}`)' } }),
      '192.168.1.10',
      ['app.example.com', '192.168.1.10', 18080, 'domain'],
    ],
    [
      'a name that fits a host name',
      container({ name: '_My App!' }),
      '192.168.1.10',
      ['my-app.example.com', '192.168.1.10', 18080, 'domain'],
    ],
    ['nothing for a name without a letter', container({ name: '___' }), '192.168.1.10', null],
  ])('%s', (_what, one, address, expected) => expect(body(one, address)).toEqual(expected))

  it('a client gets port 80 and is told to look at it', () => {
    expect(suggestForLanHost(host(), 'example.com')).toMatchObject({
      body: { domain: 'hplj.example.com', backend_host: '192.168.1.50', backend_port: 80 },
      assumed: ['domain', 'backend_port'],
    })
    expect(suggestForLanHost(host({ address: null }), 'example.com')).toBeNull()
  })

  it.each([
    [[], 'home.arpa'],
    [['example.com'], 'home.arpa'],
    [['a.example.com', 'b.example.com', 'c.example.org'], 'example.com'],
    [['b.example.org', 'a.example.com'], 'example.com'],
  ])('of %j the ending is %s', (domains, suffix) => expect(commonSuffix(domains)).toBe(suffix))
})
