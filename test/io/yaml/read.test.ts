/** Reading YAML: what is plain comes back as plain data, what is not is refused with its line, and nothing throws or stalls. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Composer } from 'yaml'
import { yamlDocuments } from '../../../src/io/yaml/documents.ts'
import { type DocumentData, MAX_DOCUMENT_BYTES, MAX_IMPORT_BYTES } from '../../../src/ports/documents.ts'
import { runs } from '../../kit/tier.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const read = (text: string, options = {}) => yamlDocuments.read(text, options)
const plain = (text: string, options = {}) => {
  const result = read(text, options)
  return result.ok ? (JSON.parse(JSON.stringify(result.data)) as unknown) : result
}

describe('plain documents', () => {
  test.each<[string, string, unknown]>([
    ['an empty text', '', null],
    ['comments only', '# a\n\n# b\n', null],
    ['a start and an end mark', '---\na: 1\n...\n', { a: 1 }],
    ['a byte-order mark and CRLF', '\ufeffa: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
    ['flow style', '{a: [1, "2", {b: c}], d}', { a: [1, '2', { b: 'c' }], d: null }],
    ['block scalars', 'a: |\n  x\n  y\nb: >-\n  x\n  y\n', { a: 'x\ny\n', b: 'x y' }],
    ['nulls', 'a:\nb: ~\nc: null\nd: NULL\n', { a: null, b: null, c: null, d: null }],
    ['booleans', 'a: true\nb: False\nc: yes\nd: off\n', { a: true, b: false, c: 'yes', d: 'off' }],
    ['usual numbers', 'a: 8080\nb: -1\nc: 0.5\nd: "80"\n', { a: 8080, b: -1, c: 0.5, d: '80' }],
    [
      'numbers that readers disagree about, as text',
      'a: 010\nb: 1_000\nc: 0x1f\nd: 1.10\ne: 1e3\nf: .inf\ng: 12345678901234567890\nh: 22:30\n',
      {
        a: '010',
        b: '1_000',
        c: '0x1f',
        d: '1.10',
        e: '1e3',
        f: '.inf',
        g: '12345678901234567890',
        h: '22:30',
      },
    ],
    ['a date, as text', 'a: 2024-01-02\n', { a: '2024-01-02' }],
    ['keys that look like something else', '1: a\ntrue: b\n~: c\n', { '1': 'a', true: 'b', '~': 'c' }],
    ['a quoted merge key', '"<<": a\n', { '<<': 'a' }],
    ['escapes', 'a: "\\u007b\\x7d \\U0001D11E"\n', { a: '{} 𝄞' }],
  ])('%s', (_name, text, data) => {
    expect(plain(text)).toEqual(data)
  })

  test('every scalar but null is its source text when that is asked for', () => {
    expect(
      plain('a: 010\nb: True\nc: 8080\nd: 1.10\ne: ~\nf:\ng: "x"\nh: [no, 1]\n', { scalars: 'text' }),
    ).toEqual({
      a: '010',
      b: 'True',
      c: '8080',
      d: '1.10',
      e: null,
      f: null,
      g: 'x',
      h: ['no', '1'],
    })
  })

  test('mappings have no prototype, so keys of the language are data', () => {
    const result = read('__proto__: { polluted: true }\nconstructor: a\ntoString: b\n')
    const data = (result.ok ? result.data : null) as Record<string, DocumentData>
    expect(Object.getPrototypeOf(data)).toBeNull()
    expect(Object.keys(data)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('JSON is read as JSON', () => {
    const value = fc.letrec<{ any: DocumentData }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.constant(null),
        fc.integer(),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), tie('any'), { maxKeys: 4 }),
      ),
    })).any
    fc.assert(
      fc.property(value, (data) => {
        // Raw line separators stand in JSON texts and are refused here.
        const text = JSON.stringify(data).replaceAll(
          /[\u007f-\u009f\u2028\u2029\ufeff]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        expect(plain(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('refusals name the line', () => {
  test.each<[string, string, number | null, RegExp]>([
    ['an alias', 'a: 1\nb: *x\n', 2, /alias/],
    ['an anchor', 'a: &x 1\n', 1, /anchor/],
    ['an alias bomb', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n', 1, /anchor/],
    ['a merge key', 'a:\n  b: 1\n  <<: { c: 1 }\n', 3, /merge key/],
    ['a tag', 'a: 1\nb: !!binary aGk=\n', 2, /tag/],
    ['an own tag', 'a: !secret x\n', 1, /tag/],
    ['a directive', '%YAML 1.1\n---\na: 1\n', 1, /directive/],
    ['a complex key', '? [a]\n: 1\n', 1, /complex key/],
    ['a list as a key', 'a: 1\n[b]: 2\n', 2, /keys must be strings/],
    ['a value without a key', 'a: 1\n: 2\n', 2, /without a key/],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 3, /"a" a second time/],
    ['a duplicate in another spelling', '1: a\n"1": b\n', 2, /second time/],
    ['a duplicate in flow style', '{a: 1, b: 2, a: 3}\n', 1, /second time/],
    ['a second document', 'a: 1\n---\nb: 2\n', 2, /second document/],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, /[Tt]abs/],
    ['an open bracket', 'a: 1\nb: [1, 2\n', 2, /is not YAML here/],
    ['an open quote', 'a: "x\n', 1, /is not YAML here/],
    ['a mapping in a value', 'a: b: c\n', 1, /is not YAML here/],
    ['a control character', 'a: 1\nb: \u0007\n', 2, /U\+0007/],
    ['a NUL', 'a: \u0000\n', 1, /U\+0000/],
    ['a line separator that only YAML 1.1 knows', 'a: 1 # x\u2028b: 2\n', 1, /U\+2028/],
    ['a carriage return alone', 'a: 1\rb: 2\n', 1, /U\+000D/],
    ['half of a surrogate pair', 'a: \ud800\n', 1, /U\+D800/],
    ['a byte-order mark inside', 'a: 1\n\ufeffb: 2\n', 2, /U\+FEFF/],
    ['a Go template', 'a:\n{{ range . }}\n', 2, /.*/],
  ])('%s', (_name, text, line, msg) => {
    expect(read(text)).toEqual({ ok: false, line, msg: expect.stringMatching(msg) as string })
  })

  test('the first fault is told, and lines are counted over CRLF, quotes and block scalars', () => {
    expect(read('a: |\r\n  x\r\n  y\r\nb: "1\r\n  2"\r\nc: *d\r\n')).toMatchObject({ ok: false, line: 6 })
  })
})

