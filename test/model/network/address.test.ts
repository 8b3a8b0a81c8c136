/** Addresses in the many ways in which one can be written, and which of them may be connected to or published. */
import { describe, expect, test } from 'vitest'
import { isLoopback, parseAddress } from '../../../src/model/network/address.ts'
import { checkEdited, checkNew, type Offer } from '../../../src/model/domain/rules.ts'
import { type DomainFields, FIELDS } from '../../../src/model/domain/record.ts'
import { parsePublicAddress } from '../../../src/model/network/public-address.ts'

const OFFER: Offer = {
  tcp_entrypoints: [],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set(),
}

/** 169.254.169.254, and the services of other clouds, in every form that some reader takes for them. */
const METADATA = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:169.254.169.254',
  // IPv4-compatible
  '::169.254.169.254',
  '::a9fe:a9fe',
  // IPv4-translated (RFC 2765)
  '::ffff:0:169.254.169.254',
  '::ffff:0:a9fe:a9fe',
  // NAT64, also with a prefix for local use (RFC 8215)
  '64:ff9b::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:fffe::169.254.169.254',
  // 6to4 and Teredo
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '2001::5601:5601',
  // of other clouds
  '192.0.0.192',
  '::ffff:192.0.0.192',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
]
const LOOPBACK_IN_DISGUISE = [
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::127.0.0.1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
]
const SITE_LOCAL = ['fec0::1', 'fec0:0:0:ffff::1', 'feff::1']

describe('what is neither connected to nor published', () => {
  test.each([...METADATA, ...LOOPBACK_IN_DISGUISE, ...SITE_LOCAL])('%s', (text) => {
    expect(parseAddress(text).ok).toBe(false)
    for (const field of ['backend_host', 'static_ip'] as const)
      expect([field, FIELDS[field].parse(text).ok]).toEqual([field, false])
    expect(parsePublicAddress(text).ok).toBe(false)
  })

  test.each([
    'metadata.google.internal',
    'Metadata.Google.Internal.',
    'metadata.goog',
    'instance-data.ec2.internal',
  ])('%s, a name of such a service', (text) => {
    expect(FIELDS.backend_host.parse(text)).toMatchObject({
      ok: false,
      msg: expect.stringContaining('metadata'),
    })
  })
})

test.each(['169.254.169.254', '192.0.0.192', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])(
  '%s is reported by no gateway, whatever networks may be',
  (text) => expect(parsePublicAddress(text, { private_too: () => true }).ok).toBe(false),
)

describe('what may be', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['10.0.0.5', '10.0.0.5'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['192.0.0.171', '192.0.0.171'],
    ['fd00::5', 'fd00::5'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:4860:4860::8888', '2001:4860:4860::8888'],
    ['2a02::1', '2a02::1'],
  ])('%s', (text, canonical) => {
    expect(parseAddress(text)).toEqual({ ok: true, value: canonical })
  })

  test.each(['metadata', 'metadata.example.com', 'google.internal', 'my-metadata.google.internal'])(
    'the name %s',
    (text) => expect(FIELDS.backend_host.parse(text).ok).toBe(true),
  )
})

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['128.0.0.1', false],
  ['::2', false],
])('%s is loopback: %s', (address, is) => expect(isLoopback(address)).toBe(is))

describe('a fixed public address', () => {
  const record = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
  const made = (static_ip: string | null) => checkNew({ ...record, static_ip }, OFFER)
  const saved = made('84.1.1.1') as { readonly fields: DomainFields }

  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
    'is not %s, which leads visitors to themselves',
    (ip) => {
      expect(made(ip)).toMatchObject({ ok: false, errors: [{ loc: ['body', 'static_ip'] }] })
      expect(checkEdited(saved.fields, { static_ip: ip }, OFFER)).toMatchObject({ ok: false })
    },
  )

  test('that is saved already does not lock its record, and cannot be given again', () => {
    const earlier = { ...saved.fields, static_ip: '127.0.0.1' }
    expect(checkEdited(earlier, { note: 'x' }, OFFER)).toMatchObject({ ok: true })
    expect(checkEdited(earlier, { static_ip: null }, OFFER)).toMatchObject({ ok: true })
    expect(checkEdited(earlier, { static_ip: '127.0.0.2' }, OFFER)).toMatchObject({ ok: false })
  })
})
