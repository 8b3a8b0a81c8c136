/** Accounts at DNS providers: from the environment, from the file, and everything that is missing said at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dnsAccounts } from '../../src/features/dns/accounts/dns-accounts.ts'
import { loadConfig } from '../../src/config/load.ts'
import { Failure } from '../../src/kernel/failure.ts'

let folder: string
let token: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-accounts-'))
  token = join(folder, 'token')
  writeFileSync(token, 'a-token-in-a-file\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const accounts = (env: Readonly<Record<string, string>>, listed: unknown = null) =>
  dnsAccounts(loadConfig({ PLUMBLINE_DATA_DIR: '/data', ...env }).settings, listed)

function faultsOf(env: Readonly<Record<string, string>>, listed: unknown = null): string[] {
  try {
    accounts(env, listed)
    return []
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_configuration') throw error
    return error.message.split('\n')
  }
}

describe('from the environment', () => {
  it('nothing set: zone files in the data directory', () => {
    expect(accounts({})).toEqual([
      {
        name: 'zonefile',
        provider: 'zonefile',
        zones: [],
        directory: '/data/zones',
        nameservers: ['localhost'],
        reload: null,
      },
    ])
  })

  it('none: no account', () => {
    expect(accounts({ PLUMBLINE_DNS_PROVIDER: 'none' })).toEqual([])
  })

  it.each([
    ['powerdns', ['PLUMBLINE_POWERDNS_API_KEY']],
    ['cloudflare', ['PLUMBLINE_CLOUDFLARE_API_TOKEN']],
    ['hetzner', ['PLUMBLINE_HETZNER_TOKEN']],
    ['desec', ['PLUMBLINE_DESEC_TOKEN']],
    [
      'rfc2136',
      [
        'PLUMBLINE_RFC2136_SERVER',
        'PLUMBLINE_RFC2136_KEY_NAME',
        'PLUMBLINE_RFC2136_KEY_SECRET',
        'PLUMBLINE_RFC2136_ZONES',
      ],
    ],
  ])('%s says all that it needs', (provider, needs) => {
    const faults = faultsOf({ PLUMBLINE_DNS_PROVIDER: provider })
    expect(faults.map((line) => line.split(' ')[0])).toEqual(needs)
    for (const fault of faults) expect(fault).toContain(`is required with PLUMBLINE_DNS_PROVIDER=${provider}`)
  })

  it('the zones of a server that may not be touched are left out, and none left is a fault', () => {
    const server = {
      PLUMBLINE_DNS_PROVIDER: 'rfc2136',
      PLUMBLINE_RFC2136_SERVER: '127.0.0.1:5353',
      PLUMBLINE_RFC2136_KEY_NAME: 'key',
      PLUMBLINE_RFC2136_KEY_SECRET: 'c2VjcmV0',
      PLUMBLINE_RFC2136_ZONES: 'one.example,two.example',
    }
    expect(accounts({ ...server, PLUMBLINE_DNS_ZONES: 'two.example' })).toMatchObject([
      { zones: ['two.example'] },
    ])
    expect(faultsOf({ ...server, PLUMBLINE_DNS_ZONES: 'three.example' })).toHaveLength(1)
  })

  it.each([
    ['PLUMBLINE_DNS_PROVIDER', 'cloudfare'],
    ['PLUMBLINE_DNS_TTL', '29'],
    ['PLUMBLINE_DNS_TTL', '1e3'],
    ['PLUMBLINE_PUBLIC_IPV6', '203.0.113.1'],
    ['PLUMBLINE_PUBLIC_IPV6', '::1'],
    ['PLUMBLINE_DNS_ZONES', 'com'],
    ['PLUMBLINE_ZONEFILE_RELOAD', 'rndc reload; rm -rf /'],
    ['PLUMBLINE_POWERDNS_URL', 'http://user:password@127.0.0.1'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name)
  })
})

describe('from the file', () => {
  const NONE = { PLUMBLINE_DNS_PROVIDER: 'none' }

  it('each with a name, the secret from a file of its own', () => {
    const listed = {
      accounts: [
        { name: 'shop', provider: 'cloudflare', token_file: token, zones: ['shop.example'] },
        { name: 'lan', provider: 'powerdns', url: 'http://192.0.2.1:8081', api_key_file: token },
        { name: 'disk', provider: 'zonefile', directory: '/zones', nameservers: ['ns.example.net'] },
      ],
    }
    const found = accounts(NONE, listed)
    expect(found.map(({ name, zones }) => [name, zones])).toEqual([
      ['shop', ['shop.example']],
      ['lan', []],
      ['disk', []],
    ])
    const [shop] = found
    expect(shop?.provider === 'cloudflare' && shop.token.reveal()).toBe('a-token-in-a-file')
    expect(JSON.stringify(found)).not.toContain('a-token-in-a-file')
  })

  it.each<[string, unknown, string]>([
    ['another shape', ['a'], 'expected object'],
    ['no account', { accounts: [] }, 'accounts'],
    ['an unknown provider', { accounts: [{ name: 'a', provider: 'route66' }] }, 'accounts.0.provider'],
    [
      'a secret that is not there',
      { accounts: [{ name: 'a', provider: 'desec', token_file: '/nowhere' }] },
      'no file',
    ],
    ['a secret in the file itself', { accounts: [{ name: 'a', provider: 'desec', token: 'x' }] }, 'token'],
  ])('%s is refused and says where', (_title, listed, words) => {
    const faults = faultsOf(NONE, listed)
    expect(faults.join(' ')).toContain('PLUMBLINE_DNS_ACCOUNTS_FILE')
    expect(faults.join(' ')).toContain(words)
  })

  it('two of one name, and zones that may not be touched, are faults', () => {
    const one = { name: 'zonefile', provider: 'desec', token_file: token }
    expect(faultsOf({}, { accounts: [one] }).join()).toContain('names the account "zonefile" twice')
    const limited = { name: 'a', provider: 'desec', token_file: token, zones: ['one.example'] }
    expect(faultsOf({ ...NONE, PLUMBLINE_DNS_ZONES: 'two.example' }, { accounts: [limited] })).toHaveLength(1)
  })
})
