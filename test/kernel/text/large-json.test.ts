/** A large JSON text read in pieces: the same value as `JSON.parse`, or none where that throws, and others have their turn. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsedLargeJson } from '../../../src/kernel/text/large-json.ts'
import { runs } from '../../kit/tier.ts'

const whole = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
const FILLER = 'x"\\,[{}]\u2028é'.repeat(40)
/** Long enough to be cut, whatever is in it. */
const long = (entries: readonly unknown[]): unknown[] =>
  Array.from({ length: 900 }, (_, at) => entries[at % Math.max(entries.length, 1)] ?? at).concat([
    FILLER.repeat(900),
  ])

describe('a large text', () => {
  it.each<[string, string]>([
    ['a bare list', JSON.stringify(long([{ a: 1, b: [2, { c: '],' }] }, null, 'x', 1.5, []]))],
    [
      'a list in an envelope',
      JSON.stringify({ meta: { rc: 'ok', of: [1, 2] }, data: long([{ a: [] }]), last: 'é' }),
    ],
    ['several lists', JSON.stringify({ a: [1], b: long([{ x: 1 }]), c: long([{ y: 2 }]) })],
    ['a list that another takes the place of', `{"data":${JSON.stringify(long([1]))},"data":7}`],
    ['one of another depth', JSON.stringify({ a: { b: long([{ x: 1 }]) } })],
    ['a member of a strange name', `{"__proto__":${JSON.stringify(long([{ x: 1 }]))},"b":1}`],
    ['blanks between', JSON.stringify({ data: long([{ a: 1 }]) }, null, 2)],
    ['one string', JSON.stringify(FILLER.repeat(3000))],
    ['one entry', JSON.stringify([FILLER.repeat(3000)])],
    ['a comma too many', `[${JSON.stringify(long([1])).slice(1, -1)},]`],
    ['a comma at the start', `[,${JSON.stringify(long([1])).slice(1)}`],
    ['an end that is missing', JSON.stringify({ data: long([{ a: 1 }]) }).slice(0, -2)],
    ['something behind it', `${JSON.stringify(long([{ a: 1 }]))} x`],
    ['a bracket of another kind', JSON.stringify(long([{ a: 1 }])).replace('}', ']')],
    ['a string without an end', `[${JSON.stringify(long([1])).slice(1, -1)},"`],
  ])('%s is what JSON.parse says', async (_what, text) => {
    expect(text.length).toBeGreaterThan(256 * 1024)
    expect(await parsedLargeJson(text)).toEqual(whole(text))
  })

  it('whatever is in it, and wherever it is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.record({
          is_bare: fc.boolean(),
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          put: fc.constantFrom(null, '', ',', '"', ']', '}', '[', '\\'),
        }),
        async (entries, { is_bare, at, put }) => {
          const good = JSON.stringify(is_bare ? long(entries) : { m: entries, data: long(entries) })
          const cut = Math.floor(at * good.length)
          const text = put === null ? good : good.slice(0, cut) + put + good.slice(cut + 1)
          expect(await parsedLargeJson(text)).toEqual(whole(text))
        },
      ),
      { numRuns: Math.ceil(runs(400) / 8) },
    )
  })

  it('gives others their turn all the while', async () => {
    let turns = 0
    let is_done = false
    const count = () => {
      turns++
      if (!is_done) setImmediate(count)
    }
    setImmediate(count)
    const text = JSON.stringify({ data: long(Array.from({ length: 50 }, () => FILLER)) })
    await parsedLargeJson(text)
    is_done = true
    expect(turns).toBeGreaterThan(text.length / (64 * 1024))
  })
})
