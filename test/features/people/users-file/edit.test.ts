/** Users files in every form that people and Authelia leave behind: what is not ours keeps every byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Document, stringify } from 'yaml'
import { usersDocuments } from '../../../../src/features/people/users-file/documents.ts'
import type { UserEdit } from '../../../../src/ports/users-file.ts'
import { schemaFaults } from './schema.ts'
import { byTier } from '../../../kit/tier.ts'

const HASH = `$argon2id$v=19$m=65536,t=3,p=4$${'c2FsdHNhbHRzYWx0c2E'}$${'A'.repeat(43)}`

const BOB = {
  kind: 'add',
  username: 'bob',
  display_name: 'Bob "the" Müller: #1',
  email: 'bob@example.com',
  groups: ['admins', 'dev'],
  password_hash: HASH,
  disabled: false,
} as const satisfies UserEdit

const READ_BOB = {
  password: HASH,
  display_name: BOB.display_name,
  email: BOB.email,
  groups: BOB.groups,
  disabled: false,
}

function edited(text: string, ...edits: UserEdit[]): string {
  const result = usersDocuments.edit(text, edits)
  expect(result).toMatchObject({ ok: true })
  return (result as { text: string }).text
}

function usersOf(text: string) {
  const read = usersDocuments.read(text)
  expect(read, text).toMatchObject({ ok: true })
  return (read as Extract<typeof read, { ok: true }>).users
}

const ALICE = `password: "${HASH}"\n    displayname: Alice`

/** Name, text. In each of them `alice` is there and written out. */
const FORMS: readonly (readonly [string, string])[] = [
  ['block form', `users:\n  alice:\n    ${ALICE}\n`],
  [
    'comments everywhere',
    `# top\nusers: # of us\n  # about alice\n  alice: # her\n    # pw\n    ${ALICE} # nice\n    # end of alice\n# bottom\n`,
  ],
  ['no line end at the end', `users:\n  alice:\n    ${ALICE}`],
  [
    'deep indentation',
    `users:\n        alice:\n          password: '${HASH}'\n          displayname: Alice\n`,
  ],
  ['quoted keys', `"users":\n  'alice':\n    ${ALICE}\n`],
  ['flow form', `{users: {alice: {password: "${HASH}", displayname: Alice}}}\n`],
  ['JSON', JSON.stringify({ users: { alice: { password: HASH, displayname: 'Alice' } } }, null, 2)],
  ['flow users in a block root', `users: {alice: {password: "${HASH}", displayname: Alice},}\n`],
  ['a document marker', `---\nusers:\n  alice:\n    ${ALICE}\n...\n`],
  ['Windows line ends', `users:\r\n  alice:\r\n    password: "${HASH}"\r\n    displayname: Alice\r\n`],
  ['a byte-order mark', `\ufeffusers:\n  alice:\n    ${ALICE}\n`],
  [
    'an anchor that others refer to',
    `users:\n  alice: &a\n    ${ALICE}\n  carol: *a\n  dave:\n    <<: *a\n    displayname: Dave\n`,
  ],
  ['further keys at the root', `version: 1\nusers:\n  alice:\n    ${ALICE}\nlater: [1, 2]\n`],
  ['block scalars', `users:\n  alice:\n    displayname: >-\n      Alice\n    password: |-\n      ${HASH}\n`],
  ['lists that are not indented', `users:\n  alice:\n    groups:\n    - a\n    - b\n    ${ALICE}\n`],
  [
    'attributes that are unknown',
    `users:\n  alice:\n    ${ALICE}\n    pet: {name: Rex}\n    extra: {n: 010}\n`,
  ],
  [
    'names that look like other things',
    `users:\n  "no":\n    ${ALICE}\n  '1e3':\n    ${ALICE}\n  "__proto__":\n    ${ALICE}\n  alice:\n    ${ALICE}\n`,
  ],
]

