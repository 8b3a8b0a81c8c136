/** The JSON of long lists: what JSON.stringify makes, in pieces, and the same bytes for all who ask for the same lists. */
import { expect, it } from 'vitest'
import { withLongJson } from '../../src/http/long-json.ts'
import { ok } from '../../src/http/ok.ts'

const rows = (count: number): { readonly at: number; readonly deep: number[] }[] =>
  Array.from({ length: count }, (_, at) => ({ at, deep: [at] }))

it.each([
  ['a list', rows(1201)],
  [
    'members beside one',
    { before: null, left: undefined, data: rows(1000), count: 1000, sources: [{ a: '"' }] },
  ],
  ['two lists', { rogue: rows(1500), undecided: rows(2000) }],
  ['a list of nothing', { data: Array.from({ length: 1000 }, () => null) }],
])('of %s is what JSON.stringify makes, and made once', async (_what, body) => {
  const { json } = await withLongJson(ok(body))
  expect(Buffer.from(json!).toString()).toBe(JSON.stringify(body))
  const again = await withLongJson(ok(Array.isArray(body) ? body : { ...body }))
  expect(again.json).toBe(json)
})

it('is made anew where a list or what stands beside it is another one', async () => {
  const data = rows(1000)
  const { json } = await withLongJson(ok({ data, more: rows(1000), beside: 1 }))
  for (const body of [
    { data, more: rows(1001), beside: 1 },
    { data, more: rows(3), beside: 1 },
    { data, beside: { deep: rows(1000) } },
    { data, beside: { deep: rows(1001) } },
  ]) {
    const other = await withLongJson(ok(body))
    expect(other.json).not.toBe(json)
    expect(Buffer.from(other.json!).toString()).toBe(JSON.stringify(body))
  }
})

it('of short lists is left to whoever answers', async () => {
  expect(await withLongJson(ok({ data: rows(999) }))).not.toHaveProperty('json')
})
