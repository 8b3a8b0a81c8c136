/** A page of records: what is ours, then what somebody else made. */
import { expect, it } from 'vitest'
import { OTHERS_PER_ANSWER, recordsPage } from '../../../src/features/dns/records/records-page.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const at = (name: string) => ({ name, type: 'TXT', zone: 'example.com', account: 'a' })
const other = (name: string) => ({
  ...at(name),
  values: ['x'],
  ttl: 60,
  proxied: null,
  comment: null,
  domain: null,
})
const OURS = ['b', 'a'].map(at)
const asking = (query: { limit?: number; cursor?: string | undefined }) => ({
  path: '/api/dns/records',
  query,
})
const named = (list: readonly { readonly name: string }[] | null) => list?.map(({ name }) => name)

it('leads through ours and then through what is of others, and says how much is left', () => {
  const others = ['d', 'c', 'e'].map(other)
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const one = recordsPage(OURS, others, asking({ limit: 2, cursor }))
    pages.push([named(one.records), named(one.others), one.others_left, one.page.total])
    cursor = one.page.next ?? undefined
  } while (cursor !== undefined)
  expect(pages).toEqual([
    [['a', 'b'], [], 3, 5],
    [[], ['c', 'd'], 1, 5],
    [[], ['e'], 0, 5],
  ])
})

itInDepth('of a zone of 50,000 is no answer of 50,000, where no limit was asked for; ours are whole', () => {
  const others = Array.from({ length: 50_000 }, (_, n) => other(`n${n}`))
  const first = recordsPage(OURS, others, asking({}))
  expect(named(first.records)).toEqual(['a', 'b'])
  expect(first.others).toHaveLength(OTHERS_PER_ANSWER)
  expect(first.others_left).toBe(50_000 - OTHERS_PER_ANSWER)
  const second = recordsPage(OURS, others, asking({ cursor: first.page.next ?? undefined }))
  expect(second.records).toEqual([])
  expect(first.others!.at(-1)!.name < second.others![0]!.name).toBe(true)
})

it('without others is the whole list in its own order', () => {
  expect(recordsPage(OURS, null, asking({}))).toMatchObject({
    records: OURS,
    others: null,
    others_left: null,
  })
})
