/**
 * What no request may achieve, whatever it is made of. The oracle is written against the policy's words and shares no
 * code with it.
 */
import { expect, test } from 'vitest'
import { type Decision, decide } from '../../src/http/access/access.ts'
import { type Level, LEVELS } from '../../src/http/access/level.ts'
import type { AccessSettings } from '../../src/http/access/settings.ts'
import type { RequestFacts } from '../../src/http/access/request-facts.ts'
import {
  generator,
  KEY,
  PROXY_SECRET,
  READING_SESSION,
  SESSION,
  SESSION_SECRET,
  SETTINGS,
} from './support.ts'
import { byTier } from '../kit/tier.ts'

const COUNT = byTier(5000, 50_000, 500_000)
const SEED = 20_260_801

const PEERS = [
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '127.0.0.9',
  '10.1.2.3',
  'fd00:1::7',
  '10.9.9.9',
  '203.0.113.7',
  '2001:db8::1',
  null,
]
const PROXIES_MOSTLY = ['10.9.9.9', '127.0.0.9', '10.1.2.3', '127.0.0.1']
const METHODS = ['GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
const TARGETS = [
  '/api/domains',
  '/api/domains',
  '/',
  '/api//domains',
  '/api/%2e/x',
  '/x?key=token',
  `/x?key=${KEY}`,
  '/x?key=a&key=b',
  '/x;y',
  'x',
]
const HOSTS = [
  'localhost:8080',
  'localhost',
  '127.0.0.1:8080',
  '[::1]:8080',
  'plumbline.example.com',
  'evil.example',
  'localhost.evil.example',
  '0.0.0.0:8080',
  'a b',
]
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['X-API-Key', [KEY, KEY, KEY, 'wrong', '', `${KEY} `]],
  ['x-api-key', [KEY]],
  ['X_API_Key', [KEY]],
  [
    'X-Forwarded-For',
    [
      '10.1.2.3',
      '203.0.113.7',
      '127.0.0.1',
      '10.1.2.3, 203.0.113.7',
      '203.0.113.7, 10.1.2.3',
      '10.1.2.3, 10.9.9.9',
      'junk',
      '',
    ],
  ],
  ['X-Real-IP', ['127.0.0.1']],
  ['Forwarded', ['for=127.0.0.1']],
  ['Via', ['1.1 proxy']],
  ['Remote-User', ['alice', 'bob', '', 'a b']],
  ['Remote_User', ['alice']],
  ['Remote-Groups', ['admins', 'staff', 'guests', 'staff, admins', '']],
  ['X-Plumbline-Proxy-Secret', [PROXY_SECRET, PROXY_SECRET, 'guess', '']],
  ['Sec-Fetch-Site', ['same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin']],
  [
    'Origin',
    [
      'null',
      'http://localhost:8080',
      'https://console.example.com',
      'https://evil.example',
      'http://localhost:8080.evil.example',
    ],
  ],
  [
    'Content-Type',
    [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
    ],
  ],
  ['Content-Encoding', ['gzip', 'identity']],
  ['Authorization', ['Basic dTpw', 'Bearer x']],
  ['Accept', ['*/*']],
  ['Cookie', [`plumbline=${SESSION}`, `__Host-plumbline=${READING_SESSION}`, 'plumbline=x']],
  ['Cookie', [`plumbline=${READING_SESSION}`, `a=b; __Host-plumbline=${SESSION}`]],
]

