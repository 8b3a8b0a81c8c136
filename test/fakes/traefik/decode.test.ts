/** What the decoder takes and refuses: each case is a line of the reference's §1.4, §1.5 or §13. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Configuration, decodeFile } from './decode/decode.ts'
import { durationOf } from './decode/scalars.ts'

const decoded = (text: string, environment = {}): Configuration => decodeFile(Buffer.from(text), environment)
const http = (lines: string): string => `http:\n${lines.replaceAll(/^/gm, '  ')}\n`
const router = (line: string): string => http(`routers:\n  a:\n    service: s\n    ${line}`)
const service = (line: string): string => http(`services:\n  a:\n    loadBalancer:\n      ${line}`)

describe('§1.4 refused, and with it the whole file', () => {
  it.each([
    ['an unknown key anywhere below the root', router('rules: x'), 'field not found, node: rules'],
    ['an unknown section', http('router: {}'), 'field not found, node: router'],
    [
      'an unknown middleware',
      http('middlewares: { a: { noSuch: { x: 1 } } }'),
      'field not found, node: noSuch',
    ],
    ['routers: {}', http('routers: {}'), 'routers cannot be a standalone element'],
    ['routers: []', http('routers: []'), 'routers cannot be a standalone element'],
    ['http: {}', 'http: {}', 'http cannot be a standalone element'],
    ['tls: {options: {}}', 'tls: { options: {} }', 'options cannot be a standalone element'],
    [
      'forwardAuth: {}',
      http('middlewares: { a: { forwardAuth: {} } }'),
      'forwardAuth cannot be a standalone',
    ],
    ['null inside a list', router('middlewares: [~]'), 'field not supported: <nil>'],
    ['a duplicate key', router('service: t'), 'mapping key "service" already defined'],
    ['a tab as indentation', 'http:\n\trouters:\n', 'yaml:'],
    ['an unquoted date', router('rule: 2024-01-02'), 'time.Time'],
    ['a bool that Go does not know', service('passHostHeader: no'), 'strconv.ParseBool: parsing "no"'],
    ['a quoted number for a bool', service('passHostHeader: "2"'), 'strconv.ParseBool'],
    ['weight 2.5', service('servers: [{ url: "http://a", weight: 2.5 }]'), 'parsing "2.500000"'],
    ['a text for a number', router('priority: high'), 'strconv.ParseInt: parsing "high"'],
    ['a mapping for a text', router('rule: { a: b }'), 'invalid node rule'],
    ['a list for a number', router('priority: [1]'), 'priority: strconv.ParseInt'],
    ['a list of lists', router('middlewares: [[a]]'), 'field not supported: slice'],
    ['routers: null and nothing else', 'http:\n  routers:\n', 'http cannot be a standalone element'],
    [
      'a null entry and no other',
      http('middlewares: { a: ~ }'),
      'middlewares cannot be a standalone element',
    ],
    ['a text for an object', 'http: routes\n', 'cannot be a standalone element'],
    ['a list at the root', '- http\n', 'cannot unmarshal'],
    [
      'a bad duration',
      http('serversTransports: { a: { forwardingTimeouts: { dialTimeout: soon } } }'),
      'invalid duration',
    ],
    ['a raw control character', router('rule: "a\u0001"'), 'control characters are not allowed'],
    [
      '§13 a pair of surrogates as escapes',
      router('rule: "\\ud83e\\udd8a"'),
      'invalid Unicode character escape',
    ],
    ['an unknown anchor', router('rule: *x'), 'yaml:'],
    ['half of a file', http('routers: { a: {'), 'yaml:'],
  ])('%s', (_what, text, words) => expect(() => decoded(text)).toThrow(words))

  it('bytes that are no UTF-8', () =>
    expect(() => decodeFile(Buffer.from([0x61, 0x3a, 0xff]), {})).toThrow('invalid leading UTF-8 octet'))
})

describe('§1.4 taken', () => {
  it.each([
    ['an unknown key at the root is overlooked', 'x-meta: { a: 1 }\nversion: 3\n', {}],
    ['http: null is nothing', 'http:\n', {}],
    [
      'routers: null is nothing',
      'http:\n  routers:\n  services: { a: {} }\n',
      { http: { services: { a: {} } } },
    ],
    [
      'a list for a text becomes one text',
      router('rule: [a]'),
      { http: { routers: { a: { service: 's', rule: '║24║a' } } } },
    ],
    [
      'a mapping for a list is nothing',
      router('middlewares: { a: b }'),
      { http: { routers: { a: { service: 's' } } } },
    ],
    ['an object without a type', http('services: { a: {} }'), { http: { services: { a: {} } } }],
    ['a null entry vanishes', http('middlewares: { a: ~, b: {} }'), { http: { middlewares: { b: {} } } }],
    ['an empty list', router('middlewares: []'), { http: { routers: { a: { service: 's' } } } }],
    ['tls: {} on a router', router('tls: {}'), { http: { routers: { a: { service: 's', tls: {} } } } }],
    [
      'compress: {}',
      http('middlewares: { a: { compress: {} } }'),
      { http: { middlewares: { a: { compress: {} } } } },
    ],
    ['case of a field', router('RULE: x'), { http: { routers: { a: { service: 's', rule: 'x' } } } }],
    ['case of a name counts', http('services: { a: {}, A: {} }'), { http: { services: { a: {}, A: {} } } }],
    ['a second document is overlooked', 'http:\n---\nnoSuch: [\n', {}],
    ['a file of 0 bytes is an empty configuration', '', {}],
    ['and one of comments alone', '# nothing\n', {}],
    ['a mark at the beginning and carriage returns', '\ufeffhttp:\r\n', {}],
    ['JSON', '{"http":{"services":{"a":{}}}}', { http: { services: { a: {} } } }],
    [
      'anchors and merge keys',
      http('services:\n  a: &a { loadBalancer: { strategy: wrr } }\n  b: { <<: *a }'),
      {
        http: {
          services: { a: { loadBalancer: { strategy: 'wrr' } }, b: { loadBalancer: { strategy: 'wrr' } } },
        },
      },
    ],
    [
      '§13 the long escape',
      router('rule: "\\U0001f98a"'),
      { http: { routers: { a: { service: 's', rule: '🦊' } } } },
    ],
  ])('%s', (_what, text, found) => expect(decoded(text)).toEqual(found))
})

describe('§1.4 scalars are made text and read again', () => {
  const ruleOf = (value: string): unknown =>
    (decoded(router(`rule: ${value}`)) as { http: { routers: { a: { rule?: string } } } }).http.routers.a.rule
  it.each([
    ['1.10', '1.100000'],
    ['010', '8'],
    ['1_000', '1000'],
    ['0x1f', '31'],
    ['0b11', '3'],
    ['"010"', '010'],
    ['True', 'true'],
    ['yes', 'yes'],
    ['1e3', '1000.000000'],
    ['12:30:45', '12:30:45'],
    ['!!str 010', '010'],
    ['~', undefined],
    ['"~"', '~'],
    ['"a\u0085b"', 'a b'],
  ])('%s is read as %j', (value, text) => expect(ruleOf(value)).toBe(text))

  const listOf = (value: string): unknown =>
    (decoded(router(`middlewares: ${value}`)) as { http: { routers: { a: { middlewares: string[] } } } }).http
      .routers.a.middlewares
  it.each([
    ['elements are trimmed', '[" a "]', ['a']],
    ['and split at a character of box drawings', '["a\u2551b"]', ['a', 'b']],
    ['a text is split at commas', 'a, b', ['a', 'b']],
    ['an element is not', '["a,b"]', ['a,b']],
  ])('%s', (_what, value, found) => expect(listOf(value)).toEqual(found))

  it('keys that are no texts become one', () =>
    expect(decoded(http('services: { 1: {} }'))).toEqual({ http: { services: { '<int Value>': {} } } }))

  it.each([
    ['30', 30_000],
    ['1m30s', 90_000],
    ['100ms', 100],
  ])('the duration %s has %i ms', (text, ms) => expect(durationOf(text)).toBe(ms))
})

describe('§1.5 templates run first', () => {
  const with_rule = (rule: string): string => router(`rule: '${rule}'`)
  const ruleOf = (text: string): string =>
    (decoded(text, { TOKEN: 'secret' }) as { http: { routers: { a: { rule: string } } } }).http.routers.a.rule

  it('env copies a secret of the process', () =>
    expect(ruleOf(with_rule('{{ env "TOKEN" }}'))).toBe('secret'))
  it('a comment is taken out', () => expect(ruleOf(with_rule('a{{/* b */}}c'))).toBe('ac'))
  it('an action prints braces', () => expect(ruleOf(with_rule('{{ "{{" }}'))).toBe('{{'))
  it('marks of trimming take blanks away', () => expect(ruleOf(with_rule('a  {{- "b" -}}  c'))).toBe('abc'))
  it('braces that close alone are harmless', () => expect(ruleOf(with_rule('a}}'))).toBe('a}}'))
  it('escaped braces are text', () =>
    expect(ruleOf(router('rule: "\\u007b\\u007b env }}"'))).toBe('{{ env }}'))
  it.each([
    ['an unknown function', with_rule('{{ nonsense }}'), 'function "nonsense" not defined'],
    ['an action that is not closed', with_rule('{{ env'), 'unclosed action'],
    ['in a comment as well', `# {{ nonsense }}\n${with_rule('a')}`, 'not defined'],
  ])('%s refuses the file', (_what, text, words) => expect(() => decoded(text)).toThrow(words))
})

const RENDERED = new URL('../../../fixtures/routes/', import.meta.url)

it.each(readdirSync(RENDERED))('what our renderer writes is taken: %s', (name) => {
  const found = decodeFile(readFileSync(new URL(`${name}/routes.yml`, RENDERED)), {})
  expect(Object.keys(found).length).toBeGreaterThan(0)
})
