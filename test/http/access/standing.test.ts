/** What a decision tells beside yes or no: whose the call is, what they may do, what was shown, and what a refusal says. */
import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/kernel/secret.ts'
import { type Circumstances, decide, headersAlone } from '../../../src/http/access/access.ts'
import type { KeyGuard } from '../../../src/http/access/caller.ts'
import type { Level } from '../../../src/http/access/level.ts'
import { headerValue, headerValues, isSafe, splitTarget } from '../../../src/http/access/request-facts.ts'
import { cookieFor, cookieRemoved } from '../../../src/http/access/session.ts'
import { type AccessSettings, compileAccess, hostKey } from '../../../src/http/access/settings.ts'
import type { RequestFacts } from '../../../src/http/access/request-facts.ts'
import {
  factsOf,
  type HeaderLines,
  HOST,
  KEY,
  PROXY_SECRET,
  READING_SESSION,
  SESSION,
  SESSION_SECRET,
  SETTINGS,
} from '../support.ts'

const [LAN, PROXY, INTERNET] = ['10.1.2.3', '10.9.9.9', '203.0.113.7']
const ISSUED = 'i'.repeat(43)
const GROUPS = { sso_change_groups: ['admins'], sso_read_groups: ['staff'] }

const key = (text = KEY): HeaderLines => [['X-API-Key', text]]
const from = (...chain: string[]): HeaderLines => [['X-Forwarded-For', chain.join(', ')]]
const origin = (text: string): HeaderLines => [['Origin', text]]
const secret: HeaderLines = [['X-Plumbline-Proxy-Secret', PROXY_SECRET]]
const cookie = (text: string): HeaderLines => [['Cookie', text]]
const person = (groups: string, more: Partial<RequestFacts> = {}) =>
  factsOf({ peer: PROXY, ...more }, [
    ...from(INTERNET),
    ...secret,
    ['Remote-User', 'alice'],
    ['Remote-Groups', groups],
  ])

const decided = (
  facts: RequestFacts,
  level: Level,
  settings: Partial<AccessSettings> = {},
  circumstances: Circumstances = {},
) => decide(facts, level, { ...SETTINGS, ...settings }, circumstances)

const detailOf = (...call: Parameters<typeof decided>): string | null => {
  const decision = decided(...call)
  return decision.allowed ? null : `${decision.refusal.code}: ${decision.refusal.detail}`
}

describe('a decision tells', () => {
  it.each<[string, HeaderLines, Partial<AccessSettings>, 'right' | 'wrong' | null]>([
    ['no key', [], {}, null],
    ['the right one', key(), {}, 'right'],
    ['a wrong one', key('another'), {}, 'wrong'],
    ['one where none is configured', key(), { api_key: null }, null],
  ])('what was found of %s', (_, headers, settings, found) => {
    expect(decided(factsOf({}, headers), 'public', settings).key).toBe(found)
  })

  const reading = { equals: (text: string) => text === KEY, readsOnly: () => true }
  it.each<[string, RequestFacts, Partial<AccessSettings>, 'change' | 'read' | null]>([
    ['the key', factsOf({}, key()), {}, 'change'],
    ['a key that only looks', factsOf({}, key()), { api_key: reading }, 'read'],
    ['a session', factsOf({}, cookie(`plumbline=${SESSION}`)), {}, 'change'],
    ['a session that only looks', factsOf({}, cookie(`plumbline=${READING_SESSION}`)), {}, 'read'],
    ['this host', factsOf(), GROUPS, null],
    ['this host where no group is named', factsOf(), {}, null],
    ['somebody who changes', person('guests,admins'), GROUPS, 'change'],
    ['somebody who looks', person('  , staff ,'), GROUPS, 'read'],
    ['somebody in another group', person('guests'), GROUPS, null],
    ['somebody in no group', person(''), { ...GROUPS, sso_read_groups: [''] }, null],
    ['somebody where no group is named', person('guests'), {}, 'read'],
  ])('what %s may do', (_, facts, settings, may) => {
    expect(decided(facts, 'public', settings)).toMatchObject({ allowed: true, may })
  })

  it.each([
    ['over https', `https://${HOST}`, true],
    ['over http', `http://${HOST}`, false],
    ['without an origin', null, false],
  ])('that its page came %s', (_, page, secure) => {
    expect(decided(factsOf({}, page === null ? [] : origin(page)), 'open')).toMatchObject({ secure })
  })

  it.each<[string, Level, RequestFacts, string | null]>([
    ['the key of an address', 'ddns', factsOf({ target: '/x?key=site' }), 'site'],
    ['the header before it', 'ddns', factsOf({ target: '/x?key=site' }, key()), KEY],
    ['a Bearer token', 'token', factsOf({}, [['Authorization', 'bearer  edge']]), 'edge'],
    ['nothing where no handler proves it', 'keyed', factsOf({}, key()), null],
  ])('what is presented: %s', (_, level, facts, presented) => {
    const decision = decided(facts, level)
    expect(decision.credential?.reveal() ?? null).toBe(presented)
    expect(decision.allowed).toBe(true)
  })

  it('no token that stands behind something else', () => {
    expect(decided(factsOf({}, [['Authorization', 'x Bearer edge']]), 'token').allowed).toBe(false)
  })
})

