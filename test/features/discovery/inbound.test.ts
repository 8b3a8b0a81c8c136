/** What comes in from the internet: whether it reaches the proxy, what explains the rest, and when nobody can tell. */
import { describe, expect, it } from 'vitest'
import { parsePortRanges } from '../../../src/features/discovery/model/port-ranges.ts'
import { type Explaining, inboundView } from '../../../src/features/discovery/network/inbound.ts'
import { proxyReach } from '../../../src/features/discovery/network/proxy-reach.ts'
import type { ProxyPlace } from '../../../src/features/discovery/model/lab-port.ts'
import type { Inbound, InboundRule, PortForward } from '../../../src/features/discovery/model/inbound-port.ts'
import type { SiteState } from '../../../src/features/discovery/model/lab-port.ts'
import { RawRows } from '../../../src/features/discovery/model/raw-rows.ts'

const ports = (text: string) => parsePortRanges(text)!
const PROXY: ProxyPlace = { address: '192.168.1.10', ports: new Set([80, 443]), source: 'a setting' }
const forward = (over: Partial<PortForward> = {}): PortForward => ({
  name: 'https',
  enabled: true,
  uplink: 'wan',
  protocol: 'tcp',
  from: null,
  ports: ports('443'),
  to_address: '192.168.1.10',
  to_ports: ports('443'),
  ...over,
})
const rule = (over: Partial<InboundRule> = {}): InboundRule => ({
  name: 'no web',
  lets_in: false,
  to: 'internal',
  protocol: 'tcp',
  ports: ports('443'),
  is_narrow: false,
  ...over,
})
const none = new RawRows([])
const inbound = (over: Partial<Inbound> = {}): Inbound => ({
  has_gateway: true,
  forwards: [forward()],
  rules: [],
  unreadable: 0,
  detail: null,
  ...over,
})
const site = (over: Partial<Inbound> = {}, address: string | null = '198.51.100.7'): SiteState => ({
  site: 'default',
  label: 'Home',
  wan: [{ name: 'wan', status: 'ok', address, latency_ms: null, uptime_s: null }],
  vpn: { status: null, active: null },
  networks: [],
  lans: [],
  inbound: inbound(over),
  hosts: [],
  unreadable: 0,
  missing: [],
  raw: {
    devices: { known: true, rows: none },
    online: { known: true, rows: none },
    known: { known: true, rows: none },
    networks: { known: true, rows: none },
    inbound: { forwards: null, policies: null, zones: none, rules: null },
  },
})

