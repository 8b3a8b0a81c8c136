/** Files in the proxy's folder, judged as Traefik's decoder does: each case is a line of the reference (Traefik 3.7.9). */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readToml } from '../../../../src/io/toml/read.ts'
import { readGoYaml } from '../../../../src/io/yaml/go-tree.ts'
import type { FileEvaluation, FileRead } from '../../../../src/ports/proxy-files.ts'
import { evaluateDynamicFile } from '../../../../src/features/routes/opens/dynamic-file.ts'
import { decodeFile } from '../../../fakes/traefik/decode/decode.ts'
import { runs, share } from '../../../kit/tier.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

function judged(read: FileRead, knows_all = true): FileEvaluation {
  if (read.ok) return evaluateDynamicFile(read.root, knows_all)
  return read.refused
    ? { kind: 'refused', line: read.line, why: read.why }
    : { kind: 'not_judged', why: read.why }
}
const yaml = (text: string): FileEvaluation => judged(readGoYaml(text))
const toml = (text: string): FileEvaluation => judged(readToml(text))
const shown = (found: FileEvaluation): string =>
  found.kind === 'refused' ? `${found.line}: ${found.why}` : found.kind

const http = (lines: string): string => `http:\n${lines.replaceAll(/^/gm, '  ')}\n`
const router = (line: string): string => http(`routers:\n  a:\n    service: s\n    ${line}`)
const service = (line: string): string => http(`services:\n  a:\n    loadBalancer:\n      ${line}`)

describe('YAML that refuses the whole folder, with its line', () => {
  it.each([
    ['an unknown key below the root', router('rules: x'), '5: field not found, node: rules'],
    ['an unknown section', http('router: {}'), '2: field not found, node: router'],
    [
      'an unknown middleware',
      http('middlewares:\n  a:\n    noSuch: { x: 1 }'),
      '4: field not found, node: noSuch',
    ],
    [
      'an unknown key of a middleware',
      http('middlewares:\n  a:\n    headers:\n      frame: true'),
      '5: field not found',
    ],
    ['routers: {}', http('routers: {}'), '2: routers cannot be a standalone element'],
    ['routers: []', http('routers: []'), '2: routers cannot be a standalone element'],
    ['http: {}', 'http: {}', '1: http cannot be a standalone element'],
    ['tls options without one', 'tls: { options: {} }', '1: options cannot be a standalone element'],
    [
      'forwardAuth: {}',
      http('middlewares: { a: { forwardAuth: {} } }'),
      'forwardAuth cannot be a standalone',
    ],
    ['null inside a list', router('middlewares: [~]'), '5: field not supported: <nil>'],
    ['a duplicate key', router('service: t'), '5: mapping key "service" already defined'],
    ['a tab as indentation', 'http:\n\trouters:\n', '2: begins with a tab'],
    ['a date without quotes', router('rule: 2024-01-02'), '5: field not supported: time.Time'],
    ['a time without quotes', router('rule: 2024-1-2T03:04:05Z'), 'time.Time'],
    ['a bool that Go does not know', service('passHostHeader: no'), '5: passHostHeader is "no"'],
    ['a number for a bool', service('passHostHeader: "2"'), 'passHostHeader is "2"'],
    ['a broken weight', service('servers: [{ url: "http://a", weight: 2.5 }]'), 'weight is "2.500000"'],
    ['a text for a number', router('priority: high'), 'priority is "high"'],
    ['a number beyond 64 bits', router('priority: "9223372036854775808"'), 'no whole number'],
    ['a mapping for a text', router('rule: { a: b }'), '5: rule is no single value'],
    ['a list for a number', router('priority: [1]'), '5: priority is'],
    ['more in a mapping for a list', router('middlewares: { a: { b: c } }'), 'field not found, node: b'],
    ['a list of lists', router('middlewares: [[a]]'), '5: field not supported: a list in a list'],
    [
      'a section whose lines are all comments',
      'http:\n  routers:\n',
      '1: http cannot be a standalone element',
    ],
    [
      'the last entry of a section without a value',
      http('routers:\n  a:'),
      '2: routers cannot be a standalone',
    ],
    [
      'a last header without a value',
      http('middlewares: { a: { headers: { customRequestHeaders: { X: ~ } } } }'),
      'customRequestHeaders cannot be a standalone',
    ],
    ['a text for an object', 'http: routes\n', 'http cannot be a standalone element'],
    ['a list at the root', '- http\n', 'no mapping at its root'],
    ['a bad duration', service('responseForwarding: { flushInterval: soon }'), 'no duration'],
    ['a control character', router('rule: "a\u0001"'), '5: control characters are not allowed'],
    ['an escaped pair of surrogates', router('rule: "\\ud83e\\udd8a"'), '5: holds the escape'],
    ['an unknown anchor', router('rule: *x'), '5: unknown anchor'],
    ['an anchor that holds itself', router('tls: &x { options: *x }'), 'contains itself'],
    ['two keys on one line', router('rule: {}: x'), '5: has a second ":" on its line'],
    ['a merge of a text', router('<<: text'), 'map merge requires'],
    ['half of a file', http('routers: { a: {'), 'YAML'],
    [
      'fault behind good parts',
      `${router('rule: x')}tcp:\n  routers:\n    b:\n      rul: y\n`,
      '9: field not found',
    ],
  ])('%s', (_what, text, words) => {
    expect(shown(yaml(text))).toContain(words)
    expect(() => decodeFile(Buffer.from(text), {})).toThrow()
  })
})

