/** The grammar of looking at DNS: servers, resolvers and where their settings stand. */
import { describe, expect, it } from 'vitest'
import { loadConfig, SECTIONS } from '../../src/settings-wiring.ts'

const { resolver } = SECTIONS
const refusalOf = (
  schema: (typeof resolver)['config' | 'authoritative' | 'resolvers']['schema'],
  text: string,
) => schema.safeParse(text).error?.issues[0]?.message ?? null

describe('authoritative servers', () => {
  it('are addresses or names, with port 53 where none is given', () => {
    expect(
      resolver.authoritative.schema.parse(
        '192.0.2.53, 192.0.2.53:5353,2001:db8::53,[2001:DB8::54]:5354,NS1.example.com:53',
      ),
    ).toEqual([
      { host: '192.0.2.53', port: 53 },
      { host: '192.0.2.53', port: 5353 },
      { host: '2001:db8::53', port: 53 },
      { host: '2001:db8::54', port: 5354 },
      { host: 'ns1.example.com', port: 53 },
    ])
    expect(resolver.authoritative.schema.parse('')).toEqual([])
  })

  it.each([
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '[192.0.2.53]:53',
    '[::1',
    '::1]:53',
    'a b',
    'http://x',
    ':53',
  ])('%s is none', (text) =>
    expect(refusalOf(resolver.authoritative.schema, text)).toMatch(/^(?:must|is|has) |: /),
  )
})

describe('resolvers', () => {
  it('are addresses, since names would need a resolver', () => {
    expect(resolver.resolvers.schema.parse('10.0.0.1,[fd00::1]:5353')).toEqual([
      { address: '10.0.0.1', port: 53 },
      { address: 'fd00::1', port: 5353 },
    ])
    expect(refusalOf(resolver.resolvers.schema, 'resolver.lan')).toContain('must be an address')
  })
})

describe('sources of settings', () => {
  it('are a product and a path or URL', () => {
    expect(
      resolver.config.schema.parse(
        'dnsmasq:/etc/dnsmasq.conf,unbound:/etc/unbound/unbound.conf,hosts:/etc/hosts,adguard:http://192.0.2.3:3000/,pihole:https://pi.hole',
      ),
    ).toEqual([
      { product: 'dnsmasq', location: '/etc/dnsmasq.conf' },
      { product: 'unbound', location: '/etc/unbound/unbound.conf' },
      { product: 'hosts', location: '/etc/hosts' },
      { product: 'adguard', location: 'http://192.0.2.3:3000' },
      { product: 'pihole', location: 'https://pi.hole' },
    ])
  })

  it.each([
    '/etc/hosts',
    'bind:/etc/named.conf',
    'hosts:',
    'adguard:/etc/x',
    'pihole:ftp://x',
    'hosts:/a\u0007b',
  ])('%j is none', (text) => expect(refusalOf(resolver.config.schema, text)).not.toBeNull())

  it('a credential in a URL is refused, and never repeated', () => {
    const refusal = refusalOf(resolver.config.schema, 'adguard:http://admin:hunter2@192.0.2.3')
    expect(refusal).not.toBeNull()
    expect(refusal).not.toContain('hunter2')
  })
})

it('all faults are told at once, and passwords come from files', () => {
  expect(() =>
    loadConfig({
      PLUMBLINE_DNS_AUTHORITATIVE: 'a b',
      PLUMBLINE_DNS_RESOLVERS: 'resolver.lan',
      PLUMBLINE_RESOLVER_CONFIG: 'bind:/x',
      PLUMBLINE_RESOLVER_ADDRESS: '127.0.0.1',
      PLUMBLINE_PIHOLE_PASSWORD_FILE: '/nowhere/password',
    }),
  ).toThrow(
    /(?=.*DNS_AUTHORITATIVE)(?=.*DNS_RESOLVERS)(?=.*RESOLVER_CONFIG)(?=.*RESOLVER_ADDRESS)(?=.*PIHOLE_PASSWORD)/s,
  )
})
