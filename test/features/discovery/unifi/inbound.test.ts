/** What a UniFi site lets in, from whichever API tells it; what none tells is missing and named, and the rest stays known. */
import { afterEach, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { unifiController } from '../../../../src/features/discovery/unifi/controller.ts'
import { readForward, readRule } from '../../../../src/features/discovery/unifi/read-inbound.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import {
  type Kind,
  UNIFI_KEY,
  UNIFI_PASSWORD,
  UNIFI_USER,
  type UnifiApi,
  unifiApi,
} from '../../../fakes/lab/unifi.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function open(kind: Kind = 'key') {
  const api = await unifiApi({ kind })
  const http = createHttpClient({ clock: systemClock })
  opened.push(api, http)
  const login = { kind: 'login', user: UNIFI_USER, password: new Secret(UNIFI_PASSWORD) } as const
  const credential = kind === 'key' ? ({ kind: 'key', key: new Secret(UNIFI_KEY) } as const) : login
  const controller = unifiController({ name: 'home', base: api.base, credential, http, clock: systemClock })
  const inbound = async () => {
    const look = await controller.look(AbortSignal.timeout(60_000))
    if (!look.known) throw new Error(look.detail)
    return look.state.sites[0]!.inbound
  }
  return { api, inbound }
}

const ZONES = [
  { _id: 'z1', name: 'Untrusted', zone_key: 'external' },
  { _id: 'z2', name: 'Internal', zone_key: 'internal' },
  { _id: 'z3', name: 'Gateway', zone_key: 'gateway' },
]
const policy = (name: string, over: Readonly<Record<string, unknown>> = {}) => ({
  name,
  enabled: true,
  action: 'ALLOW',
  predefined: false,
  source: { zone_id: 'z1', matching_target: 'ANY' },
  destination: { zone_id: 'z2', matching_target: 'ANY', port_matching_type: 'ANY' },
  ...over,
})

it('policies of people from the outside are read, and no others', async () => {
  const { api, inbound } = await open()
  api.lists.set('v2/firewall/zone', ZONES)
  api.lists.set('v2/firewall-policies', [
    policy('all'),
    policy('https', {
      destination: { zone_id: 'z2', port: '443', port_matching_type: 'SPECIFIC' },
      protocol: 'tcp',
    }),
    policy('group', { action: 'REJECT', destination: { zone_id: 'z3', port_matching_type: 'OBJECT' } }),
    policy('its own', { predefined: 'true' }),
    policy('off', { enabled: 0 }),
    policy('answers', { connection_state_type: 'RESPOND_ONLY' }),
    policy('inside', { source: { zone_id: 'z2' } }),
    policy('odd', { action: 'PONDER' }),
  ])
  expect((await inbound()).rules).toEqual([
    { name: 'all', lets_in: true, to: 'internal', protocol: 'all', ports: null, is_narrow: false },
    {
      name: 'https',
      lets_in: true,
      to: 'internal',
      protocol: 'tcp',
      ports: [{ first: 443, last: 443 }],
      is_narrow: true,
    },
    { name: 'group', lets_in: false, to: 'gateway', protocol: 'all', ports: null, is_narrow: true },
  ])
  expect(api.asked.some((line) => line.includes('firewallrule'))).toBe(false)
})

it('with a key, the official API is asked where the other one does not answer, page after page', async () => {
  const { api, inbound } = await open()
  api.lists.set('v1/firewall/zones', [
    { id: 'a', name: 'External', metadata: { origin: 'SYSTEM_DEFINED' } },
    { id: 'b', name: 'Internal' },
  ])
  const side = { source: { zoneId: 'a' }, destination: { zoneId: 'b' } }
  api.lists.set('v1/firewall/policies', [
    ...Array.from({ length: 250 }, (_, i) => ({
      id: `d${i}`,
      name: `derived ${i}`,
      enabled: true,
      action: { type: 'ALLOW' },
      metadata: { origin: 'DERIVED' },
      ...side,
    })),
    {
      id: 'u',
      name: 'mine',
      enabled: true,
      action: { type: 'BLOCK' },
      metadata: { origin: 'USER_DEFINED' },
      ...side,
    },
  ])
  expect((await inbound()).rules).toEqual([
    { name: 'mine', lets_in: false, to: 'internal', protocol: 'all', ports: null, is_narrow: false },
  ])
  expect(api.asked.filter((line) => line.includes('/firewall/policies?'))).toHaveLength(2)
})

