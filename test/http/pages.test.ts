/** Pages of a whole list. */
import { expect, it } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import { isOf, type PageAsked, pageHeaders, pageOf } from '../../src/http/pages.ts'

const ALL = ['c', 'a', 'd', 'b']
const itself = (item: string) => item
const asking = (query: PageAsked['query'], path = '/api/x'): PageAsked => ({ path, query })

it('is the whole list in its own order where no part is asked for', () => {
  expect(pageOf(ALL, itself, asking({}))).toEqual({ items: ALL, total: 4, next: null })
})

it('goes on where the page before ended, also where its last one is gone', () => {
  const first = pageOf(ALL, itself, asking({ limit: 2 }))
  expect(first).toMatchObject({ items: ['a', 'b'], total: 4 })
  const cursor = first.next!
  expect(pageOf(ALL, itself, asking({ limit: 2, cursor }))).toEqual({
    items: ['c', 'd'],
    total: 4,
    next: null,
  })
  expect(pageOf(['a', 'c', 'd'], itself, asking({ limit: 1, cursor })).items).toEqual(['c'])
  expect(pageOf(ALL, itself, asking({ limit: 4 })).next).toBeNull()
})

it('refuses a cursor that was not made here', () => {
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const cursor of ['x', text([1]), text(['1 ']), text(['0'.repeat(16), 'b']), text(null), ''])
    expect(() => pageOf(ALL, itself, asking({ cursor }))).toThrow(Failure)
})

it('refuses the cursor of another list: another path, another filter', () => {
  const cursor = pageOf(ALL, itself, asking({ limit: 2, zone: 'a' })).next!
  expect(pageOf(ALL, itself, asking({ zone: 'a', cursor, state: undefined })).items).toEqual(['c', 'd'])
  for (const asked of [
    asking({ limit: 2, cursor }),
    asking({ limit: 2, zone: 'b', cursor }),
    asking({ limit: 2, zone: 'a', state: 'owned', cursor }),
    asking({ limit: 2, zone: 'a', cursor }, '/api/y'),
  ])
    expect(() => pageOf(ALL, itself, asked)).toThrow(Failure)
})

it('has a tag of what it holds, and names the next page with the same question', () => {
  const page = pageOf(ALL, itself, asking({ limit: 1 }))
  const headers = pageHeaders(asking({ zone: 'a b', limit: 1, cursor: undefined }), {
    page,
    tagged: page.items,
  })
  expect(headers).toMatchObject({
    'X-Total-Count': '4',
    Link: `</api/x?zone=a+b&limit=1&cursor=${page.next}>; rel="next"`,
    ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  })
  expect(isOf(undefined, [])).toBe(true)
  expect(isOf('a', ['b', null])).toBe(false)
})