describe('whose a call is', () => {
  it.each<[string, RequestFacts, object]>([
    ['this host', factsOf(), { holder: '127.0.0.1', client_is_vouched: true, unproven_proxy: null }],
    [
      'somebody behind what is not listed',
      factsOf({}, from(INTERNET)),
      { holder: 'behind 127.0.0.1', client_is_vouched: false, is_near: false, unproven_proxy: null },
    ],
    [
      'somebody behind a proxy',
      factsOf({ peer: PROXY }, [...secret, ...from(`${INTERNET}:65535`)]),
      { holder: INTERNET, client: INTERNET, client_is_vouched: true, unproven_proxy: null },
    ],
    [
      'a proxy that names nobody',
      factsOf({ peer: PROXY }, secret),
      { holder: `behind ${PROXY}`, client_is_vouched: false, unproven_proxy: null },
    ],
    [
      'a proxy without its secret',
      factsOf({ peer: PROXY }),
      { holder: `behind ${PROXY}`, client_is_vouched: false, unproven_proxy: PROXY },
    ],
    [
      'nobody knows',
      factsOf({ peer: null }),
      { holder: '', client: '', client_is_vouched: false, groups: [] },
    ],
    ['nobody knows, behind a proxy', factsOf({ peer: null }, from(INTERNET)), { holder: '' }],
  ])('%s', (_, facts, told) => {
    expect(decided(facts, 'public')).toMatchObject(told)
  })

  it('is not asked of a proxy that has no secret to send', () => {
    expect(decided(factsOf({ peer: PROXY }), 'public', { proxy_secret: null })).toMatchObject({
      unproven_proxy: PROXY,
    })
  })

  it('is refused where the port behind an address is none', () => {
    const facts = factsOf({ peer: PROXY }, [...secret, ...from(`${INTERNET}:65536`)])
    expect(detailOf(facts, 'public')).toMatch(/^malformed_request/)
  })

  it('a key tells who its holder is, and when it ends', () => {
    const { signal } = new AbortController()
    const proof = { equals: (text: string) => text === KEY, actorOf: () => 'key:backup', idOf: () => '1f3c' }
    const ending = decided(factsOf({}, key()), 'keyed', { api_key: { ...proof, ended: () => signal } })
    expect(ending).toMatchObject({ actor: 'key:backup', key_id: '1f3c' })
    expect(ending.keyEnded?.()).toBe(signal)
    const endless = decided(factsOf({}, key()), 'keyed', { api_key: { ...proof, ended: () => null } })
    expect(endless.keyEnded?.()).toBeNull()
    expect(decided(factsOf({}, key()), 'keyed', { api_key: proof })).not.toHaveProperty('keyEnded')
  })
})

