/** How the proxy speaks to a backend: what a record may say of it, in which spelling, and what it is told about it. */
import { afterAll, describe, expect, it } from 'vitest'
import { schemeOf } from '../../../src/model/domain/backend-tls.ts'
import { FIELDS } from '../../../src/model/domain/record.ts'
import { checkNew } from '../../../src/model/domain/rules.ts'
import { backendCertificates } from '../../fakes/backend-certificates.ts'
import { offerOf, someSettings } from '../../features/routes/target/settings.ts'

const made = backendCertificates()
afterAll(() => made[Symbol.dispose]())
const nas = made.make({ san: 'DNS:nas.lan,IP:10.0.0.7' })
const nameless = made.make({ san: '' })

const OFFER = offerOf(someSettings({ backend_authorities: new Map([['home', made.authority]]) }))
const RECORD = { domain: 'nas.example.com', service_type: 'http', environment: 'production' } as const
const check = (fields: Record<string, unknown>) =>
  checkNew({ ...RECORD, backend_host: '10.0.0.7', backend_port: 8443, ...fields }, OFFER)
const faults = (fields: Record<string, unknown>) => {
  const checked = check(fields)
  return checked.ok ? [] : checked.errors.map(({ loc, msg }) => `${loc[1]} ${msg}`)
}

describe('backend_tls', () => {
  const parse = FIELDS.backend_tls.parse

  it.each([
    [{ trust: 'system' }, { trust: 'system' }],
    [
      { trust: 'system', server_name: 'NAS.lan.' },
      { trust: 'system', server_name: 'nas.lan' },
    ],
    [{ trust: 'insecure', pem: null, server_name: null }, { trust: 'insecure' }],
    [
      { trust: 'ca', ca_name: 'home' },
      { trust: 'ca', ca_name: 'home' },
    ],
    [
      { trust: 'certificate', fingerprint: 'AB:'.repeat(31) + 'CD' },
      { trust: 'certificate', fingerprint: 'ab'.repeat(31) + 'cd' },
    ],
  ])('takes %j', (input, value) => expect(parse(input)).toEqual({ ok: true, value }))

  it('keeps certificates in one spelling, with their fingerprint, and nothing of what stood around them', () => {
    const pasted = `subject=CN = nas\n${nas.cert.replaceAll('\n', '\r\n')}\n  bye`
    expect(parse({ trust: 'certificate', pem: pasted })).toEqual({
      ok: true,
      value: { trust: 'certificate', pem: nas.cert, fingerprint: nas.fingerprint },
    })
    expect(parse({ trust: 'ca', pem: made.authority + pasted })).toEqual({
      ok: true,
      value: { trust: 'ca', pem: made.authority + nas.cert },
    })
  })

  it.each([
    ['no object', 'insecure'],
    ['an unknown key', { trust: 'system', verify: false }],
    ['an unknown trust', { trust: 'none' }],
    ['a key of another trust', { trust: 'insecure', pem: nas.cert }],
    ['an authority twice', { trust: 'ca', ca_name: 'home', pem: made.authority }],
    ['no authority', { trust: 'ca' }],
    ['a path', { trust: 'ca', ca_name: '/etc/ssl/ca.pem' }],
    ['a path as certificate', { trust: 'ca', pem: '/etc/ssl/ca.pem' }],
    ['a path behind a parent', { trust: 'ca', ca_name: '../ca' }],
    ['a key', { trust: 'certificate', pem: nas.key + nas.cert }],
    ['a broken certificate', { trust: 'certificate', pem: nas.cert.replace(/\n[A-Za-z0-9+/]{64}\n/, '\n') }],
    ['two certificates as one', { trust: 'certificate', pem: nas.cert + made.authority }],
    [
      'the fingerprint of another',
      { trust: 'certificate', pem: nas.cert, fingerprint: nameless.fingerprint },
    ],
    ['half a fingerprint', { trust: 'certificate', fingerprint: 'abcd' }],
    ['nothing to go by', { trust: 'certificate' }],
    ['a star as name', { trust: 'system', server_name: '*.lan' }],
    ['a text without end', { trust: 'ca', pem: nas.cert.repeat(60) }],
  ])('refuses %s', (_what, input) => expect(parse(input).ok).toBe(false))
})

describe('across the fields', () => {
  it('the scheme is what is said, else what the port means', () => {
    expect(schemeOf({ backend_scheme: null, backend_port: 443 })).toBe('https')
    expect(schemeOf({ backend_scheme: null, backend_port: 8443 })).toBe('http')
    expect(schemeOf({ backend_scheme: 'http', backend_port: 443 })).toBe('http')
    expect(schemeOf({ backend_scheme: 'h2c', backend_port: null })).toBe('h2c')
  })

  it('trust needs https, and TCP takes neither', () => {
    const insecure = { backend_tls: { trust: 'insecure' } }
    expect(faults(insecure)).toEqual([
      'backend_tls needs backend_scheme https, which is the default for port 443 alone',
    ])
    expect(faults({ ...insecure, backend_scheme: 'h2c' })).toEqual(['backend_tls needs backend_scheme https'])
    expect(faults({ ...insecure, backend_port: 443 })).toEqual([])
    const tcp = { service_type: 'tcp-proxy', tcp_entrypoint: 'mqtt', backend_scheme: 'https', ...insecure }
    expect(faults(tcp)).toEqual([
      'backend_scheme must be null when protocol is tcp',
      'backend_tls must be null when protocol is tcp',
    ])
  })

  it('an authority is one that the installation has', () => {
    const by = (ca_name: string) => faults({ backend_scheme: 'https', backend_tls: { trust: 'ca', ca_name } })
    expect(by('home')).toEqual([])
    expect(by('hom')).toEqual([
      expect.stringMatching(/is no file of PLUMBLINE_BACKEND_CA_DIR \(home\).*home/),
    ])
  })

  it('a certificate is for the name that is asked for, or cannot be trusted by itself', () => {
    const pinned = (pem: string, more = {}) =>
      faults({ backend_scheme: 'https', backend_tls: { trust: 'certificate', pem, ...more } })
    expect(pinned(nas.cert)).toEqual([])
    expect(pinned(nas.cert, { server_name: 'nas.lan' })).toEqual([])
    expect(pinned(nas.cert, { server_name: 'other.lan' })).toEqual([
      'backend_tls has a certificate for nas.lan, 10.0.0.7 and not for other.lan: set server_name to one of its names',
    ])
    // Its common name is the very host; Go reads none.
    expect(
      faults({
        backend_host: '127.0.0.1',
        backend_scheme: 'https',
        backend_tls: { trust: 'certificate', pem: nameless.cert },
      }),
    ).toEqual([expect.stringMatching(/without names.*set trust to insecure/)])
  })

  it('a certificate that is not there yet is not enough', () => {
    expect(
      faults({
        backend_scheme: 'https',
        backend_tls: { trust: 'certificate', fingerprint: nas.fingerprint },
      }),
    ).toEqual(['backend_tls needs pem: the certificate was not fetched by its fingerprint'])
  })

  it('insecure is said', () => {
    const checked = check({ backend_scheme: 'https', backend_tls: { trust: 'insecure' } })
    expect(checked).toMatchObject({ ok: true, warnings: [expect.stringMatching(/^backend_tls is insecure/)] })
    expect(check({ backend_scheme: 'https' })).toMatchObject({ ok: true, warnings: [] })
  })
})
