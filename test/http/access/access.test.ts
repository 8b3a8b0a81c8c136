/** The access policy as a table: every kind of caller against every level, and the order of the steps. */
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/kernel/secret.ts'
import { decide } from '../../../src/http/access/access.ts'
import type { AccessSettings } from '../../../src/http/access/settings.ts'
import { type Level, LEVELS } from '../../../src/http/access/level.ts'
import { PROBLEMS } from '../../../src/http/problem.ts'
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

const LAN = '10.1.2.3'
const PROXY = '10.9.9.9'
const INTERNET = '203.0.113.7'

const key: HeaderLines = [['X-API-Key', KEY]]
const from = (...chain: string[]): HeaderLines => [['X-Forwarded-For', chain.join(', ')]]
const secret: HeaderLines = [['X-Plumbline-Proxy-Secret', PROXY_SECRET]]
const alice: HeaderLines = [['Remote-User', 'alice']]
const json: HeaderLines = [['Content-Type', 'application/json']]
const head = (...lines: HeaderLines): HeaderLines => lines
const own = head(['Origin', `http://${HOST}`])
const cookie = (name = 'plumbline', token = SESSION): HeaderLines => [['Cookie', `${name}=${token}`]]
const proven: HeaderLines = [['X-Plumbline-Session-Secret', SESSION_SECRET]]
const host = (value: string): HeaderLines => [['Host', value]]

type Row = [caller: string, facts: RequestFacts, cells: string, settings?: Partial<AccessSettings>]