describe('where too many wrong keys came from', () => {
  const shutTo = (holder: string): KeyGuard => ({ shut: (asked) => (asked === holder ? 5000 : 0) })
  const issued = { api_key: { equals: (text: string) => text === ISSUED || text === KEY } }
  const here = (...headers: HeaderLines) => factsOf({}, headers)
  const lan = (...headers: HeaderLines) => factsOf({ peer: LAN }, headers)

  it.each<[string, RequestFacts, Level, string, string]>([
    ['a call without a key goes on', here(), 'open', '127.0.0.1', 'local'],
    ['a wrong key', here(...key('x')), 'public', '127.0.0.1', 'shut'],
    ['the right one that somebody chose', here(...key()), 'public', '127.0.0.1', 'shut'],
    ['the right one as it was issued, on this host', here(...key(ISSUED)), 'public', '127.0.0.1', 'key'],
    ['a wrong one of that form', here(...key('w'.repeat(43))), 'public', '127.0.0.1', 'shut'],
    ['the issued one from elsewhere', lan(...key(ISSUED)), 'public', LAN, 'shut'],
    [
      'the issued one through a proxy here',
      here(...key(ISSUED), ...from(INTERNET)),
      'public',
      'behind 127.0.0.1',
      'shut',
    ],
    ['the key from another network', lan(...key()), 'public', '127.0.0.1', 'key'],
    [
      'what stands in place of a key is for its handler',
      factsOf({ target: `/x?key=${KEY}` }),
      'ddns',
      '127.0.0.1',
      'local',
    ],
    [
      'and is the key from another network',
      factsOf({ peer: LAN, target: `/x?key=${KEY}` }),
      'ddns',
      '127.0.0.1',
      'key',
    ],
  ])('%s', (_, facts, level, holder, what) => {
    const decision = decided(facts, level, issued, { keys: shutTo(holder) })
    if (what !== 'shut') expect(decision).toMatchObject({ allowed: true, class: what })
    else
      expect(decision).toMatchObject({
        allowed: false,
        refusal: { code: 'rate_limited', retry_after_ms: 5000 },
      })
  })
})

describe('a page that people open by its address', () => {
  const opened = (mode: string, dest: string, method = 'GET') =>
    factsOf({ method }, [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', mode],
      ['Sec-Fetch-Dest', dest],
    ])
  it.each<[string, RequestFacts, boolean, boolean]>([
    ['opens from anywhere', opened('navigate', 'document'), true, true],
    ['does not in a frame', opened('navigate', 'iframe'), true, false],
    ['is not fetched', opened('cors', 'document'), true, false],
    ['is not posted to', opened('navigate', 'document', 'POST'), true, false],
    ['is the only kind that does', opened('navigate', 'document'), false, false],
  ])('%s', (_, facts, document, allowed) => {
    expect(decided(facts, 'public', {}, { document }).allowed).toBe(allowed)
  })

  it('is one only where the endpoint says so', () => {
    expect(decided(opened('navigate', 'document'), 'public').allowed).toBe(false)
    const page = factsOf({}, [['Sec-Fetch-Site', 'cross-site']])
    expect(decided(page, 'public', {}, { document: true }).allowed).toBe(false)
  })
})