it('null inside the list of a plugin refuses the folder, too', () =>
  expect(shown(yaml(http('middlewares: { a: { plugin: { p: { x: [~] } } } }')))).toContain('<nil>'))

it('a header of another version than 1.1 refuses the folder', () =>
  expect(shown(yaml('# ours\n%YAML 1.2\n---\nhttp:\n'))).toContain('found incompatible YAML document'))

describe('YAML that is taken', () => {
  it.each([
    ['an unknown key at the root', 'x-meta: { a: [~] }\nversion: 3\n'],
    ['http: null', 'http:\n'],
    ['routers: null beside others', 'http:\n  routers:\n  services: { a: {} }\n'],
    ['an unknown key without a value', router('rules:')],
    ['a list for a text', router('rule: [a]')],
    ['a mapping for a list', router('middlewares: { a: b }')],
    ['an object without a type', http('services: { a: {} }')],
    ['a null entry beside another', http('middlewares: { a: ~, b: {} }')],
    ['an empty list', router('middlewares: []')],
    ['tls: {} on a router', router('tls: {}')],
    ['tls: true on a router', router('tls: true')],
    ['compress: {}', http('middlewares: { a: { compress: {} } }')],
    ['a sticky cookie with its defaults', service('sticky: { cookie: {} }')],
    ['fields in another case of letters', router('RULE: x\n    entrypoints: web')],
    ['names that differ in case alone', http('services: { a: {}, A: {} }')],
    ['a second document, whatever it holds', 'http:\n---\nnoSuch: [\n'],
    ['a document behind its end', 'http:\n...\nnoSuch: [\n'],
    ['a file of 0 bytes', ''],
    ['a file of comments alone', '# nothing\n'],
    ['a mark at the beginning and carriage returns', '\ufeffhttp:\r\n'],
    ['a text over several lines', router('rule: |\n      Host(`x`)\n    priority: 1')],
    ['JSON', '{"http":{"services":{"a":{}}}}'],
    [
      'anchors and merge keys',
      http('services:\n  a: &a { loadBalancer: { strategy: wrr } }\n  b: { <<: *a }'),
    ],
    [
      'an anchor at the root',
      'x-auth: &auth [a, b]\nhttp:\n  routers:\n    a: { rule: r, service: s, middlewares: *auth }\n',
    ],
    ['the long escape', router('rule: "\\U0001f98a"')],
    ['a date in quotes', router('rule: "2024-01-02"')],
    ['a hexadecimal priority', router('priority: 0x1f')],
    ['an octal priority', router('priority: 010')],
    ['keys that do nothing any more', http('middlewares: { a: { headers: { sslRedirect: true } } }')],
    ['a plugin with anything', http('middlewares: { a: { plugin: { p: { x: [{ y: 1 }, { z: 2 }] } } } }')],
    ['a bare number of seconds', service('responseForwarding: { flushInterval: 5 }')],
    ['a negative duration', service('responseForwarding: { flushInterval: -1ms }')],
    ['braces that close alone', router("rule: 'a}}'")],
  ])('%s', (_what, text) => {
    expect(shown(yaml(text))).toBe('taken')
    expect(decodeFile(Buffer.from(text), {})).toBeDefined()
  })

  it('also a date that is none', () => expect(shown(yaml(router('rule: 2024-13-45')))).toBe('taken'))

  it('names what it defines', () =>
    expect(
      yaml(
        `${router('rule: x')}tcp: { services: { b: {} } }\ntls: { options: { c: { sniStrict: true } } }\n`,
      ),
    ).toEqual({ kind: 'taken', names: ['a', 'b'] }))
})

describe('YAML that is not judged', () => {
  it.each([
    ['a tag', router('rule: !mine x')],
    ['a directive', '%YAML 1.1\n---\nhttp:\n'],
    ['a list whose bracket ends it flush left', 'x: [\n1\n]\n'],
    ['a separator of YAML 1.1', router('rule: "a\u0085b"')],
    ['a billion laughs', laughs()],
  ])('%s', (_what, text) => expect(shown(yaml(text))).toBe('not_judged'))

  it('a key that may be of a later version than those known here', () =>
    expect(judged(readGoYaml(router('newKey: x')), false).kind).toBe('not_judged'))
})