describe('WAN 443 leads to the proxy', () => {
  it.each<[what: string, state: SiteState, reaches: boolean | null, evidence: RegExp]>([
    ['by a forward to it', site(), true, /"https" to 192\.168\.1\.10/],
    [
      'by a range',
      site({ forwards: [forward({ ports: ports('400-500'), to_ports: ports('400-500') })] }),
      true,
      /where the proxy is/,
    ],
    [
      'by one of a list',
      site({ forwards: [forward({ ports: ports('80,443'), to_ports: ports('80,443') })] }),
      true,
      /where the proxy is/,
    ],
    [
      'by the one of two that is switched on',
      site({ forwards: [forward({ enabled: false, to_address: '192.168.1.9' }), forward()] }),
      true,
      /where the proxy is/,
    ],
    ['not without a forward', site({ forwards: [] }), false, /no enabled port forward is for TCP 443/],
    [
      'not by one that is switched off',
      site({ forwards: [forward({ enabled: false })] }),
      false,
      /no enabled/,
    ],
    ['not by UDP', site({ forwards: [forward({ protocol: 'udp' })] }), false, /no enabled/],
    [
      'not by one to another host',
      site({ forwards: [forward({ to_address: '192.168.1.9' })] }),
      false,
      /elsewhere; the proxy is at 192\.168\.1\.10/,
    ],
    [
      'unknown at another port of its host',
      site({ forwards: [forward({ to_ports: ports('8443') })] }),
      null,
      /what serves that port/,
    ],
    [
      'unknown for some only',
      site({ forwards: [forward({ from: '203.0.113.0/24' })] }),
      null,
      /only for 203\.0\.113\.0\/24/,
    ],
    ['unknown where a rule may block it', site({ rules: [rule()] }), null, /"no web" may block/],
    [
      'unknown where a rule blocks all ports',
      site({ rules: [rule({ ports: null, protocol: 'all' })] }),
      null,
      /may block/,
    ],
    [
      'still where a rule is for another port',
      site({ rules: [rule({ ports: ports('22') })] }),
      true,
      /where the proxy is/,
    ],
    [
      'still where a rule is for UDP',
      site({ rules: [rule({ protocol: 'udp' })] }),
      true,
      /where the proxy is/,
    ],
    [
      'still where a rule guards the gateway itself',
      site({ rules: [rule({ to: 'gateway' })] }),
      true,
      /where the proxy is/,
    ],
    ['still where a rule lets in', site({ rules: [rule({ lets_in: true })] }), true, /where the proxy is/],
    ['unknown without the rules', site({ rules: null, detail: 'refused' }), null, /rules could not be read/],
    ['unknown without the forwards', site({ forwards: null, detail: 'rest/portforward: 403' }), null, /403/],
    [
      'unknown where some forward cannot be read',
      site({ forwards: [], unreadable: 1 }),
      null,
      /may be for 443/,
    ],
    ['unknown without a gateway', site({ has_gateway: false, forwards: null }), null, /no gateway/],
    [
      'unknown where another forward for the same port leads elsewhere, on another uplink or before it',
      site({
        forwards: [forward({ name: 'old nas', to_address: '192.168.1.9' }), forward({ uplink: 'wan2' })],
      }),
      null,
      /"https" to 192\.168\.1\.10 leads to the proxy, but the forward "old nas" to 192\.168\.1\.9 is for TCP 443, too/,
    ],
    [
      'where the other one is for some alone, off, for UDP, or leads to the proxy as well',
      site({
        forwards: [
          forward({ to_address: '192.168.1.9', from: '203.0.113.9' }),
          forward({ to_address: '192.168.1.9', enabled: false }),
          forward({ to_address: '192.168.1.9', protocol: 'udp' }),
          forward({ uplink: 'wan2' }),
          forward(),
        ],
      }),
      true,
      /where the proxy is/,
    ],
    ['unknown behind another router', site({}, '192.168.0.2'), null, /another router/],
    ['unknown behind a carrier', site({}, '100.70.0.2'), null, /another router/],
    ['unknown without an uplink', site({}, null), null, /no address/],
  ])('%s', (_what, state, reaches, evidence) => {
    const said = proxyReach(443, state, [PROXY])
    expect(said).toMatchObject({ port: 443, reaches })
    expect(said.evidence).toMatch(evidence)
  })

  it('is unknown while nobody knows where the proxy is', () => {
    expect(proxyReach(443, site(), [])).toMatchObject({
      reaches: null,
      evidence: expect.stringContaining('PLUMBLINE_'),
    })
    expect(proxyReach(443, site({ forwards: [] }), [])).toMatchObject({ reaches: false })
  })
})

describe('what explains a forward', () => {
  const known = (over: Partial<Explaining> = {}): Explaining => ({
    places: [PROXY],
    domainsAt: (address, [range]) =>
      address === '192.168.1.50' && range!.first <= 8123 && 8123 <= range!.last ? ['ha.example.com'] : [],
    silent_hosts: [],
    ...over,
  })
  it.each<[string, Partial<PortForward>, Partial<Explaining>, boolean | null]>([
    ['the proxy', {}, {}, true],
    ['the proxy over HTTP/3', { protocol: 'udp' }, {}, true],
    ['not the proxy at a port that it does not serve', { to_ports: ports('22') }, {}, false],
    ['not the proxy for more ports than it serves', { to_ports: ports('80-443') }, {}, false],
    ['a domain', { to_address: '192.168.1.50', to_ports: ports('8000-9000') }, {}, true],
    ['nothing', { to_address: '192.168.1.50', to_ports: ports('22') }, {}, false],
    ['unknown without the database', { to_address: '192.168.1.50' }, { domainsAt: null }, null],
    ['the proxy, also without the database', {}, { domainsAt: null }, true],
    ['unknown at a silent host', { to_address: '192.168.1.9' }, { silent_hosts: ['192.168.1.9'] }, null],
    [
      'unknown where the silent host is anywhere',
      { to_address: '192.168.1.9' },
      { silent_hosts: [null] },
      null,
    ],
    ['unknown for a port of the web without a proxy', {}, { places: [] }, null],
    ['nothing for another port without a proxy', { to_ports: ports('22') }, { places: [] }, false],
  ])('%s', (_what, over, explaining, explained) => {
    const view = inboundView(site({ forwards: [forward(over)] }), known(explaining))
    expect(view.forwards![0]).toMatchObject({ explained, why: expect.stringMatching(/.{10}/) as string })
  })
})

it.each<[string, unknown]>([
  ['443', [{ first: 443, last: 443 }]],
  [
    '80, 8000-8010',
    [
      { first: 80, last: 80 },
      { first: 8000, last: 8010 },
    ],
  ],
  ['8000:8010', [{ first: 8000, last: 8010 }]],
  ['', null],
  ['any', null],
  ['0', null],
  ['70000', null],
  ['9-8', null],
  ['80,,443', null],
])('the ports "%s"', (text, read) => expect(parsePortRanges(text)).toEqual(read))