function randomRequest(random: () => number): RequestFacts {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const headers: [string, string][] = random() < 0.97 ? [['Host', pick(HOSTS)]] : []
  // Often enough the request of a signed-in person, so that what spoils it is tried too.
  const person = random() < 0.35
  if (person) headers.push(['X-Plumbline-Proxy-Secret', PROXY_SECRET], ['Remote-User', 'alice'])
  if (person && random() < 0.7)
    headers.push(['Remote-Groups', pick(['admins', 'staff', 'guests, staff', ''])])
  const signed_in = !person && random() < 0.2
  if (signed_in)
    headers.push(
      ['Cookie', `plumbline=${pick([SESSION, READING_SESSION])}`],
      ['Origin', pick(['http://localhost:8080', 'https://evil.example'])],
    )
  // Often enough with the secret of its page.
  if (signed_in && random() < 0.7)
    headers.push(['X-Plumbline-Session-Secret', pick([SESSION_SECRET, SESSION_SECRET, SESSION])])
  const more = Math.floor(random() * (signed_in ? 3 : 6))
  for (let line = 0; line < more; line++) {
    const [name, values] = pick(LINES)
    headers.push([name, pick(values)])
  }
  if (random() < 0.02) headers.push(['HOST', pick(HOSTS)])
  return {
    method: pick(METHODS),
    http_version: random() < 0.2 ? '1.0' : '1.1',
    target: pick(TARGETS),
    peer: signed_in && random() < 0.5 ? '127.0.0.1' : pick(person ? PROXIES_MOSTLY : PEERS),
    headers,
    has_body: random() < 0.3,
  }
}

const GROUPED: AccessSettings = { ...SETTINGS, sso_change_groups: ['admins'], sso_read_groups: ['staff'] }

/** The policy's words, asked of an allowed request. Each gives the broken promise, or null. */
const INVARIANTS: Readonly<Record<string, (request: Seen, level: Level, decision: Decision) => boolean>> = {
  'a public caller enters public levels only, and ddns and token with a credential': (
    seen,
    level,
    { class: who },
  ) =>
    who !== 'public' ||
    level === 'public' ||
    (level === 'ddns' && seen.offers_credential) ||
    (level === 'token' && seen.offers_token),
  'a keyed level needs the one right key, or a person of a named group': (seen, level, { class: who }) =>
    level !== 'keyed' ||
    who === 'sso' ||
    who === 'session' ||
    (seen.values('x-api-key').length === 1 && seen.values('x-api-key')[0] === KEY),
  'a person reads as their groups may, and changes as they may': (seen, level, { class: who }) => {
    if (who !== 'sso' || !['open', 'keyed'].includes(level)) return true
    const groups = seen.values('remote-groups')[0] ?? ''
    return /\badmins\b/.test(groups) || (/^(?:GET|HEAD)$/.test(seen.method) && /\bstaff\b/.test(groups))
  },
  'a session changes only as its key may, with the secret of its page, and only from our own page': (
    seen,
    level,
    { class: who, session },
  ) => {
    if (who !== 'session' || /^(?:GET|HEAD)$/.test(seen.method)) return true
    const may = session?.reads_only === false || !['open', 'keyed'].includes(level)
    const site = seen.values('sec-fetch-site')[0]
    const proven = seen.values('x-plumbline-session-secret').join() === SESSION_SECRET
    return (
      may &&
      proven &&
      (site === 'same-origin' || seen.values('origin')[0] === `http://${seen.values('host')[0]}`)
    )
  },
  'nobody signs in from elsewhere': (seen, level) =>
    level !== 'sign_in' ||
    seen.comes_from_lan ||
    (seen.on_loopback && !seen.is_forwarded && seen.http_version === '1.1'),
  'exactly one Host, and it is ours': (seen) =>
    seen.values('host').length === 1 &&
    /^(?:localhost|127\.0\.0\.1|\[::1\]|plumbline\.example\.com)(?::8080)?$/.test(seen.values('host')[0]!),
  'no foreign page': (seen) => {
    const site = seen.values('sec-fetch-site')[0]
    const origin = seen.values('origin')[0]
    if (origin === 'null') return false
    if (site !== undefined)
      return site === 'same-origin' || (site === 'none' && /^(?:GET|HEAD)$/.test(seen.method))
    return [undefined, 'https://console.example.com', `http://${seen.values('host')[0]}`].includes(origin)
  },
  'a class is never claimed without its proof': (seen, level, decision) => {
    if (decision.class === 'key')
      return seen.presents_key || (level === 'ddns' && seen.target === `/x?key=${KEY}`)
    if (decision.class === 'sso') return seen.proves_person
    if (decision.class === 'session')
      return (
        seen.values('cookie').some((line) => line.includes(SESSION) || line.includes(READING_SESSION)) &&
        (seen.comes_from_lan || (seen.on_loopback && !seen.is_forwarded && seen.http_version === '1.1'))
      )
    if (decision.class === 'local')
      return seen.on_loopback && !seen.is_forwarded && seen.http_version === '1.1'
    return decision.class !== 'lan' || seen.comes_from_lan
  },
  'no form, no preflight, no odd path, no alias, no wrong key': (seen) =>
    seen.method !== 'OPTIONS' &&
    (!seen.has_body ||
      /^(?:GET|HEAD)$/.test(seen.method) ||
      /^application\/json(?:; charset=utf-8)?$/.test(seen.values('content-type')[0] ?? '')) &&
    /^\/(?:api\/domains)?$|^\/x\?key=/.test(seen.target) &&
    !seen.headers.some(([name]) => name.includes('_')) &&
    seen.values('x-api-key').every((value) => value === KEY),
}