// What each level answers: the class that is let in, or the status that is given.
// What each level answers, in this order: public open keyed sign_in ddns token
const CALLERS: Row[] = [
  ['curl on the host', factsOf(), 'local local 401 local 401 401'],
  ['curl on the host over IPv6', factsOf({ peer: '::1' }), 'local local 401 local 401 401'],
  [
    'the host, peer spelled as IPv4 in IPv6',
    factsOf({ peer: '::ffff:127.0.0.1' }),
    'local local 401 local 401 401',
  ],
  ['a proxy on the host that tells nothing', factsOf({ http_version: '1.0' }), 'public 403 401 403 401 401'],
  [
    'a proxy in a trusted network that tells nothing',
    factsOf({ http_version: '1.0', peer: LAN }),
    'public 403 401 403 401 401',
  ],
  [
    'a trusted network through a trusted proxy that speaks HTTP/1.0',
    factsOf({ http_version: '1.0', peer: PROXY }, head(...from(LAN), ...secret)),
    'lan lan 401 lan 401 401',
  ],
  [
    'curl on a host that is not trusted',
    factsOf(),
    'public 403 401 public 401 401',
    { trusts_loopback: false },
  ],
  ['a host in a trusted network', factsOf({ peer: LAN }), 'lan lan 401 lan 401 401'],
  ['a host in a trusted IPv6 network', factsOf({ peer: 'fd00:1::5' }), 'lan lan 401 lan 401 401'],
  ['a host elsewhere', factsOf({ peer: INTERNET }), 'public 403 401 403 401 401'],
  ['an unknown peer', factsOf({ peer: null }), 'public 403 401 403 401 401'],
  ['a host elsewhere with the key', factsOf({ peer: INTERNET }, key), 'key key key 403 key key'],
  [
    'a host elsewhere with a key that only looks',
    factsOf({ peer: INTERNET }, key),
    'key key key 403 403 403',
    { api_key: { equals: (text) => text === KEY, readsOnly: () => true } },
  ],
  ['a session from the host itself', factsOf({}, cookie()), 'session session session session 401 401'],
  ['its cookie of https', factsOf({}, cookie('__Host-plumbline')), 'session session session session 401 401'],
  [
    'among other cookies, on two lines',
    factsOf({}, head(['Cookie', `a=b; plumbline=${SESSION}`], ['Cookie', 'c=d'])),
    'session session session session 401 401',
  ],
  [
    'a session from a trusted network',
    factsOf({ peer: LAN }, cookie()),
    'session session session session 401 401',
  ],
  [
    'a session from this host where it is not trusted',
    factsOf({}, cookie()),
    'session session session session 401 401',
    { trusts_loopback: false },
  ],
  [
    'a session that only looks, changing',
    factsOf({ method: 'POST' }, head(...cookie('plumbline', READING_SESSION), ...proven, ...own)),
    'session 403 403 session 401 401',
  ],
  [
    'a session that changes',
    factsOf({ method: 'POST' }, head(...cookie(), ...proven, ...own)),
    'session session session session 401 401',
  ],
  [
    'the cookie of a session alone, changing: as whoever has none, and told why',
    factsOf({ method: 'POST' }, head(...cookie(), ...own)),
    '403 local 403 local 401 401',
  ],
  [
    'the same where this host is not trusted',
    factsOf({ method: 'POST' }, head(...cookie(), ...own)),
    '403 403 403 public 401 401',
    { trusts_loopback: false },
  ],
  [
    'the cookie of a session with a wrong secret, from a trusted network',
    factsOf(
      { method: 'DELETE', peer: LAN },
      head(...cookie(), ['X-Plumbline-Session-Secret', SESSION], ...own),
    ),
    '403 lan 403 lan 401 401',
  ],
  [
    'the secret of a session alone',
    factsOf({ method: 'POST' }, head(...proven, ...own)),
    'local local 401 local 401 401',
  ],
  [
    'the secret of a session twice',
    factsOf({ method: 'POST' }, head(...cookie(), ...proven, ...proven, ...own)),
    '400 400 400 400 400 400',
  ],
  [
    'a session that changes, from our page over https',
    factsOf({ method: 'PUT' }, head(...cookie(), ...proven, ['Sec-Fetch-Site', 'same-origin'])),
    'session session session session 401 401',
  ],
  [
    'a session that changes and tells no page',
    factsOf({ method: 'POST' }, head(...cookie(), ...proven)),
    '403 403 403 403 403 403',
  ],
  [
    'a session from a listed origin',
    factsOf({ method: 'POST' }, head(...cookie(), ...proven, ['Origin', 'https://console.example.com'])),
    '403 403 403 403 403 403',
  ],
  [
    'a session from our name on another port',
    factsOf({ method: 'DELETE' }, head(...cookie(), ...proven, ['Origin', 'http://localhost:9999'])),
    '403 403 403 403 403 403',
  ],
  ['a session from elsewhere', factsOf({ peer: INTERNET }, cookie()), 'public 403 401 403 401 401'],
  [
    'a session through an unlisted proxy',
    factsOf({}, head(...cookie(), ...from(LAN))),
    'public 403 401 403 401 401',
  ],
  [
    'two sessions',
    factsOf({}, head(...cookie(), ...cookie('plumbline', READING_SESSION))),
    'local local 401 local 401 401',
  ],
  ['no session of ours', factsOf({}, cookie('plumbline', 'x'.repeat(43))), 'local local 401 local 401 401'],
  ['a session where none counts', factsOf({}, cookie()), 'local local 401 403 401 401', { sessions: null }],
  [
    'a session of a person through SSO',
    factsOf({ peer: PROXY }, head(...from(LAN), ...secret, ...alice, ...cookie())),
    'sso sso sso sso 401 401',
  ],
  ['a wrong key from the host itself', factsOf({}, [['X-API-Key', 'wrong']]), '401 401 401 401 401 401'],
  ['an empty key', factsOf({}, [['X-API-Key', '']]), '401 401 401 401 401 401'],
  ['two keys, both right', factsOf({}, head(...key, ...key)), '400 400 400 400 400 400'],
  [
    'the key where none is configured',
    factsOf({ peer: INTERNET }, key),
    'public 403 401 403 401 401',
    { api_key: null },
  ],
  ['an unlisted proxy on the host', factsOf({}, from(INTERNET)), 'public 403 401 403 401 401'],
  [
    'an unlisted proxy on the host, other header',
    factsOf({}, [['X-Real-IP', '127.0.0.1']]),
    'public 403 401 403 401 401',
  ],
  ['an unlisted proxy in a trusted network', factsOf({ peer: LAN }, from(LAN)), 'public 403 401 403 401 401'],
  [
    'the internet through a trusted proxy',
    factsOf({ peer: PROXY }, head(...from(INTERNET), ...secret)),
    'public 403 401 403 401 401',
  ],
  [
    'a spoofed address left of the real one',
    factsOf({ peer: PROXY }, head(...from('127.0.0.1', LAN, INTERNET), ...secret)),
    'public 403 401 403 401 401',
  ],
  [
    'a trusted network through a trusted proxy',
    factsOf({ peer: PROXY }, head(...from(LAN), ...secret)),
    'lan lan 401 lan 401 401',
  ],
  [
    'through two trusted proxies',
    factsOf({ peer: PROXY }, head(...from(LAN, '127.0.0.9'), ...secret)),
    'lan lan 401 lan 401 401',
  ],
  [
    'a forwarded list over two lines',
    factsOf({ peer: PROXY }, head(...from(INTERNET), ...from(LAN), ...secret)),
    'lan lan 401 lan 401 401',
  ],
  ['a proxy that names nobody', factsOf({ peer: PROXY }, secret), 'public 403 401 403 401 401'],
  [
    'loopback claimed through a proxy',
    factsOf({ peer: PROXY }, head(...from('127.0.0.1'), ...secret)),
    'public 403 401 403 401 401',
  ],
  [
    'garbage in the forwarded list',
    factsOf({ peer: PROXY }, head(...from('unknown'), ...secret)),
    '400 400 400 400 400 400',
  ],
  ...[`${LAN}:80`, '[fd00:1::7]:51234', '[fd00:1::7]', `[::ffff:${LAN}]:80`].map((forwarded): Row => [
    `a trusted network as some proxies write it: ${forwarded}`,
    factsOf({ peer: PROXY }, head(...from(forwarded), ...secret)),
    'lan lan 401 lan 401 401',
  ]),
  ...[`${INTERNET}:80`, '[2600::7]:80', `[::ffff:${INTERNET}]`].map((forwarded): Row => [
    `the internet as some proxies write it: ${forwarded}`,
    factsOf({ peer: PROXY }, head(...from('127.0.0.1', forwarded), ...secret)),
    'public 403 401 403 401 401',
  ]),
  [
    'a trusted proxy with a port behind another',
    factsOf({ peer: PROXY }, head(...from(`${LAN}:1`, '127.0.0.9:2'), ...secret)),
    'lan lan 401 lan 401 401',
  ],
  ...[
    `${LAN}:`,
    `${LAN}:123456`,
    `${LAN}:70000`,
    `${LAN}:x`,
    `[${LAN}]:80`,
    `[${LAN}]`,
    '[fd00:1::7',
    'fd00:1::7]:80',
    '[fd00:1::7]80',
    '[fd00:1::7]:',
    '[fd00:1::7%eth0]:80',
    '[]:80',
    ':80',
    '',
  ].map((forwarded): Row => [
    `a forwarded entry that is no address: "${forwarded}"`,
    factsOf({ peer: PROXY }, head(...from(forwarded), ...secret)),
    '400 400 400 400 400 400',
  ]),
  [
    'a listed proxy without its secret that names a trusted network',
    factsOf({ peer: PROXY }, from(LAN)),
    'public 403 401 403 401 401',
  ],
  [
    'a listed proxy with a wrong secret that names a trusted network',
    factsOf({ peer: PROXY }, head(...from(LAN), ['X-Plumbline-Proxy-Secret', 'x'])),
    'public 403 401 403 401 401',
  ],
  [
    'a listed proxy without its secret that names garbage',
    factsOf({ peer: PROXY }, from('unknown')),
    'public 403 401 403 401 401',
  ],
  [
    'a listed proxy on the host that names nobody',
    factsOf({ peer: '127.0.0.9' }),
    'public 403 401 403 401 401',
  ],
  [
    'a listed proxy in a trusted network that says nothing at all',
    factsOf({ peer: PROXY }),
    'public 403 401 403 401 401',
    { trusted_networks: ['10.0.0.0/8'] },
  ],
  ['whoever sends a secret from the host itself', factsOf({}, secret), 'public 403 401 403 401 401'],
  [
    'a person through SSO',
    factsOf({ peer: PROXY }, head(...from(INTERNET), ...secret, ...alice)),
    'sso sso sso 403 401 401',
  ],
  [
    'SSO headers without the secret',
    factsOf({ peer: PROXY }, head(...from(INTERNET), ...alice)),
    'public 403 401 403 401 401',
  ],
  [
    'SSO headers with a wrong secret',
    factsOf({ peer: PROXY }, head(['X-Plumbline-Proxy-Secret', 'x'], ...alice)),
    'public 403 401 403 401 401',
  ],
  [
    'a neighbour who knows the secret',
    factsOf({ peer: LAN }, head(...secret, ...alice)),
    'public 403 401 403 401 401',
  ],
  [
    'the secret without a person',
    factsOf({ peer: PROXY }, head(...from(LAN), ...secret, ['Remote-User', ''])),
    'lan lan 401 lan 401 401',
  ],
  [
    'two persons',
    factsOf({ peer: PROXY }, head(...secret, ...alice, ['Remote-User', 'bob'])),
    '400 400 400 400 400 400',
  ],
  [
    'an underscore alias',
    factsOf({ peer: PROXY }, head(...secret, ['Remote_User', 'alice'])),
    '400 400 400 400 400 400',
  ],
  ['an alias of a forwarding header', factsOf({}, [['X_Forwarded_For', LAN]]), '400 400 400 400 400 400'],
  ['no Host', factsOf({ headers: [] }), '400 400 400 400 400 400'],
  ['two Hosts, both right', factsOf({}, host(HOST)), '400 400 400 400 400 400'],
  ['a rebound name', factsOf({ headers: host('evil.example:8080') }), '421 421 421 421 421 421'],
  ['a rebound name with the key', factsOf({ headers: host('evil.example') }, key), '421 421 421 421 421 421'],
  ['a Host with user information', factsOf({ headers: host('a@localhost') }), '400 400 400 400 400 400'],
  [
    'an allowed Host, upper case and dotted',
    factsOf({ headers: host('Plumbline.Example.COM.') }),
    'local local 401 local 401 401',
  ],
  ['the bound address as Host', factsOf({ headers: host('10.1.1.5:8080') }), 'local local 401 local 401 401'],
  [
    'any other address as Host',
    factsOf({ headers: host('192.168.7.7:81') }),
    'local local 401 local 401 401',
  ],
  ['no address to type as Host', factsOf({ headers: host('0.0.0.0') }), '421 421 421 421 421 421'],
  ['an IPv6 literal as Host', factsOf({ headers: host('[::1]:8080') }), 'local local 401 local 401 401'],
  ['our own page', factsOf({}, [['Sec-Fetch-Site', 'same-origin']]), 'local local 401 local 401 401'],
  ['a typed address', factsOf({}, [['Sec-Fetch-Site', 'none']]), 'local local 401 local 401 401'],
  [
    'a typed address that posts',
    factsOf({ method: 'POST' }, [['Sec-Fetch-Site', 'none']]),
    '403 403 403 403 403 403',
  ],
  ['a sibling application', factsOf({}, [['Sec-Fetch-Site', 'same-site']]), '403 403 403 403 403 403'],
  [
    'a foreign page with the key',
    factsOf({}, head(...key, ['Sec-Fetch-Site', 'cross-site'])),
    '403 403 403 403 403 403',
  ],
  ['an unknown Sec-Fetch-Site', factsOf({}, [['Sec-Fetch-Site', 'SAME-ORIGIN']]), '403 403 403 403 403 403'],
  ['a page without an origin', factsOf({}, [['Origin', 'null']]), '403 403 403 403 403 403'],
  [
    'a sandboxed page of ours',
    factsOf({}, [
      ['Sec-Fetch-Site', 'same-origin'],
      ['Origin', 'null'],
    ]),
    '403 403 403 403 403 403',
  ],
  ['a foreign origin', factsOf({}, [['Origin', 'https://evil.example']]), '403 403 403 403 403 403'],
  [
    'an allowed origin',
    factsOf({}, [['Origin', 'https://console.example.com']]),
    'local local 401 local 401 401',
  ],
  [
    'our own origin, older browser',
    factsOf({}, [['Origin', `http://${HOST}`]]),
    'local local 401 local 401 401',
  ],
  ['our name on another port', factsOf({}, [['Origin', 'http://localhost:9999']]), '403 403 403 403 403 403'],
  ['a preflight', factsOf({ method: 'OPTIONS' }), '405 405 405 405 405 405'],
  [
    'a form',
    factsOf({ method: 'POST', has_body: true }, [['Content-Type', 'application/x-www-form-urlencoded']]),
    '415 415 415 415 415 415',
  ],
  [
    'text that pretends to be harmless',
    factsOf({ method: 'POST', has_body: true }, [['Content-Type', 'text/plain']]),
    '415 415 415 415 415 415',
  ],
  ['a body without a type', factsOf({ method: 'PUT', has_body: true }), '415 415 415 415 415 415'],
  [
    'JSON in another encoding',
    factsOf({ method: 'POST', has_body: true }, [['Content-Type', 'application/json; charset=utf-16']]),
    '415 415 415 415 415 415',
  ],
  [
    'compressed JSON',
    factsOf({ method: 'POST', has_body: true }, head(...json, ['Content-Encoding', 'gzip'])),
    '415 415 415 415 415 415',
  ],
  [
    'JSON',
    factsOf(
      { method: 'POST', has_body: true },
      head(['Content-Type', 'application/json; charset="UTF-8"'], ...key),
    ),
    'key key key key key key',
  ],
  ['a POST without a body', factsOf({ method: 'POST' }, key), 'key key key key key key'],
  ['an odd path', factsOf({ target: '/api//domains' }, key), '400 400 400 400 400 400'],
  [
    'a site token in the query',
    factsOf({ peer: INTERNET, target: '/x?key=site-token' }),
    'public 403 401 403 public 401',
  ],
  ['an empty key in the query', factsOf({ peer: INTERNET, target: '/x?key=' }), 'public 403 401 403 401 401'],
  [
    'the API key in the query',
    factsOf({ peer: INTERNET, target: `/x?key=${KEY}` }),
    'public 403 401 403 key 401',
  ],
  ['two keys in the query', factsOf({ target: `/x?key=${KEY}&k%65y=b` }), 'local local 401 local 422 401'],
  [
    'a router with Basic credentials',
    factsOf({ peer: INTERNET }, [['Authorization', 'Basic dTpw']]),
    'public 403 401 403 public 401',
  ],
  [
    'an edge with its Bearer token',
    factsOf({ peer: INTERNET }, [['Authorization', 'Bearer edge-token']]),
    'public 403 401 403 401 public',
  ],
  [
    'the API key as a Bearer token',
    factsOf({ peer: INTERNET }, [['Authorization', `Bearer ${KEY}`]]),
    'public 403 401 403 401 key',
  ],
  [
    'a Bearer token of two words',
    factsOf({ peer: INTERNET }, [['Authorization', 'Bearer edge token']]),
    'public 403 401 403 401 401',
  ],
]

