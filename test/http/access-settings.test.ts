/** What start-up refuses about the access settings, and that it refuses nothing else. */
import { describe, expect, test } from 'vitest'
import { accessFaults, type AccessSettings } from '../../src/http/access/settings.ts'
import { Secret } from '../../src/kernel/secret.ts'
import { SETTINGS } from './support.ts'

const CLOSED: AccessSettings = {
  sessions: null,
  api_key: null,
  listen: ['127.0.0.1'],
  allowed_hosts: [],
  allowed_origins: [],
  trusted_networks: [],
  trusted_proxies: [],
  proxy_secret: null,
  trusts_loopback: true,
  sso_change_groups: [],
  sso_read_groups: [],
}

describe('accepted', () => {
  test.each<[string, Partial<AccessSettings>]>([
    ['loopback alone, without a key', {}],
    ['IPv6 loopback', { listen: ['::1'] }],
    ['localhost', { listen: ['localhost'] }],
    ['everything set', SETTINGS],
    ['an open address with a key', { listen: ['0.0.0.0'], api_key: new Secret('k') }],
    ['an open address with a trusted network', { listen: ['::'], trusted_networks: ['192.168.0.0/16'] }],
    [
      'an open address with a network and a proxy',
      {
        listen: ['::'],
        trusted_networks: ['10.0.0.1/32'],
        trusted_proxies: ['10.0.0.2'],
        proxy_secret: new Secret('s'),
      },
    ],
    ['single addresses as networks', { trusted_networks: ['192.168.1.7', 'fd00::1'] }],
    [
      'hosts and origins',
      { allowed_hosts: ['a.example', '10.0.0.1', '[fd00::1]'], allowed_origins: ['http://a.example:81'] },
    ],
  ])('%s', (_what, settings) => {
    expect(accessFaults({ ...CLOSED, ...settings })).toEqual([])
  })
})

describe('refused, with the setting named', () => {
  const proxy_secret = new Secret('s')
  test.each<readonly [string, Partial<AccessSettings>, RegExp]>([
    ['an open address that lets nobody in', { listen: ['0.0.0.0'] }, /PLUMBLINE_LISTEN.*0\.0\.0\.0.*API_KEY/],
    [
      'an open address with an empty key',
      { listen: ['10.0.0.1'], api_key: new Secret('') },
      /PLUMBLINE_LISTEN/,
    ],
    ['proxies without a secret', { trusted_proxies: ['10.0.0.1'] }, /PLUMBLINE_PROXY_SECRET/],
    [
      'proxies with an empty secret',
      { trusted_proxies: ['10.0.0.1'], proxy_secret: new Secret('') },
      /PLUMBLINE_PROXY_SECRET/,
    ],
    ...[
      '::ffff:10.1.2.3/104',
      '::ffff:10.1.2.3',
      '10.0.0.0/8x',
      '10.0.0.0/ 8',
      '10.0.0.0/8 ',
      '10.0.0.0/33',
      'fd00::/129',
    ].map(
      (network) =>
        [`${network} as a network`, { trusted_networks: [network] }, /PLUMBLINE_TRUSTED_NETWORKS/] as const,
    ),
    ...['1[::1]', '[::1]1'].map(
      (host) => [`${host} as a host`, { allowed_hosts: [host] }, /PLUMBLINE_ALLOWED_HOSTS/] as const,
    ),
    ...[
      'https://[',
      'xhttps://a.example',
      'https://a.example?x',
      'https://a.example/',
      'https://a.example/b',
    ].map(
      (origin) =>
        [`${origin} as an origin`, { allowed_origins: [origin] }, /PLUMBLINE_ALLOWED_ORIGINS/] as const,
    ),
    [
      'the whole internet as a network',
      { trusted_networks: ['0.0.0.0/0'] },
      /PLUMBLINE_TRUSTED_NETWORKS.*whole internet/,
    ],
    [
      'the whole IPv6 internet as a proxy',
      { trusted_proxies: ['::/0'], proxy_secret },
      /PLUMBLINE_TRUSTED_PROXIES.*whole internet/,
    ],
    [
      'the whole internet in disguise',
      { trusted_networks: ['::ffff:0.0.0.0/96'] },
      /PLUMBLINE_TRUSTED_NETWORKS/,
    ],
    ['a name as a network', { trusted_networks: ['lan'] }, /"lan"/],
    ['a prefix that is too long', { trusted_networks: ['10.0.0.0/33'] }, /10\.0\.0\.0\/33/],
    ['a prefix that is no number', { trusted_networks: ['10.0.0.0/a'] }, /10\.0\.0\.0\/a/],
    ['two prefixes', { trusted_networks: ['10.0.0.0/8/8'] }, /10\.0\.0\.0\/8\/8/],
    ['an address with leading zeros', { trusted_networks: ['010.0.0.0/8'] }, /010\.0\.0\.0/],
    ['a host with a port', { allowed_hosts: ['a.example:8080'] }, /PLUMBLINE_ALLOWED_HOSTS/],
    ['a host pattern', { allowed_hosts: ['*.example'] }, /PLUMBLINE_ALLOWED_HOSTS/],
    ['an origin with a path', { allowed_origins: ['https://a.example/x'] }, /PLUMBLINE_ALLOWED_ORIGINS/],
    ['any origin', { allowed_origins: ['*'] }, /PLUMBLINE_ALLOWED_ORIGINS/],
    ['the null origin', { allowed_origins: ['null'] }, /PLUMBLINE_ALLOWED_ORIGINS/],
  ])('%s', (_what, settings, text) => {
    const faults = accessFaults({ ...CLOSED, ...settings })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(text)
  })

  test('all faults are reported at once', () => {
    const faults = accessFaults({
      ...CLOSED,
      listen: ['0.0.0.0'],
      allowed_hosts: ['a b'],
      allowed_origins: ['x'],
    })
    expect(faults).toHaveLength(3)
  })
})
