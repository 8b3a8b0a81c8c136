/** Changing a zone file touches the lines of the sets that are changed, and no other byte: cases. */
import { describe, expect, it } from 'vitest'
import { parseZone } from '../../../../src/features/dns/providers/zonefile/parse.ts'
import { listedSets } from '../../../../src/features/dns/providers/zonefile/sets.ts'
import type { RrsetChange } from '../../../../src/features/dns/providers/port.ts'
import { edited, HEAD, wish, ZONE } from './zone-edits.ts'

describe('a change', () => {
  it.each<readonly [what: string, before: string, changes: readonly RrsetChange[], after: string]>([
    [
      'adds a set at the end',
      'a A 192.0.2.1 ; hand\n',
      [wish('b.example.org', 'A', ['192.0.2.2'], { comment: 'ours' })],
      'a A 192.0.2.1 ; hand\nb.example.org.\t300\tIN\tA\t192.0.2.2 ; ours\n',
    ],
    [
      'adds to a file without a last line feed',
      'a A 192.0.2.1',
      [wish('b.example.org', 'A', ['192.0.2.2'])],
      'a A 192.0.2.1\nb.example.org.\t300\tIN\tA\t192.0.2.2\n',
    ],
    [
      'adds a value behind those that stay',
      'a 300 A 192.0.2.1\n\n; note\nz A 192.0.2.9\n',
      [wish('a.example.org', 'A', ['192.0.2.1', '192.0.2.2'])],
      'a 300 A 192.0.2.1\na\t300\tIN\tA\t192.0.2.2\n\n; note\nz A 192.0.2.9\n',
    ],
    [
      'takes a value away',
      'a 300 A 192.0.2.1\na 300 A 192.0.2.2\n',
      [wish('a.example.org', 'A', ['192.0.2.2'])],
      'a 300 A 192.0.2.2\n',
    ],
    [
      'of the TTL rewrites the line',
      'a A 192.0.2.1\n',
      [wish('a.example.org', 'A', ['192.0.2.1'], { ttl: 60 })],
      'a\t60\tIN\tA\t192.0.2.1\n',
    ],
    [
      'takes a set away with all its lines',
      'a A ( 192.0.2.1 ; one\n ) ; two\nb A 192.0.2.2\n',
      [wish('a.example.org', 'A', null)],
      'b A 192.0.2.2\n',
    ],
    [
      'gives a name to the line that took it from one that goes',
      'a A 192.0.2.1\n  AAAA 2001:db8::1 ; same\n  TXT x\n',
      [wish('a.example.org', 'A', null)],
      'a  AAAA 2001:db8::1 ; same\n  TXT x\n',
    ],
    [
      'gives a name under another origin',
      '$ORIGIN sub\na A 192.0.2.1\n$ORIGIN example.net.\n  TXT x\n',
      [wish('a.sub.example.org', 'A', null)],
      '$ORIGIN sub\n$ORIGIN example.net.\na.sub.example.org.  TXT x\n',
    ],
    [
      'keeps the style of the origin in place',
      '$ORIGIN sub\na A 192.0.2.1\n',
      [wish('a.sub.example.org', 'A', ['192.0.2.2'])],
      '$ORIGIN sub\na\t300\tIN\tA\t192.0.2.2\n',
    ],
    [
      'keeps line ends of Windows',
      'a A 192.0.2.1\r\n',
      [wish('b.example.org', 'A', ['192.0.2.2'])],
      'a A 192.0.2.1\r\nb.example.org.\t300\tIN\tA\t192.0.2.2\r\n',
    ],
    [
      'changes type in one go',
      'a 300 A 192.0.2.1\n',
      [wish('a.example.org', 'CNAME', ['www.example.net']), wish('a.example.org', 'A', null)],
      'a.example.org.\t300\tIN\tCNAME\twww.example.net.\n',
    ],
    [
      'drops a value that stands twice',
      'a 300 A 192.0.2.1\na 300 A 192.0.2.1\nb A 192.0.2.2\n',
      [wish('a.example.org', 'A', ['192.0.2.1'])],
      'a 300 A 192.0.2.1\nb A 192.0.2.2\n',
    ],
    ['at the apex', '@ A 192.0.2.1\n', [wish(ZONE, 'A', ['192.0.2.2'])], '@\t300\tIN\tA\t192.0.2.2\n'],
    [
      'of a comment rewrites the line',
      'a 300 A 192.0.2.1 ; theirs\n',
      [wish('a.example.org', 'A', ['192.0.2.1'], { comment: 'ours' })],
      'a\t300\tIN\tA\t192.0.2.1 ; ours\n',
    ],
  ])('%s', (_what, before, changes, after) => {
    const eol = before.includes('\r') ? HEAD.replaceAll('\n', '\r\n') : HEAD
    expect(edited(eol + before, changes)).toBe(eol.replace(' 7 ', ' 8 ') + after)
  })

  it('gives a TTL to the line that took it from one that goes, where no $TTL stands', () => {
    const head = '@ 60 SOA ns.test. h.test. ( 7 1 1 1 1 )\n'
    const before = `${head}a 5 A 192.0.2.1\nb IN TXT x\nc TXT y\n`
    expect(edited(before, [wish('a.example.org', 'A', null)])).toBe(
      `${head.replace('7', '8')}b IN 5 TXT x\nc TXT y\n`,
    )
  })

  it('that is none writes nothing', () => {
    const text = `${HEAD}a 300 A 192.0.2.2 ; ours\na 300 A 192.0.2.1 ; ours\n`
    const same = wish('a.example.org', 'A', ['192.0.2.1', '192.0.2.2'], { comment: ' ours ' })
    expect(edited(text, [same, wish('gone.example.org', 'A', null)])).toBeNull()
  })

  it('cannot smuggle a line in by its comment or its value', () => {
    const evil = 'x\nevil A 192.0.2.66\r\nevil A 192.0.2.66\u2028;"('
    const after = edited(HEAD, [wish('a.example.org', 'TXT', [evil], { comment: evil })])!
    expect(listedSets(parseZone(ZONE, after)).filter(({ type }) => type !== 'NS')).toMatchObject([
      { name: 'a.example.org', values: [evil], comment: 'x evil A 192.0.2.66  evil A 192.0.2.66 ;"(' },
    ])
  })

  it.each([
    ['an alias beside an address', 'a A 192.0.2.1\n', wish('a.example.org', 'CNAME', ['b.example.org'])],
    ['an address beside an alias', 'a CNAME b\n', wish('a.example.org', 'A', ['192.0.2.1'])],
    ['an alias at the apex', '', wish(ZONE, 'CNAME', ['b.example.org'])],
    ['two aliases', '', wish('a.example.org', 'CNAME', ['b.test', 'c.test'])],
    ['a name outside', '', wish('a.example.net', 'A', ['192.0.2.1'])],
    ['a value that is none', '', wish('a.example.org', 'A', ['192.0.2.256'])],
    ['no value', '', wish('a.example.org', 'A', [])],
    ['an unknown type', '', wish('a.example.org', 'AA', ['x'])],
    ['the SOA', '', wish(ZONE, 'SOA', ['a b 1 1 1 1 1'])],
    ['a label of 64 octets', '', wish(`${'a'.repeat(64)}.example.org`, 'A', ['192.0.2.1'])],
    ['a name with a blank', '', wish('a b.example.org\n@ A 192.0.2.66\nx.example.org', 'BB', ['192.0.2.1'])],
  ])('to %s is refused whole', (_what, lines, change) => {
    const good = wish('good.example.org', 'A', ['192.0.2.1'])
    expect(() => edited(HEAD + lines, [good, change])).toThrow(
      expect.objectContaining({
        code: 'provider_refused',
        message: expect.stringMatching(/Nothing was changed/) as unknown,
      }),
    )
  })

  it('of one set twice is refused', () => {
    const twice = wish('a.example.org', 'A', ['192.0.2.1'])
    expect(() => edited(HEAD, [twice, { ...twice, name: 'A.example.org' }])).toThrow(/named twice/)
  })

  it('of a TTL beyond the limits takes the nearest one', () => {
    const after = edited(HEAD, [wish('a.example.org', 'A', ['192.0.2.1'], { ttl: 2 ** 40 })])!
    expect(listedSets(parseZone(ZONE, after)).at(-1)).toMatchObject({ ttl: 2_147_483_647 })
  })
})