it.each<Kind>(['login', 'classic'])(
  '%s: a firewall without zones has its rules in the older list',
  async (kind) => {
    const { api, inbound } = await open(kind)
    api.lists.set('rest/firewallrule', [
      { name: 'ssh', enabled: true, action: 'accept', ruleset: 'WAN_IN', protocol: 'tcp', dst_port: '22' },
      { name: 'six', enabled: true, action: 'drop', ruleset: 'WANv6_LOCAL' },
      { name: 'lan', enabled: true, action: 'accept', ruleset: 'LAN_IN' },
      { name: 'answers', enabled: true, action: 'accept', ruleset: 'WAN_IN', state_established: true },
    ])
    expect((await inbound()).rules).toMatchObject([
      { name: 'ssh', lets_in: true, to: 'networks', ports: [{ first: 22, last: 22 }] },
      { name: 'six', lets_in: false, to: 'gateway', ports: null },
    ])
    expect(api.asked.some((line) => line.includes('/integration/'))).toBe(false)
  },
)

const deny = (api: UnifiApi, part: string): void => {
  api.answer = (request, response) => {
    if (!request.url!.includes(part)) return false
    response.writeHead(403).end('{"meta":{"rc":"error","msg":"api.err.NoPermission"},"data":[]}')
    return true
  }
}

it('a list that is refused is null and named, and the rest of the site is known', async () => {
  const { api, inbound } = await open()
  deny(api, 'portforward')
  expect(await inbound()).toMatchObject({
    forwards: null,
    rules: [],
    detail: expect.stringContaining('portforward'),
  })
  deny(api, 'firewall')
  expect(await inbound()).toMatchObject({
    rules: null,
    forwards: [{}, {}],
    detail: expect.stringContaining('403'),
  })
})

it('a site without a gateway is not asked for any of it', async () => {
  const { api, inbound } = await open()
  api.lists.set('stat/device', [{ mac: '02:00:5e:20:00:02', type: 'uap', state: 1 }])
  expect(await inbound()).toMatchObject({ has_gateway: false, forwards: null, rules: null, detail: null })
  expect(api.asked.some((line) => /portforward|firewall/.test(line))).toBe(false)
})

it.each<[string, Readonly<Record<string, unknown>>, object | null]>([
  [
    'numbers',
    { dst_port: 443, fwd: '192.0.2.20', fwd_port: 8443 },
    { protocol: 'tcp_udp', to_ports: [{ first: 8443, last: 8443 }] },
  ],
  [
    'the same port inside',
    { dst_port: '8000-8010', fwd: '192.0.2.20', fwd_port: '' },
    { to_ports: [{ first: 8000, last: 8010 }] },
  ],
  ['a source', { dst_port: '22', fwd: '192.0.2.20', src: '203.0.113.0/24' }, { from: '203.0.113.0/24' }],
  [
    'a list of sources',
    { dst_port: '22', fwd: '192.0.2.20', src: 'any', src_limiting_enabled: 'true' },
    { from: 'a list of the controller' },
  ],
  ['no address', { dst_port: '22', fwd: 'nas' }, null],
  ['no port', { fwd: '192.0.2.20' }, null],
  ['a protocol that nobody knows', { dst_port: '22', fwd: '192.0.2.20', proto: 'esp' }, null],
])('a forward with %s', (_what, row, read) => {
  const made = readForward(row)
  if (read === null) expect(made).toBeNull()
  else expect(made).toMatchObject(read)
})

it('a rule for new connections counts, whatever else it names', () => {
  const row = { ruleset: 'WAN_IN', action: 'drop', state_new: 'true', state_established: 'true' }
  expect(readRule(row)).toHaveLength(1)
  expect(readRule({ ...row, state_new: 'false' })).toEqual([])
})
