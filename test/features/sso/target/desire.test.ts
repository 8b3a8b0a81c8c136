/** The rules file: what Authelia's schema takes, what an independent reader decides by it, and paths that open nothing else. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { readRules } from '../../../../src/features/sso/target/read-rules.ts'
import { earlierResource, isBypassPath, openPathsPattern } from '../../../../src/model/access/open-paths.ts'
import type { Intent, IntentRow } from '../../../../src/model/intent.ts'
import { ssoCodec } from '../../../../src/features/sso/target/codec.ts'
import {
  ssoDesired,
  type SsoSettings,
  withEarlierBypass,
} from '../../../../src/features/sso/target/desire.ts'
import { waitingForRule } from '../../../../src/features/sso/target/route-exclusions.ts'
import { parseSitePolicies } from '../../../../src/features/sso/target/policies.ts'
import { decideBy, strictly } from '../../../fakes/sso/rules.ts'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { rowOf } from './rows.ts'
import { runs } from '../../../kit/tier.ts'

const ajv = new Ajv({ strict: false, formats: { regex: true } })
const isLegal = ajv.compile(
  JSON.parse(
    readFileSync(new URL('../../../../fixtures/sso/access-control.schema.json', import.meta.url), 'utf8'),
  ) as object,
)

const policies = (text: string): SsoSettings => {
  const read = yamlDocuments.read(text)
  const { policies: found, errors } = parseSitePolicies(read.ok ? read.data : null)
  expect(errors).toEqual([])
  return { default_policy: 'one_factor', policies: found }
}
const PLAIN: SsoSettings = { default_policy: 'one_factor', policies: new Map() }
const intent = (...rows: IntentRow[]): Intent => ({ rows })

const MANY = policies(`
policies:
  - domain: wiki.example.com
    access:
      - { groups: [admins], policy: two_factor }
      - { groups: [staff, "o'brien # x: y"], users: [ana], policy: one_factor }
    bypass: [/healthz, /public/]
  - { domain: shut.example.com, policy: deny }
`)
const ESTATE = intent(
  rowOf({ domain: '*.example.com' }),
  rowOf({ domain: 'wiki.example.com' }),
  rowOf({ domain: 'shut.example.com' }),
  rowOf({ domain: 'open.example.com', auth_required: false }),
  rowOf({ domain: 'ssh.example.com', protocol: 'tcp' }),
  rowOf({ domain: 'theirs.example.com', service_type: 'manual' }),
)

describe('the file', () => {
  const { text } = ssoDesired(ESTATE, MANY)

  it('is what the schema of Authelia takes, and what our own reader takes', () => {
    expect(isLegal(parse(text)), JSON.stringify(isLegal.errors)).toBe(true)
    expect(readRules(parse(text)).ok).toBe(true)
    expect(text).not.toContain('{')
    expect(text).not.toContain('bypass')
  })

  it.each<[string, string, string | null, readonly string[], string]>([
    ['wiki.example.com', '/', null, [], 'two_factor'],
    ['wiki.example.com', '/', 'eve', ['admins'], 'two_factor'],
    ['wiki.example.com', '/', 'bob', ['staff'], 'one_factor'],
    ['wiki.example.com', '/', 'ana', [], 'one_factor'],
    ['wiki.example.com', '/', 'eve', ["o'brien # x: y"], 'one_factor'],
    // Without the refusal at the end of its block that user would get in by the star.
    ['wiki.example.com', '/', 'mallory', ['guests'], 'deny'],
    // Open paths are the routes' business: the provider decides on another path than the backend gets.
    ['wiki.example.com', '/healthz', 'mallory', [], 'deny'],
    ['wiki.example.com', '/healthz/x', 'mallory', [], 'deny'],
    ['wiki.example.com', '/public/../admin', 'mallory', [], 'deny'],
    ['shut.example.com', '/', 'eve', ['admins'], 'deny'],
    ['any.example.com', '/', 'bob', [], 'one_factor'],
    // The proxy has no route for two labels below, so no rule is for it either.
    ['a.b.example.com', '/', 'bob', [], 'deny'],
    ['open.example.net', '/', 'bob', [], 'deny'],
    ['WIKI.example.com', '/', 'mallory', [], 'deny'],
    ['ANY.example.com', '/', 'bob', [], 'deny'],
  ])('%s%s for %s of %s: %s', (host, uri, user, groups, policy) => {
    expect(decideBy(strictly(text), { host, uri, method: 'GET', user, groups })).toBe(policy)
  })

  it('is never empty: with nothing to protect it refuses everything', () => {
    const { text: empty } = ssoDesired(intent(), PLAIN)
    expect(isLegal(parse(empty))).toBe(true)
    expect(decideBy(strictly(empty), { host: 'a.b', uri: '/', method: 'GET', user: 'x', groups: [] })).toBe(
      'deny',
    )
  })

  it('is the same whatever the order of the rows, and survives being kept', () => {
    const there = ssoDesired(ESTATE, MANY)
    const back = ssoDesired({ rows: ESTATE.rows.toReversed() }, MANY)
    expect(back.text).toBe(there.text)
    const { chunks } = ssoCodec.freeze(there)
    expect(ssoCodec.thaw(chunks)).toEqual(there)
  })
})

it('group names of any text are read back as they are, by a reader that is not ours', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), (group) => {
      const access = [{ groups: [group], users: [], policy: 'one_factor' as const }]
      const settings: SsoSettings = {
        ...PLAIN,
        policies: new Map([['a.example.com', { policy: null, access, bypass: [] }]]),
      }
      const { text } = ssoDesired(intent(rowOf({ domain: 'a.example.com' })), settings)
      expect(text).toMatch(/^[\x20-\x7a|~\n]*$/)
      expect(strictly(text).rules[0]!.subject).toEqual([[`group:${group.toWellFormed()}`]])
    }),
    { numRuns: 500 },
  )
})

it('a provider that runs with the open paths that earlier versions wrote keeps no route waiting, and with others does', () => {
  const sites = ssoDesired(ESTATE, MANY).sites
  const running = (resources: readonly string[]) => {
    const text = ssoDesired(ESTATE, MANY).text.replace(
      /( {4}- domain: "wiki[^]*?\n)/,
      (first) =>
        `${first}      policy: "bypass"\n      resources:\n${resources.map((one) => `        - ${JSON.stringify(one)}\n`).join('')}${first}`,
    )
    return readRulesOf(text)
  }
  const waiting = (resources: readonly string[]) =>
    waitingForRule(withEarlierBypass(sites, MANY), running(resources)).map(({ domain }) => domain)
  expect(waiting(['/healthz', '/public/'].map(earlierResource))).toEqual([])
  expect(waiting(['^/.*$'])).toEqual(['wiki.example.com'])
  expect(waitingForRule(withEarlierBypass(sites, MANY), readRulesOf(ssoDesired(ESTATE, MANY).text))).toEqual(
    [],
  )
})

const readRulesOf = (text: string) => {
  const read = readRules(parse(text))
  return read.ok ? read.rules : null
}

describe('open paths', () => {
  it.each(['/', '/healthz', '/public/', '/a/b.c/d-e_f~g', '/.well-known/openid-configuration'])(
    '%s may be opened',
    (path) => {
      expect(isBypassPath(path)).toBe(true)
    },
  )
  it.each([
    '',
    'x',
    '//',
    '/a//b',
    '/.git/',
    '/public//',
    '/../',
    '/a/..',
    '/%2e',
    '/a b',
    '/a*',
    '/a\\b',
    '/a?b',
    `/${'a'.repeat(300)}`,
  ])('%j may not', (path) => expect(isBypassPath(path)).toBe(false))

  it('nothing that a backend could resolve to another path matches', () => {
    const pattern = new RegExp(openPathsPattern(['/public/']))
    const part = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '', 'a', 'b.c', '\\', '..;x'),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = `/public/${parts.join('/')}`
        if (!pattern.test(path)) return
        const before = path
        const resolved = new URL(decodeURIComponent(before), 'https://host').pathname
        expect(resolved.startsWith('/public/')).toBe(true)
        expect(before).not.toMatch(/%|\\|\/\/|\/[.]/)
      }),
      { numRuns: runs(5000) },
    )
  })
})

describe('the policies file', () => {
  it.each<[string, RegExp]>([
    ['policie: {}', /policie is unknown. Did you mean "policies"/],
    ['policies: {}', /must be a list/],
    ['policies: [{ policy: deny }]', /domain must be a name/],
    ['policies: [{ domain: a.b, policy: bypass }]', /set its auth_required to false/],
    ['policies: [{ domain: a.b, policy: two-factor }]', /Did you mean "two_factor"/],
    ['policies: [{ domain: a.b, policy: deny }, { domain: A.B, policy: deny }]', /a second time/],
    ['policies: [{ domain: a.b, policy: deny, access: [{ groups: [x], policy: deny }] }]', /beside a policy/],
    ['policies: [{ domain: a.b, access: [{ policy: one_factor }] }]', /must name groups or users/],
    [
      'policies: [{ domain: a.b, access: [{ groups: [1], policy: one_factor }] }]',
      /must be a word in quotes/,
    ],
    ['policies: [{ domain: a.b, bypass: [/../] }]', /no part beginning with a dot/],
    ['policies: [{ domain: a.b, bypass: [/a%2fb] }]', /open what is above it/],
    ['policies: [{ domain: a.b, group: [x] }]', /is unknown/],
  ])('%s', (text, fault) => {
    const read = yamlDocuments.read(text)
    const { errors } = parseSitePolicies(read.ok ? read.data : null)
    expect(errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`).join('\n')).toMatch(fault)
  })
})
