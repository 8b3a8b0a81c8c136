/** What a JSON text would take is seen before it is parsed. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JSON_BOUNDS, jsonExcess } from '../../../src/kernel/text/json-bounds.ts'
import { runs } from '../../kit/tier.ts'

const excess = (text: string) => jsonExcess(Buffer.from(text), JSON_BOUNDS)

it('the depth is that of the parsed value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'large', noUnicodeString: false }), (value) => {
      const bytes = Buffer.from(JSON.stringify(value))
      const depth = depthOf(value)
      expect(jsonExcess(bytes, { depth, values: Infinity })).toBeNull()
      if (depth > 0)
        expect(jsonExcess(bytes, { depth: depth - 1, values: Infinity })).toMatch(/^nests deeper/)
    }),
    { numRuns: runs(1000) },
  )
})

it.each<[string, string]>([
  ['brackets', '['.repeat(65)],
  ['a mark and blanks before them', `\ufeff \r\n\t${'{"a":'.repeat(65)}`],
])('what nests deeper than any answer is named: %s', (_what, text) => {
  expect(excess(text)).toBe('nests deeper than 64 levels')
})

it.each<[string, string]>([
  ['empty objects', `[${'{},'.repeat(250_001)}{}]`],
  ['numbers', `[${'1,'.repeat(500_001)}1]`],
  ['empty lists', `[${'[],'.repeat(250_001)}[]]`],
])('what has more values than any answer is named: %s', (_what, text) => {
  expect(excess(text)).toBe('has more than 500000 values')
})

it.each<[string, string]>([
  ['one string of brackets and commas', JSON.stringify(['[{,"\\'.repeat(600_000)])],
  ['text that is no list and no object', '{'.padStart(3, 'x') + '[,'.repeat(600_000)],
  ['nothing', ''],
  ['a string without an end', '["' + '\\"['.repeat(1000)],
])('what takes no more than its length is let through: %s', (_what, text) => {
  expect(excess(text)).toBeNull()
})

const OBJECTS = {
  router: (i: number) => ({
    entryPoints: ['websecure'],
    middlewares: ['plumbline-headers@file', 'plumbline-sso@file', `plumbline-path_${i}@file`],
    service: `plumbline-site_app-${i}.example.com`,
    rule: `Host(\`app-${i}.example.com\`)`,
    priority: 1000,
    tls: { certResolver: 'letsencrypt', domains: [{ main: `app-${i}.example.com`, sans: [] }] },
    status: 'enabled',
    using: ['websecure'],
    name: `plumbline-site_app-${i}.example.com@file`,
    provider: 'file',
  }),
  rrset: (i: number) => ({
    comments: [{ account: 'plumbline', content: 'managed', modified_at: i }],
    name: `app-${i}.example.com.`,
    records: [{ content: '203.0.113.7', disabled: false }],
    ttl: 300,
    type: 'A',
  }),
}

it.each(Object.entries(OBJECTS))('10,000 of one kind pass in one answer: %s', (_kind, make) => {
  const text = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => make(i)))
  expect(excess(text)).toBeNull()
})
