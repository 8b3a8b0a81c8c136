/** What a gateway may report as its own address: every special-purpose network and every odd spelling, one by one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inNetworks, parsePublicAddress } from '../../../src/model/network/public-address.ts'

const TAKEN: readonly (readonly [text: string, address: string, type: 'A' | 'AAAA'])[] = [
  ['1.1.1.1', '1.1.1.1', 'A'],
  ['8.8.4.4', '8.8.4.4', 'A'],
  ['9.255.255.255', '9.255.255.255', 'A'],
  ['11.0.0.0', '11.0.0.0', 'A'],
  ['84.1.2.3', '84.1.2.3', 'A'],
  ['100.63.255.255', '100.63.255.255', 'A'],
  ['100.128.0.0', '100.128.0.0', 'A'],
  ['126.255.255.255', '126.255.255.255', 'A'],
  ['128.0.0.1', '128.0.0.1', 'A'],
  ['169.253.255.255', '169.253.255.255', 'A'],
  ['172.15.255.255', '172.15.255.255', 'A'],
  ['172.32.0.0', '172.32.0.0', 'A'],
  ['192.0.1.1', '192.0.1.1', 'A'],
  ['192.167.255.255', '192.167.255.255', 'A'],
  ['192.169.0.0', '192.169.0.0', 'A'],
  ['198.17.255.255', '198.17.255.255', 'A'],
  ['198.20.0.0', '198.20.0.0', 'A'],
  ['223.255.255.255', '223.255.255.255', 'A'],
  ['2a02:2f0e::1', '2a02:2f0e::1', 'AAAA'],
  ['2A02:2F0E:0:0:0:0:0:1', '2a02:2f0e::1', 'AAAA'],
  ['2a02:2f0e:0000:0000:0000:0000:0000:0001', '2a02:2f0e::1', 'AAAA'],
  ['2001:200::1', '2001:200::1', 'AAAA'],
  ['2001:4860:4860::8888', '2001:4860:4860::8888', 'AAAA'],
  ['2606:4700:4700::1111', '2606:4700:4700::1111', 'AAAA'],
  ['2003:db8::1', '2003:db8::1', 'AAAA'],
  ['3ffe::1', '3ffe::1', 'AAAA'],
]

const NOT_PUBLIC: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'shared by carriers': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1'],
  'site-local, deprecated': ['fec0::1', 'feff::1'],
  'protocol assignments': ['192.0.0.1', '192.0.0.8', '192.0.0.10', '192.0.0.170', '2001:1::1'],
  documentation: [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.255',
    '2001:db8::1',
    '2001:DB8::1',
    '3fff::1',
    '3fff:fff::1',
  ],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  'services, not hosts': ['192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1', '2001:4:112::1'],
  '6to4': ['192.88.99.1', '2002::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:20::1', '2001:30::1'],
  NAT64: ['64:ff9b::808:808', '64:ff9b:1::1'],
  'the unspecified address': ['::'],
  'discard and dummy prefixes': ['100::1', '100:0:0:1::1'],
  'segment routing': ['5f00::1'],
  'unique local': ['fc00::1', 'fd00::1', 'fdff:ffff::1'],
  'never assigned': ['1::1', '4000::1', '8000::1', 'e000::1'],
  'metadata services': ['168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
  'IPv4 in hexadecimal groups of IPv6': ['::ffff:808:808', '::808:808', '0:0:0:0:0:ffff:0808:0808'],
}

const NO_ADDRESS: Readonly<Record<string, readonly string[]>> = {
  nothing: ['', ' ', '0'],
  'a short form': ['1.1', '8.8.8', '134744072', '8.8.2056'],
  octal: ['010.8.8.8', '08.8.8.8', '8.8.8.08', '0010.0.0.1'],
  hexadecimal: ['0x08.8.8.8', '0x8080808', '8.8.8.0x8'],
  'a list': ['8.8.8.8,8.8.4.4', '8.8.8.8 8.8.4.4', '8.8.8.8;8.8.4.4', '8.8.8.8\n8.8.4.4'],
  'a port': ['8.8.8.8:53', '[2a02::1]:53', '[2a02::1]'],
  'a length': ['8.8.8.8/32', '2a02::1/64'],
  'blanks around it': [' 8.8.8.8', '8.8.8.8 ', '\t8.8.8.8', '8.8.8.8\r', '8.8.8.8\0'],
  'too much of it': [
    '8.8.8.8.8',
    '8.8.8.256',
    '8.8.8.-1',
    '8.8.8.8.',
    '.8.8.8.8',
    '8..8.8',
    '2a02::1::2',
    '2a02:1',
    '12345::1',
  ],
  'a zone': ['fe80::1%eth0', '2a02::1%0', '2a02::1%25eth0'],
  'IPv4 inside IPv6': ['::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '2a02::8.8.8.8', '2002::8.8.8.8'],
  'other digits': ['８.8.8.8', '8。8。8。8', '٨.8.8.8', '8.8.8.8e0', '8,8.8.8'],
  'something else': [
    'localhost',
    'null',
    'undefined',
    'example.com',
    '{{8.8.8.8}}',
    '8.8.8.8;id',
    '1'.repeat(100_000),
  ],
}

describe('the ip value', () => {
  test.each(TAKEN)('%s is taken', (text, address, type) => {
    expect(parsePublicAddress(text)).toEqual({ ok: true, value: { address, type } })
  })

  const cases = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table).flatMap(([what, texts]) => texts.map((text) => [what, text] as const))

  test.each(cases(NOT_PUBLIC))('%s is not public: %s', (_what, text) => {
    expect(parsePublicAddress(text)).toMatchObject({ ok: false, type: 'not_public' })
  })

  test.each(cases(NO_ADDRESS))('%s is no address: %j', (_what, text) => {
    expect(parsePublicAddress(text)).toMatchObject({ ok: false, type: 'ip_address' })
  })

  test('the tables hold more than 80 spellings to refuse', () => {
    expect(cases(NOT_PUBLIC).length + cases(NO_ADDRESS).length).toBeGreaterThan(80)
  })
})

describe('networks that the settings let in', () => {
  const private_too = inNetworks(['10.0.0.0/8', '192.0.2.0/24', '100.64.0.0/10', 'fd00::/8', '2001:db8::/32'])

  test.each(['10.1.2.3', '192.0.2.1', '100.64.0.1', 'fd12::1', '2001:db8::1', '8.8.8.8', '2a02::1'])(
    '%s is taken',
    (text) => expect(parsePublicAddress(text, { private_too })).toMatchObject({ ok: true }),
  )

  test.each([
    '192.168.0.1',
    'fc00::1',
    '2002::1',
    '203.0.113.1',
    'fd00:ec2::254',
    '::ffff:10.1.2.3',
    '10.01.2.3',
  ])('%s is refused all the same', (text) =>
    expect(parsePublicAddress(text, { private_too })).toMatchObject({ ok: false }),
  )

  test.each([
    '0.0.0.0',
    '127.0.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'ff02::1',
  ])('%s is never let in, whatever they say', (text) =>
    expect(parsePublicAddress(text, { private_too: () => true })).toMatchObject({ ok: false }),
  )
})

describe('any address', () => {
  test('what is taken is taken again in the same spelling', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const first = parsePublicAddress(text)
        if (!first.ok) return
        expect(parsePublicAddress(first.value.address)).toEqual(first)
      }),
    )
  })

  test('any text is answered and never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        expect(typeof parsePublicAddress(text).ok).toBe('boolean')
      }),
    )
  })
})
