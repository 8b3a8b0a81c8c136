/** Names and record data in their forms: no two forms drift apart, and dns-packet, which knows nothing of ours, agrees. */
import dnsPacket, { type Answer, type StringAnswer } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isBelow,
  nameToWire,
  normalName,
  readName,
  relativeName,
} from '../../../../src/features/dns/providers/domain-name.ts'
import {
  dataFromValue,
  dataFromWords,
  fileWords,
  valueOf,
} from '../../../../src/features/dns/providers/rdata.ts'
import { RecordFault } from '../../../../src/features/dns/providers/record-fault.ts'
import { typeCode, typeName } from '../../../../src/features/dns/providers/record-types.ts'
import { tokensOf } from '../../../../src/features/dns/providers/tokens.ts'
import { parseTtl } from '../../../../src/features/dns/providers/ttl.ts'
import { byTier, runs } from '../../../kit/tier.ts'

const label = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes))
/** The wire form of any name there can be. */
const wireName = fc
  .array(label, { maxLength: 8 })
  .map((labels) => Buffer.concat([...labels.flatMap((one) => [Buffer.of(one.length), one]), Buffer.of(0)]))

describe('a name', () => {
  it.each([
    ['www', 'www.example.org'],
    ['WWW.Example.NET.', 'www.example.net'],
    ['@', 'example.org'],
    ['*.a', '*.a.example.org'],
    ['.', '.'],
    ['a\\.b', 'a\\.b.example.org'],
    ['a\\046b', 'a\\.b.example.org'],
    ['\\065', 'a.example.org'],
    ['sp\\ ace', 'sp\\032ace.example.org'],
    ['\\@', '\\@.example.org'],
    [`${'a'.repeat(63)}.b.`, `${'a'.repeat(63)}.b`],
  ])('%s is read as %s', (written, normal) => {
    expect(normalName(written, 'example.org')).toBe(normal)
  })

  it.each([
    'a..b',
    '.a',
    `${'a'.repeat(64)}`,
    `${'a.'.repeat(127)}b.`,
    'a\\256',
    'a\\',
    'a\\1',
    '',
    '\u0100',
  ])('%s is refused', (written) => {
    expect(() => normalName(written, 'example.org')).toThrow(RecordFault)
  })

  it('of 253 characters goes, one of 254 does not', () => {
    const longest = `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61)
    expect(nameToWire(normalName(`${longest}.`, '.'))).toHaveLength(255)
    expect(() => normalName(`${longest}a.`, '.')).toThrow(RecordFault)
  })

  it('has one text for each spelling on the wire, and comes back from it', () => {
    fc.assert(
      fc.property(wireName, (wire) => {
        const { name, next } = readName(wire, 0)
        expect(next).toBe(wire.length)
        expect(normalName(name === '.' ? '.' : `${name}.`, 'example.org')).toBe(name)
        expect(nameToWire(name).toString('latin1')).toBe(
          wire.toString('latin1').replaceAll(/[A-Z]/g, (c) => c.toLowerCase()),
        )
      }),
    )
  })

  it('written relative to an origin is read back', () => {
    fc.assert(
      fc.property(wireName, fc.constantFrom('.', 'example.org', 'org'), (wire, origin) => {
        const short = Buffer.concat([wire.subarray(0, -1), nameToWire(origin)])
        fc.pre(short.length <= 255)
        const { name } = readName(short, 0)
        expect(isBelow(name, origin)).toBe(true)
        expect(normalName(relativeName(name, origin), origin)).toBe(name)
      }),
    )
  })

  it('is below a zone only where a dot divides', () => {
    expect(isBelow('a.example.org', 'example.org')).toBe(true)
    expect(isBelow('a\\.example.org', 'example.org')).toBe(false)
    expect(isBelow('a\\\\.example.org', 'example.org')).toBe(true)
    expect(isBelow('notexample.org', 'example.org')).toBe(false)
  })

  it('cannot be made to loop by its compression', () => {
    for (const bytes of [[0xc0, 0], [1, 97, 0xc0, 0], [0xc0, 2, 0xc0, 0], [0x40, 0], [0xc0], [5, 97], []])
      expect(() => readName(Buffer.from(bytes), 0)).toThrow(RecordFault)
  })
})

/** Type, a value as people write it, its normal form, how a master file gets it. */
const VALUES: readonly (readonly [type: string, written: string, value: string, file: string])[] = [
  ['A', '192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:DB8:0:0::1', '2001:db8::1', '2001:db8::1'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['AAAA', '::', '::', '::'],
  ['CNAME', 'WWW.Example.net', 'www.example.net', 'www.example.net.'],
  ['MX', '10 Mail.example.net.', '10 mail.example.net', '10 mail.example.net.'],
  ['MX', '0 .', '0 .', '0 .'],
  ['SRV', '1 2 443 h.example', '1 2 443 h.example', '1 2 443 h.example.'],
  ['TXT', 'plain', 'plain', '"plain"'],
  ['TXT', '', '', '""'],
  ['TXT', 'a "b" \\ ;\n ü', 'a "b" \\ ;\n ü', '"a \\"b\\" \\\\ ;\\010 \\195\\188"'],
  ['TXT', 'x'.repeat(256), 'x'.repeat(256), `"${'x'.repeat(255)}" "x"`],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'],
  ['SSHFP', '4 2 AB CD', '4 2 abcd', '4 2 abcd'],
  ['TLSA', '3 1 1 00ff', '3 1 1 00ff', '3 1 1 00ff'],
  ['DS', '1 ED25519 2 00ff', '1 15 2 00ff', '1 15 2 00ff'],
  [
    'NAPTR',
    '1 2 S SIP+D2U "" _sip._udp.a',
    '1 2 "S" "SIP+D2U" "" _sip._udp.a',
    '1 2 "S" "SIP+D2U" "" _sip._udp.a.',
  ],
  ['HINFO', 'PC "Linux 6"', '"PC" "Linux 6"', '"PC" "Linux 6"'],
  ['RP', 'j\\.d.a.b txt.a.b', 'j\\.d.a.b txt.a.b', 'j\\.d.a.b. txt.a.b.'],
  ['SOA', 'a. b. 1 1h 2d 1w 5m', 'a b 1 3600 172800 604800 300', 'a. b. 1 3600 172800 604800 300'],
  ['URI', '1 2 "ftp://a/"', '1 2 "ftp://a/"', '1 2 "ftp://a/"'],
  ['TYPE65280', '\\# 2 AB cd', '\\# 2 abcd', '\\# 2 abcd'],
  ['TYPE65280', '\\# 0', '\\# 0', '\\# 0'],
  ['A', '\\# 4 c0000201', '192.0.2.1', '192.0.2.1'],
]

/** The one normal form of a value, however it was spelled. */
const normalValue = (type: string, value: string): string => valueOf(type, dataFromValue(type, value))

describe('record data', () => {
  it.each(VALUES)('of %s: %s', (type, written, value, file) => {
    expect(normalValue(type, written)).toBe(value)
    expect(fileWords(type, dataFromValue(type, written))).toBe(file)
    expect(valueOf(type, dataFromWords(type, tokensOf(file), '.'))).toBe(value)
  })

  it.each([
    ['A', '192.0.2'],
    ['A', '192.0.2.01'],
    ['A', '192.0.2.1 192.0.2.2'],
    ['A', '2001:db8::1'],
    ['A', '\\# 3 c00002'],
    ['A', '\\# 4 c00002'],
    ['AAAA', '192.0.2.1'],
    ['AAAA', 'fe80::1%eth0'],
    ['CNAME', ''],
    ['CNAME', 'a b'],
    ['MX', 'mail.example.net'],
    ['MX', '65536 a'],
    ['TLSA', '3 1 1 0'],
    ['HINFO', `a "${'b'.repeat(256)}"`],
    ['HTTPS', '1 . alpn=h2'],
    ['TYPE1', '192.0.2.1'],
  ])('of %s that is none is refused: %s', (type, value) => {
    expect(() => normalValue(type, value)).toThrow(RecordFault)
  })

  it('of TXT comes back whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const wire = dataFromValue('TXT', text)
        expect(valueOf('TXT', wire)).toBe(text)
        expect(dataFromWords('TXT', tokensOf(fileWords('TXT', wire)), '.')).toEqual(wire)
      }),
      { numRuns: byTier(30, 100, 1000) },
    )
  })

  const judged: readonly Answer[] = [
    { type: 'A', name: '.', data: '192.0.2.1' },
    { type: 'AAAA', name: '.', data: '2001:db8::1' },
    { type: 'CNAME', name: '.', data: 'www.example.net' },
    { type: 'NS', name: '.', data: 'ns1.example.net' },
    { type: 'MX', name: '.', data: { preference: 10, exchange: 'mail.example.net' } },
    { type: 'SRV', name: '.', data: { priority: 1, weight: 2, port: 443, target: 'h.example' } },
    { type: 'TXT', name: '.', data: ['one', 'two'] },
    { type: 'CAA', name: '.', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } },
    { type: 'SSHFP', name: '.', data: { algorithm: 4, hash: 2, fingerprint: 'ab'.repeat(32) } },
    {
      type: 'TLSA',
      name: '.',
      data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('00ff', 'hex') },
    },
    { type: 'DS', name: '.', data: { keyTag: 1, algorithm: 15, digestType: 2, digest: Buffer.alloc(32, 7) } },
    { type: 'HINFO', name: '.', data: { cpu: 'PC', os: 'Linux' } },
    {
      type: 'NAPTR',
      name: '.',
      data: {
        order: 1,
        preference: 2,
        flags: 'S',
        services: 'SIP+D2U',
        regexp: '',
        replacement: '_sip._udp.a',
      },
    },
  ]
  const EXPECTED: Readonly<Record<string, string>> = {
    TXT: 'onetwo',
    MX: '10 mail.example.net',
    SRV: '1 2 443 h.example',
    CAA: '0 issue "letsencrypt.org"',
    SSHFP: `4 2 ${'ab'.repeat(32)}`,
    TLSA: '3 1 1 00ff',
    DS: `1 15 2 ${'07'.repeat(32)}`,
    HINFO: '"PC" "Linux"',
    NAPTR: '1 2 "S" "SIP+D2U" "" _sip._udp.a',
  }

  it.each(judged.map((answer) => [answer.type, answer] as const))(
    'of %s is what dns-packet writes',
    (type, answer) => {
      // Header 12, root name 1, type, class, TTL and length 10.
      const data = dnsPacket.encode({ type: 'response', answers: [answer] }).subarray(23)
      const value = EXPECTED[type] ?? (answer as StringAnswer).data
      expect(valueOf(type, data)).toBe(value)
      if (type !== 'TXT') expect(dataFromValue(type, value)).toEqual(data)
    },
  )

  it('of any octets is a value or a fault, never something else', () => {
    const types = ['A', 'TXT', 'MX', 'SOA', 'CAA', 'NAPTR', 'URI', 'TYPE999']
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 80 }), (type, bytes) => {
        try {
          valueOf(type, Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(RecordFault)
        }
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('types and times', () => {
  it('know every number by one name', () => {
    expect([typeName(1), typeName(65), typeName(65_280)]).toEqual(['A', 'HTTPS', 'TYPE65280'])
    expect([typeCode('aaaa'), typeCode('TYPE28'), typeCode('TYPE65280')]).toEqual([28, 28, 65_280])
    for (const no of ['ANY', 'TSIG', 'AXFR', 'TYPE255', 'TYPE41', 'TYPE0', 'TYPE65536', 'constructor', 'AA'])
      expect([no, typeCode(no)]).toEqual([no, null])
  })

  it.each([
    ['300', 300],
    ['1h30m', 5400],
    ['2D', 172_800],
    ['1w', 604_800],
    ['', null],
    ['h', null],
    ['1x', null],
    ['-1', null],
    ['1.5', null],
  ])('reads a TTL: %s', (text, seconds) => {
    expect(parseTtl(text)).toBe(seconds)
  })
})
