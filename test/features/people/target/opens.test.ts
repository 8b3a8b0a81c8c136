/** Which users files let in more than the database says: by who may enter afterwards. */
import { expect, it } from 'vitest'
import type { Difference } from '../../../../src/engine/target.ts'
import type { Person } from '../../../../src/features/people/records.ts'
import { opensPeople, type SitesAccess } from '../../../../src/features/people/target/target.ts'
import type { PeopleChange } from '../../../../src/features/people/target/diff.ts'

const JO: Person = {
  username: 'jo',
  origin: 'invited',
  display_name: 'Jo',
  email: 'jo@example.net',
  groups: ['staff', 'guests', 'blocked'],
  revoked_at: null,
  password_hash: null,
  written_at: 5,
  disabled: false,
  created_at: 1,
  updated_at: 1,
}
const POLICIES: SitesAccess = new Map([
  [
    'wiki.example.com',
    {
      access: [
        { groups: ['blocked'], users: [], policy: 'deny' },
        { groups: ['guests'], users: [], policy: 'two_factor' },
        { groups: ['staff'], users: [], policy: 'one_factor' },
      ],
    },
  ],
])

const regroup = (before: readonly string[]): PeopleChange => ({ kind: 'regroup', person: JO, before })

function opens(payload: PeopleChange, policies: SitesAccess | null = POLICIES, disabled = false): boolean {
  const user = { password: 'h', display_name: '', email: '', groups: [], disabled }
  const seen = { people: [JO], text: '', digest: '', users: new Map([['jo', user]]), faults: [] }
  const difference: Difference<PeopleChange> = {
    key: 'k',
    item: 'jo',
    verb: 'update',
    before: '',
    after: '',
    payload,
  }
  return opensPeople(seen, [difference], policies)
}

it.each<[string, readonly string[], boolean]>([
  ['a group more', ['staff', 'guests', 'blocked', 'other'], true],
  ['another group instead', ['other', 'blocked'], true],
  ['without the one that is refused', ['staff', 'guests'], true],
  ['without the one that asks for more, but refused all the same', ['staff', 'blocked'], false],
  ['in none', [], false],
])('%s', (_what, groups, expected) => {
  expect(opens(regroup(groups))).toBe(expected)
  expect(opens(regroup(groups), POLICIES, true), 'disabled').toBe(false)
  expect(opens(regroup(groups), null), 'by rules of somebody else').toBe(true)
})

it('who was revoked and is not disabled enters; who is not there does not', () => {
  expect(opens({ kind: 'disable', person: JO })).toBe(true)
  expect(opens({ kind: 'add', person: JO })).toBe(false)
})
