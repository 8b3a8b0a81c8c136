/** Hosts of the routes file beside what the network's resolvers answer: every verdict, and what is too much. */
import { describe, expect, it } from 'vitest'
import type { Override, ResolverView } from '../../../src/model/resolver/view.ts'
import {
  compareHosts,
  extraOverrides,
  type HostState,
  type ResolverUnit,
} from '../../../src/features/dns/integrity/compare-hosts.ts'

const PROXY = '192.168.1.2'
const PROXY6 = 'fd00::2'

const override = (name: string, value: string | null, more: Partial<Override> = {}): Override => ({
  name,
  scope: 'exact',
  type: value?.includes(':') ? 'AAAA' : 'A',
  value,
  source: 'lan.conf:1',
  ...more,
})

const view = (product: ResolverView['product'], ...overrides: Override[]): ResolverView => ({
  product,
  overrides,
  zones: [],
})
const unit = (views: readonly ResolverView[], has_gaps = false): ResolverUnit => ({
  resolver: 'lan',
  views,
  has_gaps,
})

const APP = 'app.example.com'
const here = override(APP, PROXY)
const elsewhere = override(APP, '192.168.1.99')
const alias = override(APP, 'far.example.net', { type: 'CNAME' })

describe('a host', () => {
  it.each<[string, readonly ResolverUnit[], readonly string[], HostState]>([
    ['sent to the proxy', [unit([view('hosts', here)])], [PROXY], 'ok'],
    ['sent elsewhere', [unit([view('hosts', elsewhere)])], [PROXY], 'wrong'],
    ['sent to the proxy and elsewhere', [unit([view('hosts', here, elsewhere)])], [PROXY], 'wrong'],
    ['not overridden', [unit([view('hosts')])], [PROXY], 'missing'],
    ['not found where not all was read', [unit([view('hosts')], true)], [PROXY], 'unknown'],
    ['wrong where not all was read', [unit([view('hosts', elsewhere)], true)], [PROXY], 'wrong'],
    ['answered with nothing', [unit([view('adguard', override(APP, 'fd00::9'))])], [PROXY], 'missing'],
    ['an alias that leads away', [unit([view('dnsmasq', alias)])], [PROXY], 'unknown'],
    ['an alias, and only presence counts', [unit([view('dnsmasq', alias)])], [], 'ok'],
    ['present anywhere, and only presence counts', [unit([view('hosts', elsewhere)])], [], 'ok'],
    ['absent, and only presence counts', [unit([view('hosts')])], [], 'missing'],
    [
      'sent to both addresses of the proxy',
      [unit([view('hosts', here, override(APP, PROXY6))])],
      [PROXY, PROXY6],
      'ok',
    ],
    ['sent to one of two', [unit([view('hosts', here)])], [PROXY, PROXY6], 'missing'],
    [
      'right, with another family for which the proxy has no address',
      [unit([view('hosts', here, override(APP, 'fd00::9'))])],
      [PROXY],
      'ok',
    ],
    [
      'right in the first file and wrong in the second',
      [unit([view('hosts', here), view('dnsmasq', elsewhere)])],
      [PROXY],
      'ok',
    ],
    [
      'wrong in the first file and right in the second',
      [unit([view('hosts', elsewhere), view('dnsmasq', here)])],
      [PROXY],
      'wrong',
    ],
    [
      'right at one resolver and missing at another',
      [unit([view('adguard', here)]), unit([view('pihole')])],
      [PROXY],
      'missing',
    ],
    [
      'unread at one resolver and wrong at another',
      [unit([], true), unit([view('pihole', elsewhere)])],
      [PROXY],
      'wrong',
    ],
    ['with no resolver at all', [], [PROXY], 'unknown'],
  ])('%s', (_what, units, expected, status) => {
    expect(compareHosts([APP], units, expected)).toMatchObject([{ host: APP, status, expected }])
  })

  it('that is wrong is shown with both values, and by whom', () => {
    const [found] = compareHosts([APP], [unit([view('hosts', elsewhere)])], [PROXY])
    expect(found).toMatchObject({ expected: [PROXY] })
    expect(found?.found[0]).toEqual({
      resolver: 'lan',
      type: 'A',
      kind: 'addresses',
      values: ['192.168.1.99'],
      via: [],
    })
  })

  it('with a star needs an override for everything below', () => {
    const below = override('example.com', PROXY, { scope: 'below' })
    const [wild, exact] = [view('adguard', below), view('adguard', here)].map((each) =>
      compareHosts(['*.example.com'], [unit([each])], [PROXY]),
    )
    expect(wild).toMatchObject([{ host: '*.example.com', status: 'ok' }])
    expect(exact).toMatchObject([{ host: '*.example.com', status: 'missing' }])
  })
})

describe('an override that leads to the proxy', () => {
  const subtree = (name: string) => override(name, PROXY, { scope: 'subtree' })
  const below = (name: string) => override(name, PROXY, { scope: 'below' })
  it.each<[string, readonly string[], Override, boolean]>([
    ['for a routed name', [APP], here, false],
    ['for no routed name', ['x.example.com'], here, true],
    ['for no routed name, but below a routed star', ['*.example.com'], here, false],
    ['for a subtree with a route in it', [APP], subtree('example.com'), false],
    ['for a subtree that is a route', [APP], subtree(APP), false],
    ['for a subtree without a route', [APP], subtree('old.example.com'), true],
    ['for what is below a name with a route', [APP], below('example.com'), false],
    ['for what is below a routed name itself', [APP], below(APP), true],
    ['for everything', [APP], subtree(''), false],
    ['elsewhere', ['x.example.com'], elsewhere, false],
    ['for nobody', ['x.example.com'], override(APP, null), false],
  ])('%s', (_what, hosts, entry, is_extra) => {
    expect(extraOverrides(hosts, [view('dnsmasq', entry)], [PROXY])).toEqual(is_extra ? [entry] : [])
  })

  it('by the way of an alias counts like one with the address itself', () => {
    const target = override('proxy.lan', PROXY)
    const to_proxy = override('old.example.com', 'proxy.lan', { type: 'CNAME' })
    const found = extraOverrides([APP], [view('dnsmasq', target, to_proxy, alias)], [PROXY])
    expect(found).toEqual([target, to_proxy])
  })

  it.each<[string, readonly string[], ResolverView['zones'], boolean]>([
    ['that serves a routed name', [APP], [], false],
    ['that serves a routed star', ['*.example.com'], [], false],
    ['without a routed name below it', ['app.example.org'], [], true],
    [
      'whose one routed name belongs to a zone further down',
      [APP],
      [{ name: APP, scope: 'subtree', rule: 'static' }],
      true,
    ],
  ])('as a redirect zone of Unbound %s', (_what, hosts, more, is_extra) => {
    const zone = override('example.com', PROXY)
    const redirect = { name: 'example.com', scope: 'subtree', rule: 'redirect' } as const
    const found = extraOverrides(hosts, [{ ...view('unbound', zone), zones: [redirect, ...more] }], [PROXY])
    expect(found).toEqual(is_extra ? [zone] : [])
  })

  it('is none where no address of the proxy is set', () => {
    expect(extraOverrides([], [view('hosts', here)], [])).toEqual([])
  })
})
