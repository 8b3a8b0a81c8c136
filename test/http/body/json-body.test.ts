/** Bodies as bytes: what is taken as JSON and what is refused, without ever repeating content. */
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { DEEPEST_BODY, parseJson } from '../../../src/http/body/json-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => bytes(`${'['.repeat(depth)}${']'.repeat(depth)}`)

describe('accepted', () => {
  test.each([
    ['{}', {}],
    [' {"a":[1,2,{"b":null}]} ', { a: [1, 2, { b: null }] }],
    ['{"a":"]]]}}}[[["}', { a: ']]]}}}[[[' }],
    [String.raw`{"a":"\"[[[[","b_c":"\\"}`, { a: '"[[[[', b_c: '\\' }],
    ['"text"', 'text'],
    ['{"constructor":1,"proto":2}', { constructor: 1, proto: 2 }],
  ])('%s', async (text, value) => {
    expect(await parseJson(bytes(text))).toEqual({ value, escaped: false, duplicates: [] })
  })

  test('nesting up to the limit', async () => {
    expect((await parseJson(nested(DEEPEST_BODY))).value).toBeInstanceOf(Array)
  })

  test('it is said whether half a surrogate pair may stand in it', async () => {
    expect((await parseJson(bytes(String.raw`{"a":"\ud83e"}`))).escaped).toBe(true)
  })
})

describe('keys that stand twice in one object', () => {
  test.each<[string, readonly (readonly (string | number)[])[]]>([
    ['{"a":1,"a":1}', [['a']]],
    [
      '{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"e":[],"d":2}]}',
      [
        ['a', 'b'],
        ['c', 1, 'd'],
      ],
    ],
    [String.raw`{"a":1,"a":2}`, [['a']]],
    [String.raw`{"a\"":1,"b":"\"a\":","a\"":2}`, [['a"']]],
    ['{"a":1,"b":1,"a":2,"b":2,"a":3}', [['a'], ['b'], ['a']]],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":{"a":{"a":"a"}},"b":["a","a"]}', []],
    ['{"":1,"":2}', [['']]],
  ])('%s', async (text, duplicates) => {
    expect((await parseJson(bytes(text))).duplicates).toEqual(duplicates)
  })

  test('a large body is looked through once, and not all of its doubles are listed', async () => {
    const members = Array.from({ length: 60_000 }, (_, i) => `"key${i % 30_000}":${i}`)
    expect((await parseJson(bytes(`{${members.join(',')}}`))).duplicates).toHaveLength(50)
  })
})

describe('refused as too_large, before it is parsed', () => {
  const most = { keys: 3, entries: 4 }
  test.each<[string, object]>([
    ['{"a":1,"b":2,"c":3,"d":4}', { limit_keys: 3 }],
    ['[{"a":[{"a":1,"a":2,"a":3,"a":4}]}]', { limit_keys: 3 }],
    ['{"a":[1,2,3,4,5]}', { limit_entries: 4 }],
    ['[[],[],[],[],[]', { limit_entries: 4 }],
    ['{"a":1,"b":2,"c":3,,', { limit_keys: 3 }],
  ])('%s', async (text, facts) => {
    await expect(parseJson(bytes(text), most)).rejects.toThrow(
      expect.objectContaining({ code: 'too_large', details: { facts } }),
    )
  })

  test('but not what is within, wherever commas stand', async () => {
    const value = { a: [1, 2, 3, 4], b: ',,,,,,"[{', c: { a: [[], [], [], {}], b: {}, c: '' } }
    expect((await parseJson(bytes(JSON.stringify(value)), most)).value).toEqual(value)
  })
})

describe('refused as malformed_json', () => {
  test.each<[string, Uint8Array]>([
    ['no JSON', bytes('{"a":}')],
    ['trailing text', bytes('{} x')],
    ['a comment', bytes('{/* */}')],
    ['a trailing comma', bytes('{"a":1,}')],
    ['NaN', bytes('NaN')],
    ['a cut body', bytes('{"a":"b')],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['a byte-order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    ['a __proto__ key', bytes('{"a":{"__proto__":{"admin":true}}}')],
    ['an escaped __proto__ key', bytes(String.raw`{"\u005f_proto__":1}`)],
    ['a __proto__ key in a list', bytes('[[{"__proto__":1}]]')],
    ['one level too deep', nested(DEEPEST_BODY + 1)],
    ['64 KiB of open brackets', bytes('['.repeat(65_536))],
  ])('%s', async (_what, body) => {
    await expect(parseJson(body)).rejects.toThrow(expect.objectContaining({ code: 'malformed_json' }))
  })

  test('a message tells the place and never the content', async () => {
    try {
      await parseJson(bytes('{"password":"canary" "x"}'))
      expect.unreachable()
    } catch (error) {
      expect((error as Failure).message).toMatch(/character \d+/)
      expect((error as Failure).message).not.toContain('canary')
    }
  })
})

test('of a long text others have a turn after each 256 Ki characters, and what is found in it stays the same', async () => {
  const members = Array.from({ length: 60_000 }, (_, i) => `"name-${i}":[${i}]`)
  const text = `{${members.join(',')},"name-7":null}`
  expect(Math.floor(text.length / 2 ** 18)).toBe(4)
  let turns = 0
  const body = await parseJson(bytes(text), null, async () => void turns++)
  expect(body.duplicates).toEqual([['name-7']])
  // Between its four readings, and within two of them.
  expect(turns).toBe(3 + 2 * 4)
})