describe.each(FORMS)('a users file with %s', (_name, text) => {
  it('takes a new user, and every byte that was there is still there, in order', () => {
    const result = edited(text, BOB)
    expect(usersOf(result).get('bob')).toEqual(READ_BOB)
    const before = usersOf(text)
    for (const [name, user] of before) expect(usersOf(result).get(name)).toEqual(user)
    expect(usersOf(result).size).toBe(before.size + 1)
    expect(isInterwoven(text, result)).toBe(true)
  })

  it('ends the access of one user, once and for all others nothing', () => {
    // What others refer to cannot be changed for one alone.
    if (text.includes('&a'))
      return expect(usersDocuments.edit(text, [{ kind: 'disable', username: 'alice' }]).ok).toBe(false)
    const result = edited(text, { kind: 'disable', username: 'alice' })
    expect(usersOf(result).get('alice')?.disabled).toBe(true)
    expect(edited(result, { kind: 'disable', username: 'alice' })).toSatisfy(
      (again: string) => usersOf(again).get('alice')?.disabled === true,
    )
    for (const [name, user] of usersOf(text))
      if (name !== 'alice') expect(usersOf(result).get(name)).toEqual(user)
  })

  it('changes groups, adds and disables in one go', () => {
    const result = usersDocuments.edit(text, [
      { kind: 'regroup', username: 'alice', groups: ['x'] },
      { ...BOB, disabled: true },
    ])
    if (text.includes('&a')) return expect(result.ok).toBe(false)
    const users = usersOf((result as { text: string }).text)
    expect(users.get('alice')?.groups).toEqual(['x'])
    expect(users.get('bob')?.disabled).toBe(true)
  })
})

/** Whether the lines of the one stand in the other, in order; flow forms are compared by characters. */
function isInterwoven(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at]) at += character.length
  return at === part.length
}

describe('a users file without users', () => {
  it.each([
    ['nothing', ''],
    ['a comment', '# here be users'],
    ['a null', 'users:\n'],
    ['a null with a comment', 'users: # none yet\n'],
    ['a tilde', 'users: ~\n'],
    ['an empty mapping', 'users: {}\n'],
    ['another key', 'other: 1\n'],
    ['an empty root', '{}\n'],
    ['a null in flow form', '{users: }\n'],
  ])('holding %s becomes one that the schema accepts', (_name, text) => {
    const result = edited(text, BOB)
    expect(usersOf(result).get('bob')).toEqual(READ_BOB)
    if (!text.includes('other')) expect(schemaFaults(result)).toEqual([])
  })
})

it('a flag in any spelling is seen and set', () => {
  for (const spelled of [
    'disabled: false',
    'disabled:',
    'disabled: no',
    'disabled:   "false" # soon',
    "'disabled': ~",
  ]) {
    const text = `users:\n  alice:\n    ${spelled}\n    ${ALICE}\n`
    expect(usersOf(text).get('alice')?.disabled).toBe(false)
    expect(usersOf(edited(text, { kind: 'disable', username: 'alice' })).get('alice')?.disabled).toBe(true)
  }
  for (const spelled of ['true', 'True', 'yes', 'on', '"yes"', 'Y'])
    expect(usersOf(`users:\n  alice: {disabled: ${spelled}}\n`).get('alice')?.disabled).toBe(true)
})

it('a flag that is a text is a fault of the file, and disables nobody; a group that is nothing is no fault', () => {
  const faultsOf = (attribute: string) => {
    const read = usersDocuments.read(`users:\n  alice:\n    ${attribute}\n    ${ALICE}\n`)
    return read.ok ? read.faults.map(({ msg }) => msg) : read
  }
  for (const text of ['"false"', '"true"', "'true'", 'tRue', 'yEs', '1']) {
    expect(faultsOf(`disabled: ${text}`), text).toEqual([
      'has disabled, which is neither true nor false; write it without quotes',
    ])
    expect(usersOf(`users:\n  alice: {disabled: ${text}}\n`).get('alice')?.disabled).toBe(false)
  }
  for (const attribute of ['groups: [~]', 'groups: [a, ~]', 'groups: ~', 'disabled: ~', 'disabled: FALSE'])
    expect(faultsOf(attribute), attribute).toEqual([])
})

describe('what cannot be edited is refused, and what cannot be read is not guessed at', () => {
  it.each([
    ['a user who is an alias', 'users:\n  a: &a {password: x, displayname: y}\n  alice: *a\n', 'alice'],
    ['a user who is not there', 'users:\n  a: {password: x}\n', 'alice'],
    ['a user who is a text', 'users:\n  alice: hello\n', 'alice'],
    ['users who are an alias', 'x: &u {alice: {a: 1}}\nusers: *u\n', 'alice'],
  ])('%s', (_name, text, username) => {
    expect(usersDocuments.edit(text, [{ kind: 'disable', username }])).toMatchObject({ ok: false, username })
  })

  it.each([
    ['an unclosed quote', 'users:\n  alice:\n    password: "x\n'],
    ['a tab as indentation', 'users:\n\talice: {}\n'],
    ['a key twice', 'users:\n  alice: {a: 1}\n  alice: {a: 2}\n'],
    ['an attribute twice', 'users:\n  alice:\n    disabled: true\n    disabled: false\n'],
    ['two documents', 'users: {}\n---\nusers: {}\n'],
    ['a list', '- alice\n'],
    ['a text', 'alice'],
    ['users as a list', 'users: [alice]\n'],
    ['half of a file', `users:\n  alice:\n    password: '${HASH}\n`],
    ['an alias without an anchor', 'users:\n  alice: *nobody\n'],
    ['a bomb of aliases', bomb()],
    ['nothing', ''],
    ['zeros', '\u0000\u0000'],
  ])('%s', (_name, text) => {
    expect(usersDocuments.read(text)).toMatchObject({ ok: false })
  })
})