interface Seen extends RequestFacts {
  values(name: string): readonly string[]
  readonly offers_credential: boolean
  readonly offers_token: boolean
  readonly presents_key: boolean
  readonly proves_person: boolean
  readonly on_loopback: boolean
  readonly is_forwarded: boolean
  readonly comes_from_lan: boolean
}

function see(request: RequestFacts): Seen {
  const values = (name: string) =>
    request.headers.filter(([sent]) => sent.toLowerCase() === name).map(([, value]) => value)
  const is_forwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some(
    (name) => values(name).length > 0,
  )
  const by_proxy = request.peer === '10.9.9.9' || request.peer === '127.0.0.9'
  const last_stranger = values('x-forwarded-for')
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
    .findLast((entry) => entry !== '10.9.9.9')
  const in_lan = (address: string | null | undefined) => address === '10.1.2.3' || address === 'fd00:1::7'
  return {
    ...request,
    values,
    is_forwarded,
    offers_credential: request.target === '/x?key=token' || values('authorization')[0] === 'Basic dTpw',
    offers_token: values('authorization')[0] === 'Bearer x',
    presents_key: values('x-api-key').length === 1 && values('x-api-key')[0] === KEY,
    proves_person:
      by_proxy &&
      values('x-plumbline-proxy-secret').join() === PROXY_SECRET &&
      /^(?:alice|bob)$/.test(values('remote-user').join()),
    on_loopback: request.peer !== null && /^(?:::ffff:)?127\.|^::1$/.test(request.peer),
    comes_from_lan: by_proxy
      ? in_lan(last_stranger) && values('x-plumbline-proxy-secret').join() === PROXY_SECRET
      : in_lan(request.peer) && !is_forwarded && request.http_version === '1.1',
  }
}

test(`${COUNT} random requests break no promise of the policy`, () => {
  const random = generator(SEED)
  const broken: unknown[] = []
  const entered = new Map<string, number>()
  for (let round = 0; round < COUNT; round++) {
    const request = randomRequest(random)
    const level = LEVELS[round % LEVELS.length]!
    const decision = decide(request, level, GROUPED)
    if (!decision.allowed) continue
    entered.set(`${level} ${decision.class}`, (entered.get(`${level} ${decision.class}`) ?? 0) + 1)
    const seen = see(request)
    for (const [promise, holds] of Object.entries(INVARIANTS))
      if (!holds(seen, level, decision)) broken.push({ promise, level, request, decision })
  }
  expect(broken.slice(0, 3)).toEqual([])
  // The generator reaches every way in; otherwise the promises above would hold for want of trying.
  const ways = ['public', 'open'].flatMap((level) =>
    ['key', 'sso', 'local', 'lan'].map((who) => `${level} ${who}`),
  )
  expect([...entered.keys()]).toEqual(
    expect.arrayContaining([
      ...ways,
      'public public',
      'keyed key',
      'sign_in local',
      'sign_in lan',
      'open session',
      'keyed session',
      'keyed sso',
      'ddns key',
      'ddns public',
    ]),
  )
})

test('equal requests get equal decisions', () => {
  const random = generator(SEED)
  for (let round = 0; round < 500; round++) {
    const request = randomRequest(random)
    const level = LEVELS[round % LEVELS.length]!
    expect(decide(structuredClone(request), level, SETTINGS)).toEqual(decide(request, level, SETTINGS))
  }
})
