/** The emitter: whatever text comes in, the file stays one that every reader reads alike. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { quote } from '../../../../src/kernel/text/quoted.ts'
import { block } from '../../../../src/features/routes/render/emit.ts'
import { HOSTILE_STRINGS } from '../../../model/hostile.ts'
import { runs } from '../../../kit/tier.ts'

/** Printable ASCII without braces, line by line. */
const HARMLESS = /^[ -z|~]*$/

/** Weighted towards what breaks serializers: controls, separators, surrogates, template marks, YAML's own signs. */
const hostileText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
      {
        weight: 2,
        arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      },
      {
        weight: 2,
        arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
      },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '{{',
          '}}',
          '{',
          '"',
          '\\',
          "'",
          '`',
          '\n',
          '\r\n',
          '\t',
          '\u0000',
          '\u0085',
          '\u2028',
          '\ufeff',

          ': ',
          ' #',
          '- ',
          '---',
          '...',
          '&a',
          '*a',
          '!!',
          '%',
          '@',
          '|',
          '>',
          '?',
          '~',
          'null',
          '0x1f',
          '1_000',
          '2024-01-02',
          '.inf',
          '\u2551',
          ' ',
          '  ',
          '$1',
          '\\u0041',
          '\\x',
        ),
      },
      { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('a quoted scalar', () => {
  it('reads back as the same text, in printable ASCII without braces, for 40,000 hostile texts', () => {
    let seen = 0
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 40, maxLength: 40 }), (texts) => {
        const lines = texts.map((text) => `- ${quote(text)}\n`).join('')
        for (const line of lines.trimEnd().split('\n')) expect(line).toMatch(HARMLESS)
        expect(parse(lines)).toEqual(texts.map((text) => text.toWellFormed()))
        seen += texts.length
      }),
      { numRuns: runs(1000) },
    )
    expect(seen).toBeGreaterThanOrEqual(runs(1000) * 40)
  })

  it.each(HOSTILE_STRINGS.map((text) => [JSON.stringify(text.slice(0, 40)), text]))(
    'holds %s',
    (_title, text) => {
      expect(quote(text)).toMatch(HARMLESS)
      expect(parse(quote(text))).toBe(text.toWellFormed())
    },
  )

  it.each([
    ['plain text', '"plain text"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['{{ env }}', '"\\u007b\\u007b env \\u007d\\u007d"'],
    ['bücher', '"b\\u00fccher"'],
    ['😀', '"\\U0001f600"'],
    ['\ud800', '"\\ufffd"'],
    ['\n\u0085\u2028', '"\\u000a\\u0085\\u2028"'],
  ])('spells %j as %s, which YAML and Go read alike', (text, spelled) => {
    expect(quote(text)).toBe(spelled)
  })
})

describe('a block', () => {
  // Keys are checked before they come here; two that differ in a lone surrogate alone would be one.
  const key = hostileText.map((text) => text.toWellFormed())
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      hostileText,
      fc.boolean(),
      fc.integer(),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 3 }),
    ),
  })).node

  it('reads back as the same tree', () => {
    fc.assert(
      fc.property(fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 }), (map) => {
        const text = block({ plugin: map as never }, '')
        expect(text).toMatch(/^[ -z|~\n]*$/)
        expect(parse(text, { uniqueKeys: false })).toEqual({ plugin: wellFormed(map) })
      }),
      { numRuns: runs(2000) },
    )
  })

  it('quotes names that somebody chose and leaves Traefik’s own words plain', () => {
    expect(
      block({ headers: { stsSeconds: 1, customResponseHeaders: { server: '', 'X-A': 'b' } } }, '  '),
    ).toBe(
      '  headers:\n    customResponseHeaders:\n      "X-A": "b"\n      "server": ""\n    stsSeconds: 1\n',
    )
  })

  it('writes lists in lists and maps in lists in block style', () => {
    expect(block({ plugin: { a: [['x', 'y'], { k: 1, l: ['z'] }] } }, '')).toBe(
      'plugin:\n  "a":\n    - - "x"\n      - "y"\n    - "k": 1\n      "l":\n        - "z"\n',
    )
  })
})

/** As YAML can say it: lone surrogates replaced. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wellFormed(inner)]))
}