describe('what a refusal says', () => {
  const post = (...headers: HeaderLines) => factsOf({ method: 'POST' }, headers)
  const alone = cookie(`plumbline=${SESSION}`)
  const session: HeaderLines = [...alone, ['X-Plumbline-Session-Secret', SESSION_SECRET]]
  it.each<[string, string | null, RequestFacts, Level, Partial<AccessSettings>?]>([
    ['no Host', 'malformed_request: The header Host is missing.', factsOf({ headers: [] }), 'public'],
    ['an address in brackets', null, factsOf({ headers: [['Host', '[fd00:9::7]:80']] }), 'public'],
    ['no address to type', 'host_not_served', factsOf({ headers: [['Host', '[::]']] }), 'public'],
    [
      'no address to type, though it is listened on',
      'host_not_served',
      factsOf({ headers: [['Host', '0.0.0.0']] }),
      'public',
      { listen: ['0.0.0.0'] },
    ],
    ['our page over https', null, factsOf({}, origin(`https://${HOST}`)), 'open'],
    ['our page over https, changing', null, post(...session, ...origin(`https://${HOST}`)), 'keyed'],
    [
      'the cookie of a session alone',
      'session_not_proven: The cookie of a session alone',
      post(...alone, ...origin(`https://${HOST}`)),
      'keyed',
    ],
    ['a session that tells no page', 'does not say from which page', post(...session), 'keyed'],
    [
      'a session of another page',
      'the origin "https://console.example.com"',
      post(...session, ...origin('https://console.example.com')),
      'keyed',
    ],
    [
      'a body that is sent as it is',
      null,
      factsOf({ method: 'POST', has_body: true }, [
        ...key(),
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'Identity'],
      ]),
      'keyed',
    ],
    ['no key for an update', 'unauthenticated: An update needs a key', factsOf(), 'ddns'],
    ['no token', 'unauthenticated: This call needs the token', factsOf(), 'token'],
    ['no key', 'unauthenticated: This call needs the header X-API-Key.', factsOf(), 'keyed'],
    ['no key anywhere', 'Set API_KEY', factsOf(), 'keyed', { api_key: null }],
    ['a sign-in from elsewhere', `${INTERNET} is in none`, factsOf({ peer: INTERNET }), 'sign_in'],
    ['a sign-in from nowhere', 'an unknown address is in none', factsOf({ peer: null }), 'sign_in'],
    [
      'a sign-in from a proxy',
      `${PROXY} is listed in PLUMBLINE_TRUSTED_PROXIES, so`,
      factsOf({ peer: PROXY }),
      'sign_in',
    ],
    [
      'somebody who looks and may not',
      'alice is in no group of PLUMBLINE_SSO_READ',
      person('x'),
      'open',
      GROUPS,
    ],
    ['somebody who looks and may', null, person('staff'), 'open', GROUPS],
    ['somebody who may', null, person('admins', { method: 'POST' }), 'open', GROUPS],
    [
      'somebody who changes and may look',
      'alice is in no group of PLUMBLINE_SSO_CHANGE_GROUPS',
      person('staff', { method: 'POST' }),
      'keyed',
      GROUPS,
    ],
    ['nobody who changes', 'Nobody changes anything', person('staff', { method: 'POST' }), 'keyed'],
    ['a proxy without its secret', `The proxy at ${PROXY} is listed`, factsOf({ peer: PROXY }), 'open'],
    [
      'a proxy that is not listed',
      `a proxy at ${LAN} that is not listed`,
      factsOf({ peer: LAN }, from(INTERNET)),
      'open',
    ],
    [
      'a proxy that speaks HTTP/1.0',
      'came over HTTP/1.0',
      factsOf({ peer: LAN, http_version: '1.0' }),
      'open',
    ],
    ['this host', 'PLUMBLINE_LOCAL is off', factsOf(), 'open', { trusts_loopback: false }],
    ['a stranger', `${INTERNET} is in none`, factsOf({ peer: INTERNET }), 'open'],
    [
      'a stranger where this host is not trusted',
      `${INTERNET} is in none`,
      factsOf({ peer: INTERNET }),
      'open',
      { trusts_loopback: false },
    ],
    ['nobody known', 'an unknown address is in none', factsOf({ peer: null }), 'open'],
    ['nobody known behind it', 'unknown address is in none', factsOf({ peer: null }, from(INTERNET)), 'open'],
    [
      'a stranger behind a proxy of this host',
      `${INTERNET} is in none`,
      factsOf({ peer: '127.0.0.9' }, [...from(INTERNET), ...secret]),
      'open',
      { trusts_loopback: false },
    ],
  ])('%s', (_, text, facts, level, settings = {}) => {
    const detail = detailOf(facts, level, settings)
    if (text === null) expect(detail).toBeNull()
    else expect(detail).toContain(text)
  })

  it('no more of a name than fits', () => {
    const name = `Remote-${'a'.repeat(100)}`
    const twice: HeaderLines = [
      [name, 'x'],
      [name, 'y'],
    ]
    expect(detailOf(factsOf({}, twice), 'public')).toContain(`${name.toLowerCase().slice(0, 64)} is given`)
    const alias: HeaderLines = [[name.replace('-', '_'), 'x']]
    expect(detailOf(factsOf({}, alias), 'public')).toContain(
      `The header remote_${'a'.repeat(57)} is an underscore`,
    )
    expect(detailOf(factsOf({}, [['X_Other', 'x']]), 'public')).toBeNull()
  })

  it('of the liveness answers the header section alone', () => {
    expect(headersAlone(factsOf({ headers: [] }))).toBeNull()
    expect(headersAlone(factsOf({}, [['Host', HOST]]))?.code).toBe('malformed_request')
  })
})

