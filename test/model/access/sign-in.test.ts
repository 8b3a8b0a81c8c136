/** Where nobody could sign in: the sign-in page behind itself, domains without a session, factors that there are not. */
import { expect, it } from 'vitest'
import type { SiteRules } from '../../../src/model/access/compare.ts'
import { plainRule } from '../../../src/model/access/rule.ts'
import { shutOuts, type SignInFacts } from '../../../src/model/access/sign-in.ts'
import { rowOf } from '../../features/sso/target/rows.ts'

type Wish = Parameters<typeof rowOf>[0]

const FACTS: SignInFacts = {
  portals: ['auth.example.com'],
  cookie_domains: ['example.com', 'lab.example.net'],
  has_second_factor: true,
  no_endpoint: null,
}

const found = (wishes: readonly Wish[], facts: Partial<SignInFacts> = {}, sites: readonly SiteRules[] = []) =>
  shutOuts({ rows: wishes.map(rowOf) }, sites, { ...FACTS, ...facts }).map(
    ({ domain, cause, is_likely }) => `${domain} ${cause}${is_likely ? ' likely' : ''}`,
  )

it.each<[string, readonly Wish[], readonly string[]]>([
  ['the sign-in page is protected', [{ domain: 'auth.example.com' }], ['auth.example.com portal_protected']],
  ['it is open', [{ domain: 'auth.example.com', auth_required: false }], []],
  ['a star stands for it', [{ domain: '*.example.com' }], ['*.example.com portal_protected likely']],
  [
    'a star stands for it, and it has an open record of its own',
    [{ domain: '*.example.com' }, { domain: 'auth.example.com', auth_required: false }],
    [],
  ],
  [
    'a star stands for it, and its own record is managed elsewhere, where routers rank lower',
    [{ domain: '*.example.com' }, { domain: 'auth.example.com', service_type: 'manual' }],
    ['*.example.com portal_protected likely'],
  ],
  ['a star of another depth', [{ domain: '*.lab.example.net' }], []],
  ['a domain below a cookie domain', [{ domain: 'a.b.example.com' }, { domain: 'example.com' }], []],
  [
    'a domain outside, and one that only ends like a cookie domain',
    [{ domain: 'a.example.net' }, { domain: 'myexample.com' }],
    ['a.example.net outside_cookie_domains', 'myexample.com outside_cookie_domains'],
  ],
  ['a star above a cookie domain', [{ domain: '*.example.net' }], ['*.example.net outside_cookie_domains']],
  ['what is open needs no session', [{ domain: 'a.example.net', auth_required: false }], []],
])('%s', (_, wishes, expected) => {
  expect(found(wishes)).toEqual(expected)
})

it('what is not known accuses nobody', () => {
  const wishes = [{ domain: 'a.example.net' }, { domain: 'auth.example.com', auth_required: false }]
  expect(found(wishes, { cookie_domains: null, portals: [], has_second_factor: null })).toEqual([])
})

it('two factors where there is no second shut out those who need it, and nobody else', () => {
  const site = (domain: string, policy: 'one_factor' | 'two_factor'): SiteRules => ({
    domain,
    domain_id: 1,
    rules: [plainRule({ kind: 'literal', text: domain }, policy)],
  })
  const sites = [site('a.example.com', 'two_factor'), site('b.example.com', 'one_factor')]
  expect(found([], { has_second_factor: false }, sites)).toEqual(['a.example.com no_second_factor'])
  expect(found([], {}, sites)).toEqual([])
})

it('a check that asks at an address that there is not shuts out of every protected domain', () => {
  const wishes = [{ domain: 'a.example.com' }, { domain: 'b.example.com', auth_required: false }]
  expect(found(wishes, { no_endpoint: 'http://authelia:9091 answers 404.' })).toEqual([
    'a.example.com no_endpoint',
  ])
})
