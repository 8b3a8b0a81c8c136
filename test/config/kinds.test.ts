/** The grammar of every kind of setting, as tables of what is taken and what is refused. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ALL, SECTIONS } from '../../src/settings-wiring.ts'

/** Text and the value it becomes. */
type Taken = readonly (readonly [text: string, value: unknown])[]

function takes(schema: z.ZodType<unknown, string>, taken: Taken): void {
  for (const [text, value] of taken) expect([text, schema.parse(text)]).toEqual([text, value])
}

/** Every refusal is the end of a sentence about the setting. */
function refuses(schema: z.ZodType<unknown, string>, refused: readonly string[]): void {
  for (const text of refused) {
    const result = schema.safeParse(text)
    expect([text, result.success]).toEqual([text, false])
    expect(result.error!.issues[0]!.message).toMatch(/^(must|has) /)
  }
}

const { http, engine, routes } = SECTIONS

describe('every setting', () => {
  it('has a default in its own grammar, which is shown as it was typed', () => {
    for (const { setting } of ALL) {
      if (setting.default === null) continue
      const value = setting.schema.parse(setting.default)
      expect(setting.schema.parse(setting.show(value))).toEqual(value)
    }
  })

  it('has a name of its own and a sentence of help', () => {
    const names = ALL.map(({ setting }) => setting.name)
    expect(new Set(names).size).toBe(names.length)
    for (const { setting } of ALL) {
      expect(setting.name).toMatch(
        /^(PLUMBLINE_[A-Z0-9_]+|API_KEY|UCG_[A-Z_]+|(?:UK|FR)_DNS_ENDPOINT|ALERT_EMAIL(_SECONDARY|_CRITICAL_ONLY)?)$/,
      )
      expect(setting.help).toMatch(/^[\w].*\.$/)
    }
  })

  it('refuses hostile text without stalling or throwing', () => {
    const hostile = [
      '{{ env "X" }}',
      '`',
      '\u0000',
      '\u2028',
      '../'.repeat(2000),
      'a'.repeat(64_000),
      '-'.repeat(64_000),
    ]
    const lists = ['1.'.repeat(30_000), ','.repeat(64_000), `${'a.'.repeat(30_000)}!`, 'x=1,'.repeat(15_000)]
    for (const { setting } of ALL)
      for (const text of [...hostile, ...lists]) expect(() => setting.schema.safeParse(text)).not.toThrow()
  })
})

describe('an address to listen on', () => {
  it('is host:port with brackets around IPv6', () => {
    takes(http.listen.schema, [
      ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
      ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
      ['[::1]:65535', { host: '::1', port: 65535 }],
      ['[0:0:0:0:0:0:0:1]:1', { host: '::1', port: 1 }],
      ['LocalHost:80', { host: 'localhost', port: 80 }],
    ])
    expect(http.listen.show({ host: '::1', port: 80 })).toBe('[::1]:80')
    refuses(http.listen.schema, [
      '8080',
      ':8080',
      '127.0.0.1',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '127.0.0.1:-1',
      '127.1:80',
      '256.0.0.1:80',
      '0x7f.1:80',
      '::1:80',
      '[127.0.0.1]:80',
      '[fe80::1%eth0]:80',
      'http://127.0.0.1:80',
      'a b:80',
    ])
  })
})

describe('a list of hosts', () => {
  it('holds names and addresses without ports', () => {
    takes(http.allowed_hosts.schema, [
      [
        'Plumbline.Example.com., 192.0.2.1 ,[2001:db8::1],',
        ['plumbline.example.com', '192.0.2.1', '2001:db8::1'],
      ],
      ['a.example,a.example', ['a.example']],
    ])
    refuses(http.allowed_hosts.schema, [
      'a.example:8080',
      'https://a.example',
      '*.example.com',
      'a/b',
      '127.1',
      '*',
    ])
  })
})

describe('a list of origins', () => {
  it('holds exact origins', () => {
    takes(http.allowed_origins.schema, [
      [
        'https://Console.example.com/, http://10.0.0.1:3000',
        ['https://console.example.com', 'http://10.0.0.1:3000'],
      ],
      ['https://a.example:443', ['https://a.example']],
    ])
    refuses(http.allowed_origins.schema, [
      '*',
      'null',
      'https://*.example.com',
      'https://a.example/x',
      'a.example',
      'https://u:p@a',
    ])
  })
})

describe('a list of networks', () => {
  it('is given in one spelling', () => {
    takes(http.trusted_networks.schema, [
      ['10.0.0.0/8, 192.168.1.5', ['10.0.0.0/8', '192.168.1.5/32']],
      ['fd00::/8,FD12:0:0:0::1', ['fd00::/8', 'fd12::1/128']],
      ['192.168.1.128/25', ['192.168.1.128/25']],
    ])
  })

  it('refuses the whole internet, in every spelling, and what is no network', () => {
    refuses(http.trusted_networks.schema, [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/0',
      '::ffff:0:0/96',
      '::ffff:10.0.0.1',
    ])
    refuses(http.trusted_proxies.schema, [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '10.0.0.0/',
      'lan',
      '010.0.0.1',
    ])
  })

  it('takes nothing for one host that looks like a network', () => {
    const messageOf = (text: string) => http.trusted_networks.schema.safeParse(text).error?.issues[0]?.message
    expect(messageOf('192.168.1.0')).toContain('write 192.168.1.0/24 for the network, 192.168.1.0/32 for')
    expect(messageOf('fd00:1::')).toContain('write fd00:1::/64 for the network, fd00:1::/128 for')
    takes(http.trusted_networks.schema, [['192.168.1.0/32', ['192.168.1.0/32']]])
  })

  it('refuses bits behind the length and says what was probably meant', () => {
    const messageOf = (text: string) => http.trusted_networks.schema.safeParse(text).error?.issues[0]?.message
    expect(messageOf('192.168.1.5/8')).toContain('write 192.0.0.0/8 or 192.168.1.5/32')
    expect(messageOf('192.168.1.129/25')).toContain('write 192.168.1.128/25')
    expect(messageOf('fd12:3456::1/12')).toContain('write fd10::/12 or fd12:3456::1/128')
    expect(messageOf('2001:db8:1235::/47')).toContain('write 2001:db8:1234::/47')
    expect(messageOf('2001:db8:1234::/47')).toBeUndefined()
  })
})

