/** What is worth a domain and what is not: the order in which people are shown what runs without one. */
import { describe, expect, it } from 'vitest'
import {
  elsewhereOf,
  inOrder,
  evaluateClient,
  evaluateContainer,
  evaluateGuest,
} from '../../../src/features/discovery/exposable.ts'
import type { Guest } from '../../../src/features/discovery/model/guests-port.ts'
import type { Container, ContainerPort, LanHost } from '../../../src/features/discovery/model/lab-port.ts'

const port = (private_port: number, public_port: number | null = null): ContainerPort => ({
  protocol: 'tcp',
  private_port,
  public_port,
  address: null,
})
const container = (over: Partial<Container>): Container => ({
  id: 'f'.repeat(64),
  name: 'app',
  image: 'app:1',
  state: 'running',
  health: null,
  labels: {},
  networks: [],
  ports: [port(8080, 18080)],
  is_on_host_network: false,
  ...over,
})

describe('a container', () => {
  it.each<[string, Partial<Container>, string | null, boolean]>([
    ['that publishes a port of the web', {}, 'high', true],
    ['that publishes another one', { ports: [port(9999, 19999)] }, 'medium', true],
    [
      'that publishes another one beside an inner port of the web',
      { ports: [port(80), port(9999, 19999)] },
      'medium',
      true,
    ],
    ['that publishes nothing', { ports: [port(3000)] }, 'medium', true],
    ['that has another port inside', { ports: [port(9999)] }, 'low', true],
    ['of a database', { ports: [port(5432, 5432)] }, 'low', true],
    [
      'that its labels name',
      { ports: [port(9999)], labels: { 'traefik.http.routers.a.rule': 'Host(`a.example.com`)' } },
      'high',
      true,
    ],
    ['of the proxy', { image: 'docker.io/library/traefik:v3.6' }, 'low', false],
    ['of the proxy by digest', { image: 'traefik@sha256:0' }, 'low', false],
    ['of a registry with a port', { image: 'localhost:5000/traefik' }, 'low', false],
    [
      'that hands out Docker',
      { image: 'tecnativa/docker-socket-proxy:0.3', ports: [port(2375, 2375)] },
      'low',
      false,
    ],
    ['that only sounds like the proxy', { image: 'traefik-whoami' }, 'high', true],
    ['that is stopped', { state: 'exited' }, null, false],
    ['without ports', { ports: [] }, null, false],
  ])('%s', (_what, over, likelihood, is_offered) => {
    const judged = evaluateContainer(container(over))
    expect([judged?.likelihood ?? null, judged?.is_offered ?? false]).toEqual([likelihood, is_offered])
  })
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
const client = (over: Partial<LanHost> = {}): LanHost => ({
  kind: 'client',
  mac: '02:00:00:00:00:01',
  name: 'nas',
  hostname: null,
  address: '192.168.1.9',
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
const elsewhere = elsewhereOf(['192.168.1.10', null], [{ at: 'lab', guest: guest() }])

it.each<[string, Partial<Guest>, string | null]>([
  ['that runs', {}, 'medium'],
  ['that is stopped', { state: 'stopped' }, null],
  ['without an address', { addresses: [], detail: 'it has no guest agent' }, 'low'],
  ['that is a container host', { addresses: ['192.168.1.10'] }, 'low'],
])('a guest %s', (_what, over, likelihood) =>
  expect(
    evaluateGuest({ at: 'lab', guest: guest(over) }, elsewhere.container_hosts)?.likelihood ?? null,
  ).toBe(likelihood),
)

it.each<[string, Partial<LanHost>, string | null]>([
  ['with a wire', {}, 'medium'],
  ['without a wire', { wired: false }, 'low'],
  ['of which that is not known', { wired: null }, 'low'],
  ['that is a container host', { address: '192.168.1.10' }, 'low'],
  ['that is a guest of a cluster by its card', { mac: 'bc:24:11:00:00:01' }, null],
  ['that is a guest of a cluster by its address', { address: '192.168.1.30' }, null],
  ['that is a visitor', { guest: true }, null],
  ['that is gone', { online: false }, null],
  ['that is part of the network itself', { kind: 'device' }, null],
])('a client %s', (_what, over, likelihood) =>
  expect(evaluateClient(client(over), elsewhere)?.likelihood ?? null).toBe(likelihood),
)

it('the likeliest comes first, and within it the order stays', () => {
  const one = (name: string, likelihood: 'high' | 'medium' | 'low') =>
    ({ source: 'docker', at: 'hub', name, likelihood, why: '', suggestion: null }) as const
  const all = inOrder([one('a', 'low'), one('b', 'high'), one('c', 'medium'), one('d', 'high')])
  expect(all.map(({ name }) => name)).toEqual(['b', 'd', 'c', 'a'])
})
