/** Pages of a whole list. */
import { expect, it } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import { isOf, pageHeaders, pageOf } from '../../src/http/pages.ts'

const ALL = ['c', 'a', 'd', 'b']
const itself = (item: string) => item

it('is the whole list in its own order where no part is asked for', () => {
  expect(pageOf(ALL, itself, {})).toEqual({ items: ALL, total: 4, next: null })
})

it('goes on where the page before ended, also where its last one is gone', () => {
  const first = pageOf(ALL, itself, { limit: 2 })
  expect(first).toMatchObject({ items: ['a', 'b'], total: 4 })
  const cursor = first.next!
  expect(pageOf(ALL, itself, { limit: 2, cursor })).toEqual({ items: ['c', 'd'], total: 4, next: null })
  expect(pageOf(['a', 'c', 'd'], itself, { limit: 1, cursor }).items).toEqual(['c'])
  expect(pageOf(ALL, itself, { limit: 4 }).next).toBeNull()
})

it('refuses a cursor that was not made here', () => {
  for (const cursor of ['x', Buffer.from('[1]').toString('base64url'), ''])
    expect(() => pageOf(ALL, itself, { cursor })).toThrow(Failure)
})

it('has a tag of what it holds, and names the next page with the same question', () => {
  const page = pageOf(ALL, itself, { limit: 1 })
  const headers = pageHeaders(
    '/api/x',
    { zone: 'a b', limit: 1, cursor: undefined },
    { page, tagged: page.items },
  )
  expect(headers).toMatchObject({
    'X-Total-Count': '4',
    Link: `</api/x?zone=a+b&limit=1&cursor=${page.next}>; rel="next"`,
    ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  })
  expect(isOf(undefined, [])).toBe(true)
  expect(isOf('a', ['b', null])).toBe(false)
})