function bomb(): string {
  const levels = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}*l${i}]`)
  return `l0: &l0 x\n${levels.join('\n')}\nusers:\n  alice: {groups: *l30}\n`
}

describe('what makes Authelia refuse the whole file is named with its user', () => {
  const user = (attributes: string) => `users:\n  good:\n    ${ALICE}\n  bad: {${attributes}}\n`
  it.each([
    ['no password', 'displayname: x'],
    ['no display name', `password: "${HASH}"`],
    ['a plain-text password', 'password: "$plaintext$x", displayname: x'],
    ['a base64 password', 'password: "$base64$eHg=", displayname: x'],
    ['a pasted prefix', `password: "Digest: ${HASH}", displayname: x`],
    ['a broken digest', 'password: "$argon2id$v=19$m=1$x", displayname: x'],
    ['groups that are a text', `password: "${HASH}", displayname: x, groups: admins`],
    ['a flag that is a word', `password: "${HASH}", displayname: x, disabled: maybe`],
    ['a website that is none', `password: "${HASH}", displayname: x, website: "not a uri"`],
    ['a locale that is none', `password: "${HASH}", displayname: x, locale: "!!"`],
    ['an extra that is a text', `password: "${HASH}", displayname: x, extra: y`],
  ])('%s', (_name, attributes) => {
    const read = usersDocuments.read(user(attributes))
    expect(read).toMatchObject({ ok: true, faults: [{ username: 'bad' }] })
  })

  it('an empty mapping of users is one, a good file has none', () => {
    expect(usersDocuments.read('users: {}\n')).toMatchObject({ ok: true, faults: [{ username: null }] })
    expect(usersDocuments.read(`users:\n  alice:\n    ${ALICE}\n`)).toMatchObject({ ok: true, faults: [] })
  })

  it.each([
    '$2y$12$abcdefghijklmnopqrstuv',
    '$6$rounds=50000$salt$hash',
    '$5$salt$hash',
    '$y$j9T$salt$hash',
    '$pbkdf2-sha512$310000$salt$key',
    '$scrypt$ln=16,r=8,p=1$salt$key',
    '$argon2id$v=19$m=65536,p=4,t=3$c2FsdA$a2V5',
    '$bcrypt-sha256$v=2,t=2b,r=12$salt$hash',
  ])('the digest %s is none', (digest) => {
    expect(usersDocuments.read(user(`password: "${digest}", displayname: x`))).toMatchObject({ faults: [] })
  })
})

const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,31}$/)
const person = fc.record({
  password: fc.constant(HASH),
  displayname: fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text)),
  groups: fc.array(fc.string({ unit: 'grapheme-ascii' })),
  email: fc.emailAddress(),
})

it('any file, written in any style, keeps what it says when somebody is added, disabled and regrouped', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, person, { minKeys: 1, maxKeys: 6 }),
      fc.constantFrom<object>(
        {},
        { indent: 4 },
        { collectionStyle: 'flow' },
        { defaultStringType: 'QUOTE_SINGLE' },
        { indentSeq: false },
        { lineWidth: 0 },
      ),
      fc.string({ unit: 'grapheme' }).filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text)),
      (people, style, display_name) => {
        fc.pre(!('bob' in people))
        const text = stringify(new Document({ users: people }), style)
        fc.pre(usersDocuments.read(text).ok)
        const [first] = Object.keys(people)
        const result = edited(text, { ...BOB, display_name }, { kind: 'disable', username: first! })
        const again = edited(result, { kind: 'regroup', username: first!, groups: ['only'] })
        const users = usersOf(again)
        expect(users.get('bob')?.display_name).toBe(display_name)
        expect(users.get(first!)).toEqual({ ...usersOf(text).get(first!), disabled: true, groups: ['only'] })
        for (const [other, user] of usersOf(text)) if (other !== first) expect(users.get(other)).toEqual(user)
        expect(schemaFaults(again)).toEqual([])
      },
    ),
    { numRuns: byTier(60, 500, 5000) },
  )
})
