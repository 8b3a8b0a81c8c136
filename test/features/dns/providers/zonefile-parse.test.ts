/** Reading master files as people write them (RFC 1035 §5), and refusing what no server would load, by its line. */
import { describe, expect, it } from 'vitest'
import { parseZone } from '../../../../src/features/dns/providers/zonefile/parse.ts'
import { listedSets } from '../../../../src/features/dns/providers/zonefile/sets.ts'
import { ZoneFault } from '../../../../src/features/dns/providers/zonefile/zone-fault.ts'

const SOA = '@ 60 IN SOA ns.test. h.test. 1 1 1 1 1\n'
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')
const read = (text: string) =>
  listedSets(parseZone('example.org', latin1(text))).map(
    ({ name, ttl, type, values, comment }) =>
      `${name} ${ttl} ${type} ${values.join(' | ')}${comment === null ? '' : ` ; ${comment}`}`,
  )

describe('a zone file', () => {
  it.each<readonly [what: string, lines: string, sets: readonly string[]]>([
    [
      'absolute, relative and apex names',
      'a A 192.0.2.1\nb.example.org. A 192.0.2.2\n@ A 192.0.2.3',
      ['a.example.org 60 A 192.0.2.1', 'b.example.org 60 A 192.0.2.2', 'example.org 60 A 192.0.2.3'],
    ],
    [
      'names left out',
      'a A 192.0.2.1\n  AAAA 2001:db8::1\n\tA 192.0.2.2',
      ['a.example.org 60 A 192.0.2.1 | 192.0.2.2', 'a.example.org 60 AAAA 2001:db8::1'],
    ],
    [
      'TTL and class in both orders, or not at all',
      'a 5 IN A 192.0.2.1\nb IN 6 A 192.0.2.1\nc IN A 192.0.2.1\nd 7 A 192.0.2.1\ne A 192.0.2.1',
      [
        'a.example.org 5 A 192.0.2.1',
        'b.example.org 6 A 192.0.2.1',
        'c.example.org 6 A 192.0.2.1',
        'd.example.org 7 A 192.0.2.1',
        'e.example.org 7 A 192.0.2.1',
      ],
    ],
    [
      '$TTL before a TTL that came last',
      '$TTL 9\na 5 A 192.0.2.1\nb A 192.0.2.1',
      ['a.example.org 5 A 192.0.2.1', 'b.example.org 9 A 192.0.2.1'],
    ],
    [
      'TTLs with units',
      '$TTL 1h30m\na A 192.0.2.1\nb 1D A 192.0.2.1',
      ['a.example.org 5400 A 192.0.2.1', 'b.example.org 86400 A 192.0.2.1'],
    ],
    [
      '$ORIGIN, absolute and relative',
      '$ORIGIN sub\na A 192.0.2.1\n$ORIGIN deep.example.org.\n@ CNAME a',
      ['a.sub.example.org 60 A 192.0.2.1', 'deep.example.org 60 CNAME a.deep.example.org'],
    ],
    [
      'any case',
      'A in a 192.0.2.1\nB cname WWW',
      ['a.example.org 60 A 192.0.2.1', 'b.example.org 60 CNAME www.example.org'],
    ],
    [
      'parentheses and comments inside',
      'a TXT ( "one" ; first\n "two"\n ; alone\n) ; last',
      ['a.example.org 60 TXT onetwo ; last'],
    ],
    [
      'strings: several, quoted, bare, touching',
      'a TXT one "t w o" "th""ree"',
      ['a.example.org 60 TXT onet w othree'],
    ],
    [
      'escapes',
      'a TXT "q\\"b\\\\n\\010\\195\\188;"\nx\\.y A 192.0.2.1',
      ['a.example.org 60 TXT q"b\\n\n\u00fc;', 'x\\.y.example.org 60 A 192.0.2.1'],
    ],
    [
      'UTF-8 in strings and comments',
      'a TXT "bücher" ; für ünten',
      ['a.example.org 60 TXT bücher ; für ünten'],
    ],
    ['bytes that are no UTF-8', 'a TXT "\\255a"', ['a.example.org 60 TXT \\255a']],
    [
      'comments of a set',
      'a A 192.0.2.2\na A 192.0.2.1 ; ours:1 \n',
      ['a.example.org 60 A 192.0.2.1 | 192.0.2.2 ; ours:1'],
    ],
    ['a semicolon in quotes', 'a TXT "v=DKIM1; p=x"', ['a.example.org 60 TXT v=DKIM1; p=x']],
    [
      'mixed TTLs by the lowest',
      'a 9 A 192.0.2.1\na 5 A 192.0.2.2',
      ['a.example.org 5 A 192.0.2.1 | 192.0.2.2'],
    ],
    [
      'types in generic form',
      'a TYPE1 \\# 4 c0000201\nb TYPE999 \\# 3 ab cdef\nc A \\# 4 c0000202',
      [
        'a.example.org 60 A 192.0.2.1',
        'b.example.org 60 TYPE999 \\# 3 abcdef',
        'c.example.org 60 A 192.0.2.2',
      ],
    ],
    [
      'types without a grammar here as they stand',
      'a HTTPS 1 . alpn="h2,h3"\nb LOC 52 22 23 N 4 53 32 E -2m',
      ['a.example.org 60 HTTPS 1 . alpn="h2,h3"', 'b.example.org 60 LOC 52 22 23 N 4 53 32 E -2m'],
    ],
    [
      'line ends of Windows',
      'a A 192.0.2.1 ; c\r\n\tAAAA 2001:db8::1\r\n',
      ['a.example.org 60 A 192.0.2.1 ; c', 'a.example.org 60 AAAA 2001:db8::1'],
    ],
    [
      'an owner that looks like a type or a class',
      'in A 192.0.2.1\nmx IN A 192.0.2.2\n300 A 192.0.2.3',
      ['in.example.org 60 A 192.0.2.1', 'mx.example.org 60 A 192.0.2.2', '300.example.org 60 A 192.0.2.3'],
    ],
    [
      'the rest of the mail and service types',
      '@ MX 10 mail\n_s._tcp SRV 1 2 3 h\n@ CAA 0 issue "ca.test"',
      [
        'example.org 60 MX 10 mail.example.org',
        '_s._tcp.example.org 60 SRV 1 2 3 h.example.org',
        'example.org 60 CAA 0 issue "ca.test"',
      ],
    ],
  ])('with %s', (_what, lines, sets) => {
    expect(read(`${SOA}${lines}`)).toEqual(sets)
  })

  it('without any TTL takes the minimum of its SOA', () => {
    expect(read('@ SOA ns.test. h.test. 1 1 1 1 77\na A 192.0.2.1')).toEqual(['a.example.org 77 A 192.0.2.1'])
  })

  it('shows its serial and where it stands', () => {
    const text = '$TTL 1\n@ SOA ns.test. h.test. ( ; start\n  2026010199 ; serial\n 1 1 1 1 )\n'
    const { soa } = parseZone('example.org', text)
    expect([soa.serial, text.slice(soa.start, soa.end)]).toEqual([2026010199, '2026010199'])
  })

  it.each<readonly [what: string, lines: string, line: number, says: RegExp]>([
    ['includes', '$INCLUDE other.zone', 2, /\$INCLUDE/],
    ['generates', '$GENERATE 1-9 h$ A 192.0.2.$', 2, /\$GENERATE/],
    ['has another directive', '$DATE 1', 2, /unknown directive/],
    ['has a bad $TTL', '$TTL soon', 2, /TTL/],
    ['leaves a parenthesis open', 'a A ( 192.0.2.1\nb A 192.0.2.1', 2, /never closed/],
    ['closes one too many', 'a A 192.0.2.1 )', 2, /not opened/],
    ['leaves a quote open', 'a TXT "one\nb A 192.0.2.1', 2, /not closed on its line/],
    ['ends inside an escape', 'a TXT b\\', 2, /escape/],
    ['has a bad escape', 'a TXT "\\999"', 2, /bad escape/],
    ['has an unknown type', 'a AA 192.0.2.1', 2, /unknown type: "AA".* Did you mean "A"/],
    ['has no type', 'a 300 IN', 2, /no type/],
    ['has no data', 'a A', 2, /no data/],
    ['has bad data', 'ok A 192.0.2.1\na A 192.0.2.300', 3, /not an IPv4 address/],
    ['has too much data', 'a A 192.0.2.1 192.0.2.2', 2, /more than its data/],
    ['is of another class', 'a CH A 192.0.2.1', 2, /class CH/],
    ['has a name outside the zone', 'a.example.net. A 192.0.2.1', 2, /outside the zone/],
    ['has a label too long', `${'a'.repeat(64)} A 192.0.2.1`, 2, /63 octets/],
    ['has a second SOA', SOA, 2, /second SOA/],
    ['has a control character', 'a TXT "\u0007"', 2, /control character/],
    ['has a quote inside a word', 'a TXT b"c d"', 2, /quote inside a word/],
    ['has words without a blank between', 'a TXT "b"c', 2, /without a blank/],
  ])('that %s is refused with its line', (_what, lines, line, says) => {
    const refused = () => parseZone('example.org', `${SOA}${lines}`)
    expect(refused).toThrow(ZoneFault)
    expect(refused).toThrow(
      expect.objectContaining({ line, message: expect.stringMatching(says) as unknown }),
    )
  })

  it.each([
    ['without an SOA', '$TTL 1\n@ NS ns.test.', /no SOA/],
    ['with the SOA of another zone', 'sub 60 SOA a. b. 1 1 1 1 1', /another zone/],
    ['without a TTL anywhere', 'a A 192.0.2.1', /no TTL/],
    ['that begins with a blank', ' 60 SOA a. b. 1 1 1 1 1', /no record before it/],
    ['with a byte order mark', '\u00ef\u00bb\u00bf@ 60 SOA a. b. 1 1 1 1 1', /byte order mark/],
    ['that is empty', '', /no SOA/],
  ])('%s is refused', (_what, text, says) => {
    expect(() => parseZone('example.org', text)).toThrow(says)
  })
})
