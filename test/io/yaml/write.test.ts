/** Writing YAML: readable, and read alike by readers of version 1.1 and 1.2. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlDocuments } from '../../../src/io/yaml/documents.ts'
import type { DocumentData } from '../../../src/ports/documents.ts'
import { MAX_IMPORT_BYTES } from '../../../src/ports/documents.ts'
import { runs } from '../../kit/tier.ts'

const write = (data: DocumentData) => yamlDocuments.write(data)
const read = (text: string, options: object) => yamlDocuments.read(text, options)

test('keys stay in order, words stay plain, and what could be read as something else is quoted', () => {
  const data = {
    z: 'word',
    a: ['app.example.com', 'https://app.example.com', '/path/to', 'two words', '*.example.com', '10.0.0.1'],
    quoted: [
      'no',
      'Yes',
      'ON',
      'null',
      '~',
      'true',
      '010',
      '1_000',
      '1e3',
      '22:30',
      '2024-01-02',
      '0x1f',
      '',
      'a: b',
      'a #b',
      'a:',
      'é',
    ],
    plain: [true, false, null, 8080, -1],
    empty: { list: [], map: {} },
  }
  expect(write(data)).toBe(`z: word
a:
  - app.example.com
  - https://app.example.com
  - /path/to
  - "two words"
  - "*.example.com"
  - "10.0.0.1"
quoted:
  - "no"
  - "Yes"
  - "ON"
  - "null"
  - "~"
  - "true"
  - "010"
  - "1_000"
  - "1e3"
  - "22:30"
  - "2024-01-02"
  - "0x1f"
  - ""
  - "a: b"
  - "a #b"
  - "a:"
  - "é"
plain:
  - true
  - false
  - null
  - 8080
  - -1
empty:
  list: []
  map: {}
`)
})

test('long texts are not folded and characters that end lines are escaped', () => {
  expect(write({ note: `${'long '.repeat(40)}\n\u0085\u2028\ufeff\u007f` })).toBe(
    `note: "${'long '.repeat(40)}\\n\\u0085\\u2028\\ufeff\\u007f"\n`,
  )
})

describe('what is written', () => {
  const words = [
    'y',
    'n',
    'Yes',
    'NO',
    'On',
    'off',
    'null',
    'Null',
    '~',
    'true',
    '<<',
    '=',
    '---',
    '...',
    '0b11',
    '0_1',
    '1_',
    '1__0',
    '0o7',
    '07',
    '1.',
    '.5',
    '+1',
    '1:30',
    '2001-12-14t21:59:43.10-05:00',
    '!!str',
    '? a',
    '- a',
    '%a',
    '@a',
    '`a',
    '{{ x }}',
    'a\tb',
    ' a',
    'a ',
    '\n',
    'a\nb',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ufffe',
    '𝄞',
    '__proto__',
    'constructor',
  ]
  const text = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const data = fc.letrec<{ any: DocumentData }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constantFrom<DocumentData>(true, false, null),
      fc.maxSafeInteger(),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(text, tie('any'), { maxKeys: 4, noNullPrototype: false }),
    ),
  })).any

  test('is read back equal here, and by readers of YAML 1.2 and 1.1', () => {
    fc.assert(
      fc.property(data, (value) => {
        const output = write(value)
        const result = read(output, { max_bytes: MAX_IMPORT_BYTES })
        const json = JSON.stringify(value)
        expect(result.ok ? JSON.stringify(result.data) : result.msg).toBe(json)
        // Keys such as "__proto__" are no data for the library itself.
        if (json.includes('__proto__')) return
        expect(JSON.stringify(parse(output, { version: '1.2', uniqueKeys: false }))).toBe(json)
        expect(JSON.stringify(parse(output, { version: '1.1', uniqueKeys: false }))).toBe(json)
      }),
      { numRuns: runs(3000) },
    )
  })
})

test('half a surrogate pair, which no reader of the format takes, becomes U+FFFD; a backslash stays one', () => {
  expect(write({ 'a\ud83d': '\ud83d\udd8a\\ud83d' })).toBe('"a\\ufffd": "\ud83d\udd8a\\\\ud83d"\n')
})

test.each([[Number.NaN], [0.5], [2 ** 60], [undefined], [() => 1], [Symbol('x')], [1n]])(
  '%s is refused',
  (value) => {
    expect(() => write({ a: [value as never] })).toThrow(
      expect.objectContaining({ code: 'internal' }) as Error,
    )
  },
)