describe('the cookie of a session', () => {
  const any = { sessions: { find: (token: string) => ({ ...SETTINGS.sessions!.find(SESSION)!, id: token }) } }
  it.each([
    ['counts under its own name', `plumbline=${SESSION}`, 'session'],
    ['counts under no name of the same length', `plumblinx=${SESSION}`, 'local'],
    ['has 256 bits', 'plumbline=short', 'local'],
    ['is one', `plumbline=${SESSION}; plumbline=${READING_SESSION}`, 'local'],
  ])('%s', (_, text, caller) => {
    expect(decided(factsOf({}, cookie(text)), 'public', any).class).toBe(caller)
  })

  it('is set for this host alone, and over https for https alone', () => {
    expect(cookieFor('t', true)).toBe('__Host-plumbline=t; Path=/; HttpOnly; SameSite=Strict; Secure')
    expect(cookieFor('t', false)).toBe('plumbline=t; Path=/; HttpOnly; SameSite=Strict')
    expect(cookieRemoved('plumbline')).toBe('plumbline=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  })
})

it('facts of a request are read as they stood', () => {
  const facts = factsOf({ headers: [] }, [
    ['X-One', 'a'],
    ['x-two', 'b'],
    ['X-TWO', 'c'],
  ])
  expect([headerValues(facts, 'x-two'), headerValue(facts, 'x-two')]).toEqual([['b', 'c'], null])
  expect([headerValues(facts, 'x-one'), headerValue(facts, 'x-one')]).toEqual([['a'], 'a'])
  expect(['GET', 'HEAD', 'POST', 'head'].map(isSafe)).toEqual([true, true, false, false])
  expect(['?a', '/b', '/b?c?d'].map(splitTarget)).toEqual([
    { path: '', query: 'a' },
    { path: '/b', query: '' },
    { path: '/b', query: 'c?d' },
  ])
})

it('settings are compiled once, and hosts are spelled in one way', () => {
  expect(compileAccess(SETTINGS)).toBe(compileAccess(SETTINGS))
  expect(compileAccess(SETTINGS).api_key).toBeInstanceOf(Secret)
  expect(['FD00::9', '[fd00::9]', 'A.Example.'].map(hostKey)).toEqual(['[fd00::9]', '[fd00::9]', 'a.example'])
})

it('a name that is listened on is served, and an address for all of them is none', () => {
  const { hosts } = compileAccess({
    ...SETTINGS,
    listen: ['Box.lan', '10.1.1.5', 'fd00::9', '0.0.0.0', '::'],
    allowed_hosts: ['plumbline.example.com.'],
  })
  expect([...hosts].toSorted()).toEqual(
    [
      'localhost',
      '127.0.0.1',
      '[::1]',
      'box.lan',
      '10.1.1.5',
      '[fd00::9]',
      'plumbline.example.com',
    ].toSorted(),
  )
})