const outcome = (facts: RequestFacts, level: Level, settings: AccessSettings): string => {
  const decision = decide(facts, level, settings)
  return decision.allowed ? decision.class : String(PROBLEMS[decision.refusal.code].status)
}

describe('every caller against every level', () => {
  test.each(CALLERS)('%s', (_caller, facts, cells, settings = {}) => {
    const effective = { ...SETTINGS, ...settings }
    expect(LEVELS.map((level) => outcome(facts, level, effective)).join(' ')).toBe(cells)
  })
})

const refusalOf = (facts: RequestFacts, level: Level, settings: Partial<AccessSettings> = {}) => {
  const decision = decide(facts, level, { ...SETTINGS, ...settings })
  return decision.allowed ? null : decision.refusal
}

describe('what a refusal says', () => {
  test.each<[string, RequestFacts, Level, Partial<AccessSettings>, RegExp]>([
    [
      'the setting for another host',
      factsOf({ headers: host('a.example') }),
      'open',
      {},
      /"a\.example".*PLUMBLINE_ALLOWED_HOSTS/,
    ],
    [
      'the setting for a network',
      factsOf({ peer: INTERNET }),
      'open',
      {},
      /203\.0\.113\.7.*PLUMBLINE_TRUSTED_NETWORKS/,
    ],
    [
      'the setting for a proxy',
      factsOf({}, from(LAN)),
      'open',
      {},
      /127\.0\.0\.1.*PLUMBLINE_TRUSTED_PROXIES/,
    ],
    [
      'the setting for an origin',
      factsOf({}, [['Origin', 'https://e.example']]),
      'open',
      {},
      /PLUMBLINE_ALLOWED_ORIGINS/,
    ],
    ['that no key is configured', factsOf(), 'keyed', { api_key: null }, /API_KEY/],
    ['the header that is needed', factsOf(), 'keyed', {}, /X-API-Key/],
  ])('names %s', (_what, facts, level, settings, text) => {
    expect(refusalOf(facts, level, settings)?.detail).toMatch(text)
  })

  test('a refusal never holds a presented key', () => {
    const canary = 'canary-0123456789abcdef'
    const facts = factsOf({ target: `/x?key=${canary}` }, [['X-API-Key', canary]])
    for (const level of LEVELS) expect(JSON.stringify(decide(facts, level, SETTINGS))).not.toContain(canary)
  })
})

describe('who the caller is', () => {
  test('a person behind SSO is named, others are named by class', () => {
    const person = factsOf({ peer: PROXY }, head(...from(INTERNET), ...secret, ...alice))
    expect(decide(person, 'open', SETTINGS)).toMatchObject({
      actor: 'sso:alice',
      client: INTERNET,
      identity_dropped: false,
    })
    expect(decide(factsOf({}, key), 'keyed', SETTINGS)).toMatchObject({ actor: 'key', client: '127.0.0.1' })
  })

  test('identity headers without proof are reported as dropped', () => {
    expect(decide(factsOf({}, alice), 'open', SETTINGS)).toMatchObject({
      class: 'local',
      identity_dropped: true,
    })
  })

  test('a person with an unprintable name is refused', () => {
    const facts = factsOf({ peer: PROXY }, head(...secret, ['Remote-User', 'a b']))
    expect(refusalOf(facts, 'open')?.code).toBe('malformed_request')
  })

  test('an empty configured key opens nothing', () => {
    const settings = { api_key: new Secret('') }
    expect(refusalOf(factsOf({}, [['X-API-Key', '']]), 'keyed', settings)?.code).toBe('unauthenticated')
  })
})
