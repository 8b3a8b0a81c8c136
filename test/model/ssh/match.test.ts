/** Which client a part of a key means: one, or none of them. */
import { describe, expect, it } from 'vitest'
import type { SshClient } from '../../../src/model/ssh/client.ts'
import { clientMeant } from '../../../src/features/ssh-clients/model/match.ts'
import { KEY_PART_FORM, parsePublicKey } from '../../../src/model/ssh/public-key.ts'
import { onToken } from '../../fuzz/ssh/keys.ts'
import { failureIn } from './failure-in.ts'
import { ED25519, OTHER, P256, P384, RSA } from './keys.ts'
import { NO_OPTIONS } from './options.ts'

const clientOf = (line: string, name: string): SshClient => {
  const parsed = parsePublicKey(line)
  if (!parsed.ok) throw new Error(parsed.msg)
  const { comment: _, ...key } = parsed.value
  return { ...key, name, options: NO_OPTIONS, revision: 1, created_at: 0, updated_at: 0 }
}

const CLIENTS = [
  clientOf(ED25519, 'alice@laptop'),
  clientOf(P256, 'alice@phone'),
  clientOf(P384, 'alice@tablet'),
  clientOf(RSA, 'bob@laptop'),
  clientOf(onToken(ED25519), 'alice@token'),
]
const [ALICE, , , BOB] = CLIENTS as [SshClient, SshClient, SshClient, SshClient]

describe('one client is meant', () => {
  it.each([
    ['its fingerprint', ALICE.fingerprint],
    ['a part of its fingerprint', ALICE.fingerprint.slice(10, 20)],
    ['its line', ED25519],
    ['its line with another comment', `${ED25519} somebody else\n`],
    ['the end of its key', ALICE.key.slice(-20)],
    ['its name', 'alice@laptop'],
    ['the same with blanks around', '  alice@laptop  '],
  ])('by %s', (_by, text) => {
    expect(clientMeant([ALICE, BOB], text)).toBe(ALICE)
  })
})

it.each([
  [ED25519, true],
  [`${ED25519} somebody else`, true],
  ['alice@laptop', true],
  ['  alice@laptop', false],
  [' '.repeat(9), false],
  ['alice', false],
])('what is described as a part of a key is one: %j, %s', (text, is_one) => {
  expect(new RegExp(KEY_PART_FORM.pattern!).test(text)).toBe(is_one)
})

describe('no client is meant', () => {
  it.each([
    '',
    '   ',
    'A',
    'AAAA',
    'ssh-',
    'ssh-rsa',
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'SHA256:',
    'alice',
    'bob\nalice@laptop',
  ])('by %j: too short, or what every key has', (text) => {
    expect(failureIn(() => clientMeant(CLIENTS, text)).code).toBe('validation_failed')
    // Also where only one key is there for it to match.
    expect(failureIn(() => clientMeant([ALICE], text)).code).toBe('validation_failed')
  })

  it.each(CLIENTS.map(({ type, key }) => [type, key] as const))(
    'by the beginning that all keys of %s share, however much of it',
    (type, key) => {
      const one = CLIENTS.find((client) => client.key === key)!
      const shared = type === 'ssh-ed25519' || type.startsWith('sk-ssh') ? 25 : 20
      for (let length = 8; length <= shared; length++)
        expect(failureIn(() => clientMeant([one], key.slice(0, length))).code).toBe('validation_failed')
    },
  )

  it.each([
    ['another key', OTHER],
    ['another fingerprint', 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'],
    ['a name that nobody has', 'carol@laptop'],
    ['options', 'restrict,pty'],
  ])('by %s', (_by, text) => {
    expect(failureIn(() => clientMeant(CLIENTS, text)).code).toBe('not_found')
  })

  it('by what several have: they are named', () => {
    const several = failureIn(() =>
      clientMeant(
        CLIENTS.map((client) => ({ ...client, name: `x-${client.name}` })),
        'x-alice@',
      ),
    )
    expect(several).toMatchObject({ code: 'conflict' })
    expect(several.details.facts?.['candidates']).toHaveLength(4)
  })
})
