/** How a browser shows a sign-in: which cookie counts, and what proves that our page sent it. */
import { describe, expect, it } from 'vitest'
import { cookieFor, cookieRemoved, sessionIn, type FoundSession } from '../../../src/http/access/session.ts'
import { factsOf } from '../support.ts'

const [ONE, OTHER, NONE] = ['1', '2', '3'].map((digit) => digit.repeat(43)) as [string, string, string]

const session = (id: string): FoundSession => ({
  id,
  actor: `session:${id}`,
  way: 'key',
  reads_only: false,
  expires_at: 0,
  ended: new AbortController().signal,
  isProvenBy: (secret) => secret !== 'wrong',
})
/** Both of the first tokens are sessions. */
const proof = { find: (token: string) => (token === NONE ? null : session(token.slice(0, 1))) }
const shown = (cookies: readonly string[], secret: string | null = null) =>
  sessionIn(
    factsOf(
      {},
      cookies.map((line) => ['Cookie', line] as const),
    ),
    secret,
    proof,
  )

describe('a session', () => {
  it.each<[what: string, cookies: readonly string[], found: [id: string, cookie: string] | null]>([
    ['none without a cookie', [], null],
    ['by its cookie of http', [`plumbline=${ONE}`], ['1', 'plumbline']],
    ['by its cookie of https', [`__Host-plumbline=${ONE}`], ['1', '__Host-plumbline']],
    [
      'by that of https where there are both, wherever it stands',
      [`plumbline=${ONE}; __Host-plumbline=${OTHER}`],
      ['2', '__Host-plumbline'],
    ],
    [
      'by that of http where the other is none',
      [`__Host-plumbline=${NONE}; plumbline=${ONE}`],
      ['1', 'plumbline'],
    ],
    ['by the one of several that is one', [`plumbline=${NONE}`, `plumbline=${ONE}`], ['1', 'plumbline']],
    ['by one that came twice', [`plumbline=${ONE}; plumbline=${ONE}`], ['1', 'plumbline']],
    ['none by two', [`plumbline=${ONE}; plumbline=${OTHER}`], null],
    [
      'by one of http beside two of https',
      [`__Host-plumbline=${ONE}; __Host-plumbline=${OTHER}; plumbline=${ONE}`],
      ['1', 'plumbline'],
    ],
    ['among others', [`a=b;plumbline=${ONE} ; c=d`], ['1', 'plumbline']],
    ['none by a longer name', [`xplumbline=${ONE}; plumbline2=${ONE}`], null],
    ['none by a token that is too long', [`plumbline=${ONE}1`], null],
    ['none by a token that begins so', [`plumbline="${ONE}`], null],
  ])('is found: %s', (_what, cookies, found) => {
    const session_found = shown(cookies)
    expect(session_found && [session_found.id, session_found.cookie]).toEqual(found)
  })

  it('is proven by the secret of its page, and by nothing else', () => {
    const proven = (secret: string | null) => shown([`plumbline=${ONE}`], secret)?.is_proven
    expect([proven('right'), proven('wrong'), proven(null)]).toEqual([true, false, false])
  })
})

it('its cookie is for this host and no script, and over https for nothing else', () => {
  const shared = 'Path=/; HttpOnly; SameSite=Strict'
  expect(cookieFor('t', false)).toBe(`plumbline=t; ${shared}`)
  expect(cookieFor('t', true)).toBe(`__Host-plumbline=t; ${shared}; Secure`)
  expect(cookieRemoved('plumbline')).toBe(`plumbline=; Max-Age=0; ${shared}`)
  expect(cookieRemoved('__Host-plumbline')).toBe(`__Host-plumbline=; Max-Age=0; ${shared}; Secure`)
})