function laughs(): string {
  const lines = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`)
  return `${lines.join('\n')}\n`
}

describe('TOML', () => {
  it.each([
    ['an unknown key', '[http.routers.a]\nservice = "s"\nrules = "x"\n', '3: field not found, node: rules'],
    [
      'an unknown key of an inline table',
      '[http.services.a.loadBalancer]\nservers = [ { uri = "x" } ]\n',
      '2: field not found',
    ],
    ['a table twice', '[http.routers.a]\nrule = "x"\n[http.routers.a]\n', '3: trying to redefine'],
    ['an empty section', '[http.routers]\n', '1: routers cannot be a standalone element'],
    ['a date', '[http.routers.a]\nrule = 2024-01-02\n', '2: field not supported: time.Time'],
    ['a broken number', '[http.routers.a]\npriority = 1.5\n', '2: priority is "1.500000"'],
    ['no TOML', '[http\n', '1: '],
    ['half a text', '[http.routers.a]\nrule = "x\n', '2: '],
  ])('%s refuses the whole folder', (_what, text, words) => expect(shown(toml(text))).toContain(words))

  it.each([
    [
      'routers and services',
      '[http.routers.a]\nrule = "Host(`x`)"\nservice = "s"\npriority = 10\n[[http.services.s.loadBalancer.servers]]\nurl = "http://a"\n',
    ],
    ['inline tables', 'http.services.s.loadBalancer.servers = [ { url = "http://a", weight = 1 } ]\n'],
    ['a file of Traefik 1', '[frontends.a]\nrule = "Host:a"\n'],
    ['a mark and carriage returns', '\ufeff[http.routers.a]\r\nrule = "x"\r\n'],
    ['certificates', '[[tls.certificates]]\ncertFile = "a"\nkeyFile = "b"\n'],
    ['whole numbers with a point', '[http.routers.a]\npriority = 1.0\n[http.routers.b]\npriority = 1e3\n'],
    ['nothing', ''],
  ])('%s are taken', (_what, text) => expect(shown(toml(text))).toBe('taken'))
})

const RENDERED = new URL('../../../../fixtures/routes/', import.meta.url)
const renderings = readdirSync(RENDERED).map((name) =>
  readFileSync(new URL(`${name}/routes.yml`, RENDERED), 'utf8'),
)

it('what our renderer writes is taken', () => {
  for (const text of renderings) expect(shown(yaml(text))).toBe('taken')
})

/** Words that a hand may put in the place of others. */
const WORDS = [
  'x',
  '1',
  '1.5',
  '[]',
  '{}',
  '~',
  '[a]',
  '{ a: b }',
  'true',
  'no',
  '2024-01-02',
  '"1m"',
  '0x',
  '*a',
  '"',
  "'",
  '\t',
  '- ',
  'http:',
  'tls: {}',
  '<<: {}',
  '1_0',
  ': ',
  '# ',
]

const mutated = fc
  .record({
    text: fc.constantFrom(...renderings.filter(({ length }) => length < 3000)),
    at: fc.nat(),
    length: fc.nat(20),
    word: fc.constantFrom('', ...WORDS),
  })
  .map(({ text, at, length, word }) => {
    const parts = text.split(/(\s+|[:,[\]{}"])/)
    const start = at % parts.length
    return [...parts.slice(0, start), word, ...parts.slice(start + (length % 4))].join('')
  })

itInDepth('agrees with the decoder of the stand-in on what hands make of good files', () => {
  let [refused, taken] = [0, 0]
  fc.assert(
    fc.property(mutated, (text) => {
      // Keys that are no texts become one there, in words of its own.
      fc.pre(!text.includes('{{') && !/^[\s-]*[\d.~]\S*:/m.test(text))
      const found = yaml(text)
      if (found.kind === 'not_judged') return
      // Its grammar is that of our own parser, and Go's takes less: see test/fuzz/yaml/go-files.deep.test.ts.
      const is_grammar = !readGoYaml(text).ok
      let theirs: string | null = null
      try {
        decodeFile(Buffer.from(text), {})
      } catch (error) {
        theirs = (error as Error).message
      }
      if (found.kind === 'taken') taken++
      else refused++
      if (!is_grammar) expect(found.kind === 'refused', `${shown(found)} | ${theirs}`).toBe(theirs !== null)
    }),
    { numRuns: runs(5000) },
  )
  expect(Math.min(refused, taken)).toBeGreaterThan(share(5000, 400))
})
