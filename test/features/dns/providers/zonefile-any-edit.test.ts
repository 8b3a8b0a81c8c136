/** Any change of any zone file touches the lines of the sets that are changed, and no other byte: properties. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ParsedZone,
  parseZone,
  type ZoneRecord,
} from '../../../../src/features/dns/providers/zonefile/parse.ts'
import { listedSets } from '../../../../src/features/dns/providers/zonefile/sets.ts'
import { rrsetKey } from '../../../../src/model/network/dns.ts'
import { edited, HEAD, wish, ZONE } from './zone-edits.ts'
import { runs, share } from '../../../kit/tier.ts'

/** Files in the ways that people write them, out of few names and types so that lines have to do with each other. */
const line = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        owner: fc.constantFrom('', '', 'a', 'b', '@', 'a.example.org.', 'A'),
        ttl: fc.constantFrom('', '', '', '60 ', '1h '),
        klass: fc.constantFrom('', 'IN '),
        data: fc.constantFrom(
          'A 192.0.2.1',
          'A 192.0.2.2',
          'a ( 192.0.2.3 ; in\n )',
          'TXT "x ; y"',
          'AAAA 2001:db8::1',
          'HTTPS 1 .',
        ),
        comment: fc.constantFrom('', '', ' ; ours', ' ; von Hand, \u00c3\u00bc'),
      })
      .map(({ owner, ttl, klass, data, comment }) => `${owner}\t${ttl}${klass}${data}${comment}`),
  },
  { weight: 3, arbitrary: fc.constantFrom('', '; alone', '   ', '\t; indented') },
  { weight: 2, arbitrary: fc.constantFrom('$ORIGIN sub', '$ORIGIN example.org.', '$TTL 99') },
)
const file = fc
  .record({
    ttl: fc.constantFrom('', '$TTL 3600\n'),
    lines: fc.array(line, { maxLength: 14 }),
    end: fc.constantFrom('\n', ''),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ ttl, lines, end, eol }) =>
    (`; zone\n${ttl}@ 1h IN SOA ns. h. ( 7 ; serial\n 1 1 1 1 )\n` + lines.join('\n') + end).replaceAll(
      '\n',
      eol,
    ),
  )
const change = fc
  .record({
    name: fc.constantFrom(
      'a.example.org',
      'b.example.org',
      ZONE,
      'a.sub.example.org',
      'sub.example.org',
      'new.example.org',
    ),
    type: fc.constantFrom('A', 'TXT'),
    values: fc.option(fc.subarray(['192.0.2.1', '192.0.2.2', '192.0.2.9'], { minLength: 1 })),
    ttl: fc.constantFrom(60, 3600, 7),
    comment: fc.constantFrom(null, 'ours'),
  })
  .map(({ name, type, values, ttl, comment }) => wish(name, type, values, { ttl, comment }))
const batch = fc.uniqueArray(change, { selector: rrsetKey, minLength: 1, maxLength: 4 })

/** The text outside all records, and the records' own texts, of sets that are not named. */
function foreign(
  { text, records }: ParsedZone,
  named: ReadonlySet<string>,
): { between: string; lines: ZoneRecord[] } {
  let between = ''
  let at = 0
  for (const { entry } of records) {
    between += text.slice(at, entry.start)
    at = entry.end
  }
  between += text.slice(at)
  return { between, lines: records.filter((record) => !named.has(rrsetKey(record)) && record.type !== 'SOA') }
}

/** Only an owner before it and a TTL inside it may have come to a line; nothing is gone. */
function isKept(before: string, after: string): boolean {
  let at = 0
  for (const char of after) if (char === before[at]) at++
  return at === before.length
}

describe('any change of any file', () => {
  it('leaves every other byte, makes the sets as wanted, and is done after one time', () => {
    let effective = 0
    fc.assert(
      fc.property(file, batch, (text, changes) => {
        const before = parseZone(ZONE, text)
        const after_text = edited(text, changes)
        const after = parseZone(ZONE, after_text ?? text)
        const named = new Set(changes.map(rrsetKey))
        effective += after_text === null ? 0 : 1

        const old = foreign(before, named)
        const now = foreign(after, named)
        // Where the file ended without a line feed, one may have come before what was added.
        expect([old.between, `${old.between}\n`, `${old.between}\r\n`]).toContain(now.between)
        expect(
          now.lines.map(({ name, type, ttl, value, comment }) => ({ name, type, ttl, value, comment })),
        ).toEqual(
          old.lines.map(({ name, type, ttl, value, comment }) => ({ name, type, ttl, value, comment })),
        )
        for (const [at, was] of old.lines.entries()) {
          const [one, two] = [textOf(before, was), textOf(after, now.lines[at]!)]
          // A last line without a line feed may get one when another is put behind it.
          const relies = was.entry.indented || was.inherits_ttl
          expect(relies ? isKept(one.trimEnd(), two) : two.trimEnd() === one.trimEnd()).toBe(true)
        }

        const sets = new Map(listedSets(after).map((set) => [rrsetKey(set), set]))
        for (const { wanted, ...set } of changes) {
          const found = sets.get(rrsetKey(set))
          if (wanted === null) expect(found).toBeUndefined()
          else
            expect(found).toMatchObject({
              ttl: wanted.ttl,
              values: [...wanted.values].sort(),
              comment: wanted.comment,
            })
        }
        expect(edited(after.text, changes)).toBeNull()
        expect(after.soa.serial).toBe(after_text === null ? 7 : 8)
      }),
      { numRuns: runs(3000) },
    )
    expect(effective).toBeGreaterThan(share(3000, 1000))
  })

  it('reads back whatever was written', () => {
    const data = fc.oneof(
      fc.record({ type: fc.constant('TXT'), value: fc.string({ unit: 'binary', maxLength: 300 }) }),
      fc.record({ type: fc.constant('A'), value: fc.ipV4() }),
      fc.record({
        type: fc.constant('MX'),
        value: fc.tuple(fc.nat(65_535), fc.domain()).map(([n, d]) => `${n} ${d.toLowerCase()}`),
      }),
      fc.record({
        type: fc.constant('CAA'),
        value: fc.stringMatching(/^[ -!#-[\]-~]{0,40}$/).map((text) => `0 issue "${text}"`),
      }),
      fc.record({
        type: fc.constant('TYPE65300'),
        value: fc
          .uint8Array({ maxLength: 40 })
          .map((b) => `\\# ${b.length} ${Buffer.from(b).toString('hex')}`.trim()),
      }),
    )
    const label = fc.stringMatching(/^[a-z0-9_*-]{1,20}$/)
    const set = fc.record({
      label,
      data,
      ttl: fc.nat(2 ** 31 - 1),
      comment: fc.option(fc.string({ unit: 'grapheme', maxLength: 60 })),
    })
    const sets = fc.uniqueArray(set, {
      selector: ({ label: one, data: { type } }) => `${one} ${type}`,
      minLength: 1,
    })
    fc.assert(
      fc.property(sets, (all) => {
        const changes = all.map((one) =>
          wish(`${one.label}.example.org`, one.data.type, [one.data.value], {
            ttl: one.ttl,
            comment: one.comment,
          }),
        )
        const after = listedSets(parseZone(ZONE, edited(HEAD, changes)!)).slice(1)
        expect(after.map(({ name, type, ttl, values }) => ({ name, type, ttl, values }))).toEqual(
          changes.map(({ name, type, wanted }) => ({ name, type, ttl: wanted!.ttl, values: wanted!.values })),
        )
      }),
    )
  })
})

const textOf = ({ text }: ParsedZone, { entry }: ZoneRecord): string => text.slice(entry.start, entry.end)