describe('the proxy’s settings', () => {
  it('know a version by its first one to three numbers', () => {
    takes(routes.traefik_version.schema, [
      ['3', [3, 0, 0]],
      ['3.7', [3, 7, 0]],
      ['v3.6.14', [3, 6, 14]],
    ])
    refuses(routes.traefik_version.schema, ['2.11', 'v4', '3.7-rc1', '3.', 'latest', '3.7.1.0'])
  })

  it('know entrypoints by unique names and ports, one for http and one for https among them', () => {
    const both = [
      { name: 'web', port: 8000, role: 'http' },
      { name: 'websecure', port: 8443, role: 'https' },
    ]
    takes(routes.entrypoints.schema, [
      ['web=8000, websecure=8443', both],
      ['web=8000,websecure=8443,ssh-2=2222', [...both, { name: 'ssh-2', port: 2222, role: 'tcp' }]],
    ])
    refuses(routes.entrypoints.schema, [
      'web=80',
      'web=80,websecure=443,web=81',
      'web=80,websecure=80',
      'web=0,websecure=443',
      'web=80,websecure=65536',
      'web=80,websecure=443,SSH=22',
      'web=80,websecure=443,2=22',
      'web=80,websecure=443,',
      'web:80,websecure:443',
      'web=80/tcp,websecure=443',
      'web=80,websecure=443/udp',
      'web=80,websecure=443/',
      'web=80/HTTP,websecure=443',
      'a=8000,b=8443',
    ])
  })

  it.each<[string, string]>([
    ['http=80,https=443', 'http https'],
    ['http=8080,https=8443', 'http https'],
    ['https=443,http=80', 'https http'],
    ['entry=80,entry-tls=443,db=5432', 'http https tcp'],
    ['plain=80,web_secure=443', 'http https'],
    ['HTTP=80,HTTPS=443', 'http https'],
    ['web=8080/tcp,in=8000/http,out=8443/https', 'tcp http https'],
    ['web=80,lan=8443/https,websecure=443', 'http https https'],
    ['http=80/http,https=443/https,ssh=22/tcp', 'http https tcp'],
    // Of unsaid ones at most one has a role, by the first that says most, so that what was for TCP remains so.
    ['web=80,websecure=443,http=8080,https=8443', 'http https tcp tcp'],
    ['web=8080,websecure=8443,old=80,mail=443', 'http https tcp tcp'],
    ['https=8443,mail=443,plain=80', 'https tcp http'],
  ])('say the roles of %s as %s', (text, roles) => {
    const read = routes.entrypoints.schema.parse(text)
    expect(read.map(({ role }) => role).join(' ')).toBe(roles)
  })

  it('say which role no entrypoint has', () => {
    const said = (text: string): string =>
      routes.entrypoints.schema
        .safeParse(text)
        .error!.issues.map(({ message }) => message)
        .join()
    expect(said('a=8000,b=8443/https')).toMatch(/no entrypoint for http: .*=port\/http/)
    expect(said('web=80,b=8443')).toMatch(/no entrypoint for https: .*=port\/https/)
    expect(said('a=1,b=2')).toMatch(/for http and https/)
    expect(said('web=80,websecure=443/udp')).toContain('"websecure=443/udp"')
  })

  it('show entrypoints with their roles where those do not follow from the names and ports', () => {
    for (const text of ['web=80,websecure=443,ssh=22', 'in=8000/http,out=8443/https,ssh=22/tcp'])
      expect(routes.entrypoints.show(routes.entrypoints.schema.parse(text))).toBe(text)
  })

  it('take URLs without credentials, query or last slash', () => {
    takes(routes.traefik_api.schema, [
      ['http://traefik:8080/', 'http://traefik:8080'],
      ['https://[2001:db8::1]:8443/base/', 'https://[2001:db8::1]:8443/base'],
    ])
    refuses(routes.traefik_api.schema, [
      'traefik:8080',
      'ftp://traefik',
      'http://u:p@traefik',
      'http://traefik/?x=1',
      'http://',
    ])
  })

  it('take a routes file that the proxy will read', () => {
    refuses(routes.file.schema, ['/etc/traefik/routes', '/etc/traefik/routes.toml', '/etc/traefik/'])
  })

  it('take a resolver name', () => {
    takes(routes.cert_resolver.schema, [['letsencrypt', 'letsencrypt']])
    refuses(routes.cert_resolver.schema, ['a b', '{{x}}', 'a`b', '-a'])
  })
})

describe('a public address', () => {
  it('is one that may stand in DNS', () => {
    takes(engine.public_ip.schema, [
      ['203.0.113.7', '203.0.113.7'],
      ['192.168.1.7', '192.168.1.7'],
      ['2001:DB8:0::7', '2001:db8::7'],
    ])
    refuses(engine.public_ip.schema, [
      '127.0.0.1',
      '0.0.0.0',
      '::',
      '::1',
      '169.254.1.1',
      'fe80::1',
      '224.0.0.1',
      '::ffff:1.2.3.4',
      'a.example',
      '1.2.3',
    ])
  })
})
