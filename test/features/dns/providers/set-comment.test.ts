/** One comment for a set whose records have several. */
import { expect, it } from 'vitest'
import { listedSet } from '../../../../src/features/dns/providers/powerdns/sets.ts'
import { commentOf } from '../../../../src/features/dns/providers/set-comment.ts'

it.each<readonly [readonly (string | null | undefined)[], string | null]>([
  [[], null],
  [['', null, undefined], null],
  [['', 'first', 'second'], 'first'],
  [['plumbline:1:a:1', 'plumbline:1:a:1 change=2:0'], 'plumbline:1:a:1'],
  [['plumbline:1:a:1 note', 'hello', 'plumbline:1:b:1'], 'plumbline:1:a:1 note\nplumbline:1:b:1'],
])('%j is %j', (comments, comment) => {
  expect(commentOf(comments)).toBe(comment)
})

it('PowerDNS keeps several comments at one set, and both marks are shown', () => {
  const account = 'plumbline'
  const set = {
    name: 'app.example.org.',
    type: 'A',
    ttl: 300,
    records: [{ content: '192.0.2.1', disabled: false }],
    comments: [
      { content: 'plumbline:1:a:1', account },
      { content: 'for people', account: 'ann' },
      { content: 'plumbline:1:b:1', account },
    ],
  }
  expect(listedSet(set)).toMatchObject({ comment: 'plumbline:1:a:1\nplumbline:1:b:1' })
})