describe('bounds', () => {
  const nested = (open: string, depth: number, close: string) =>
    `${open.repeat(depth)}1${close.repeat(depth)}`
  const staircase = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:`).join('\n')

  test.each<[string, (depth: number) => string]>([
    ['brackets', (depth) => nested('[', depth, ']')],
    ['braces', (depth) => nested('{a: ', depth, '}')],
    ['indentation', staircase],
    ['dashes on a line', (depth) => `${'- '.repeat(depth)}1`],
  ])('64 levels of %s are read, 65 are refused', (_name, text) => {
    expect(read(text(64))).toMatchObject({ ok: true })
    expect(read(text(65))).toMatchObject({ ok: false, msg: 'is nested deeper than 64 levels' })
  })

  test('brackets 1,200 and 100,000 deep, several times in one process, are refused and the process lives', () => {
    for (const depth of [1200, 1200, 1200, 100_000, 100_000])
      for (const text of ['['.repeat(depth), nested('[', depth, ']'), nested('{a: ', depth / 4, '}')])
        expect(read(text)).toMatchObject({ ok: false, msg: 'is nested deeper than 64 levels' })
  })

  test('the limit counts bytes, is 256 KiB unless said otherwise, and never more than 4 MiB', () => {
    expect(read('ä'.repeat(MAX_DOCUMENT_BYTES / 2))).toMatchObject({ ok: true })
    expect(read('ä'.repeat(MAX_DOCUMENT_BYTES / 2 + 1))).toEqual({
      ok: false,
      line: null,
      msg: 'is larger than 262144 bytes',
    })
    expect(read('aaa', { max_bytes: 2 })).toEqual({ ok: false, line: null, msg: 'is larger than 2 bytes' })
    const huge = `a: "${'x'.repeat(5_000_000)}"`
    expect(read(huge, { max_bytes: 1e9 })).toEqual({
      ok: false,
      line: null,
      msg: `is larger than ${MAX_IMPORT_BYTES} bytes`,
    })
  })

  itInDepth('60,000 keys are refused by size, and read when an import allows the size', () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `key${i}: 1`).join('\n')
    expect(read(text)).toMatchObject({ ok: false, line: null })
    const result = read(text, { max_bytes: MAX_IMPORT_BYTES })
    expect(result.ok && Object.keys(result.data as object).length).toBe(60_000)
    expect(read(`${text}\nkey7: 2\n`, { max_bytes: MAX_IMPORT_BYTES })).toMatchObject({
      ok: false,
      line: 60_001,
    })
  })

  itInDepth('the library still has the error handler that is replaced, so a file of errors costs one', () => {
    expect(Object.hasOwn(new Composer(), 'onError')).toBe(true)
    expect(read(`[${','.repeat(200_000)}]`)).toMatchObject({ ok: false, line: 1 })
  })

  test('no text makes it throw', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      ': ',
      '- ',
      '? ',
      '\n',
      ' ',
      '  ',
      '#c',
      ' #',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '|',
      '>',
      '|\n',
      '&a ',
      '*a',
      '!t ',
      '\t',
      '---\n',
      '...\n',
      '%Y\n',
      '\\',
      '|+\n',
      '\r\n',
      '<<: ',
      '{{',
      '\ufeff',
      '\u0000',
      'ä',
    )
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (candidate) => {
        const result = read(candidate)
        if (!result.ok) expect(result.line === null || result.line >= 1).toBe(true)
      }),
      { numRuns: runs(20_000) },
    )
  })
})
