/** What a key may be used for: the words that are written, and what is refused. */
import { describe, expect, it } from 'vitest'
import { type AskedOptions, optionWords, readOptions } from '../../../src/model/ssh/options.ts'
import { NO_OPTIONS, NOTHING } from './options.ts'

const read = (asked: AskedOptions, on_token = false) => readOptions(asked, { defaults: NOTHING, on_token })
const words = (asked: AskedOptions, on_token = false) => {
  const { options, errors } = read(asked, on_token)
  expect(errors).toEqual([])
  return optionWords(options).join(',')
}

it('nothing asked is nothing allowed, but for what is so by default', () => {
  expect(read({}).options).toEqual(NO_OPTIONS)
  expect(words({})).toBe('restrict')
  const { options } = readOptions(
    { pty: false },
    { defaults: { ...NOTHING, pty: true, user_rc: true }, on_token: false },
  )
  expect(optionWords(options).join(',')).toBe('restrict,user-rc')
})

describe('the words', () => {
  it.each<[AskedOptions, string]>([
    [
      { pty: true, x11_forwarding: true, agent_forwarding: true },
      'restrict,pty,agent-forwarding,X11-forwarding',
    ],
    [
      { from: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32'] },
      'restrict,from="192.0.2.7,10.0.0.0/8,2001:db8::/32"',
    ],
    [{ command: "/bin/gate --user 'a' $HOME" }, 'restrict,command="/bin/gate --user \'a\' $HOME"'],
    [
      { port_forwarding: true, permit_open: ['db.lan:5432', '[::1]:*', '*:80'] },
      'restrict,port-forwarding,permitopen="db.lan:5432",permitopen="[::1]:*",permitopen="*:80"',
    ],
    [
      { port_forwarding: true, permit_listen: ['8080', 'localhost:1'] },
      'restrict,port-forwarding,permitlisten="8080",permitlisten="localhost:1"',
    ],
    [{ expires_at: '2027-01-31T13:00:00.5+01:00' }, 'restrict,expiry-time="20270131120000Z"'],
  ])('%j', (asked, expected) => {
    expect(words(asked)).toBe(expected)
  })

  it('of keys on a token', () => {
    expect(words({ verify_required: true, no_touch_required: true }, true)).toBe(
      'restrict,verify-required,no-touch-required',
    )
  })
})

const REFUSED: readonly AskedOptions[] = [
  ...[
    '',
    ' ',
    'x',
    'host.example.com',
    '*',
    '!192.0.2.1',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/08a',
    '10.0.0.0/8/8',
    '010.0.0.1',
    'fe80::1%eth0',
    '2001:db8::1/32',
    '::ffff:192.0.2.1/95',
    '192.0.2.1,198.51.100.1',
    '192.0.2.1"',
  ].map((entry) => ({ from: [entry] })),
  ...['', ' id', 'id ', 'a"b', 'a\\', 'a\nb', 'é', '\0', 'x'.repeat(513)].map((command) => ({ command })),
  ...[
    '',
    'db.lan',
    'db.lan:0',
    'db.lan:65536',
    ':80',
    'a b:80',
    'db.lan:80"',
    '[db.lan]:80',
    '[::1]',
    '::1:80:x',
    'db.lan:80,x:1',
  ].map((entry) => ({ port_forwarding: true, permit_open: [entry] })),
  ...['', '0', 'x', 'x:y', '1 2'].map((entry) => ({ port_forwarding: true, permit_listen: [entry] })),
  ...[
    '',
    'tomorrow',
    '2027-01-31',
    '20270131',
    '2027-13-01T00:00:00Z',
    '2027-01-31T12:00:00',
    '1969-12-31T23:59:59Z',
    '+10000-01-01T00:00:00Z',
  ].map((expires_at) => ({ expires_at })),
  { permit_open: ['db.lan:1'] },
  { verify_required: true },
  { no_touch_required: true },
  { from: Array.from({ length: 33 }, () => '192.0.2.1') },
]

describe('what is refused', () => {
  it.each(REFUSED)('%j', (asked) => {
    const { errors } = read(asked)
    expect(errors).toHaveLength(1)
    expect(errors[0]!.loc.slice(0, 2)).toEqual(['body', 'options'])
  })

  it('everything that is wrong is said at once', () => {
    expect(read({ from: ['x'], command: '"', expires_at: 'x' }).errors.map(({ loc }) => loc[2])).toEqual([
      'from',
      'command',
      'expires_at',
    ])
  })
})
