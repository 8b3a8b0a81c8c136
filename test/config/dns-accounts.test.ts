/** Accounts at DNS providers: from the environment, from the file, and everything that is missing said at once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DnsAccount } from '../../src/features/dns/accounts/dns-account.ts'
import { dnsAccounts } from '../../src/features/dns/accounts/dns-accounts.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { HttpReply, HttpRequest } from '../../src/ports/http-client.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
let token: string
beforeAll(() => {
  folder = newFolder('accounts')
  token = join(folder, 'token')
  writeFileSync(token, 'a-token-in-a-file\n')
})

const accounts = (env: Readonly<Record<string, string>>, listed: unknown = null) =>
  dnsAccounts(loadConfig({ PLUMBLINE_DATA_DIR: '/data', ...env }).settings, listed)

/** What an account asks first when it is to show its zones; nothing leaves the process. */
async function firstRequest(account: DnsAccount): Promise<HttpRequest> {
  const asked: HttpRequest[] = []
  const http = {
    async request(request: HttpRequest): Promise<HttpReply> {
      asked.push(request)
      return { status: 404, headers: {}, text: '', retry_after_ms: null }
    },
    close: async () => undefined,
  }
  const provider = await account.open({
    http,
    clock: handClock(),
    log: silentLog,
    back: () => undefined,
    atEnd: () => undefined,
  })
  expect(provider).toMatchObject({ account: account.name, kind: account.provider })
  await expect(provider.zones(AbortSignal.timeout(5_000))).rejects.toThrow(Failure)
  return asked[0]!
}

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
    const found = accounts({})
    expect(found).toMatchObject([
      { name: 'zonefile', provider: 'zonefile', zones: [], folder: '/data/zones', is_hosted: false },
    ])
    expect(found[0]!.isServed('/data')).toBe(false)
  })

  it.each([
    ['another folder', { PLUMBLINE_ZONEFILE_DIR: '/zones' }],
    ['a name server', { PLUMBLINE_ZONEFILE_NAMESERVERS: 'ns.example.net' }],
    ['a command that tells one', { PLUMBLINE_ZONEFILE_RELOAD: 'knotc zone-reload {zone}' }],
  ])('zone files are served where there is %s', (_title, env) => {
    expect(accounts(env)[0]!.isServed('/data')).toBe(true)
  })

  it.each([
    ['cloudflare', 'PLUMBLINE_CLOUDFLARE_API_TOKEN', 'https://api.cloudflare.com/', 'Bearer a-token'],
    ['hetzner', 'PLUMBLINE_HETZNER_TOKEN', 'https://api.hetzner.cloud/', 'Bearer a-token'],
    ['desec', 'PLUMBLINE_DESEC_TOKEN', 'https://desec.io/', 'Token a-token'],
  ])(
    '%s is asked with its token, where it is or where the settings say',
    async (provider, name, at, says) => {
      const env = { PLUMBLINE_DNS_PROVIDER: provider, [name]: 'a-token' }
      const [usual] = accounts(env)
      expect(usual!.is_hosted).toBe(true)
      expect(await firstRequest(usual!)).toMatchObject({
        url: expect.stringContaining(at) as string,
        headers: { authorization: says },
      })
      const gateway = 'http://gateway.example:8080'
      const [by_gateway] = accounts({ ...env, [`PLUMBLINE_${provider.toUpperCase()}_URL`]: gateway })
      expect((await firstRequest(by_gateway!)).url).toContain(gateway)
    },
  )

  it("the server of the settings is asked with its key, at the settings' address", async () => {
    const [found] = accounts({ PLUMBLINE_DNS_PROVIDER: 'powerdns', PLUMBLINE_POWERDNS_API_KEY: 'a-key' })
    expect(await firstRequest(found!)).toMatchObject({
      url: expect.stringContaining('http://127.0.0.1:8081/') as string,
      headers: { 'x-api-key': 'a-key' },
    })
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

  it('each with a name, the secret from a file of its own', async () => {
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
    const [shop, lan, disk] = found
    expect(await firstRequest(shop!)).toMatchObject({
      headers: { authorization: 'Bearer a-token-in-a-file' },
    })
    expect(await firstRequest(lan!)).toMatchObject({
      url: expect.stringContaining('http://192.0.2.1:8081/') as string,
      headers: { 'x-api-key': 'a-token-in-a-file' },
    })
    expect(disk).toMatchObject({ folder: '/zones', is_hosted: false })
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
