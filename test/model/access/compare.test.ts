/** Same, missing, weaker: judged for everybody who is named, and a criterion that cannot be judged counts as opening. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSite, extraRules, type SiteRules } from '../../../src/model/access/compare.ts'
import { decide } from '../../../src/model/access/decide.ts'
import { criterionFor, everything, matchesHost, nameOf, sampleHost } from '../../../src/model/access/hosts.ts'
import { type AccessRule, type AccessRules, plainRule, POLICIES } from '../../../src/model/access/rule.ts'
import { runs } from '../../kit/tier.ts'

const literal = (text: string) => ({ kind: 'literal', text }) as const
const pattern = (text: string) => ({ kind: 'pattern', text }) as const
const rule = (text: string, policy: AccessRule['policy'], over: Partial<AccessRule> = {}): AccessRule => ({
  ...plainRule(criterionFor(text), policy),
  ...over,
})
const site = (domain: string, ...rules: AccessRule[]): SiteRules => ({ domain, domain_id: 1, rules })
const set = (...rules: AccessRule[]): AccessRules => ({
  default_policy: 'deny',
  rules: [...rules, plainRule(everything, 'deny')],
})

const APP = site('app.example.com', rule('app.example.com', 'two_factor'))

describe('a site beside somebody’s rules', () => {
  it.each<[string, readonly AccessRule[], string]>([
    ['its own rule', [...APP.rules], 'same'],
    ['its own rule after one for another name', [rule('b.example', 'bypass'), ...APP.rules], 'same'],
    ['its own in another case', [{ ...APP.rules[0]!, domain: literal('App.Example.com') }], 'same'],
    ['nothing', [], 'missing'],
    ['a stricter rule', [rule('app.example.com', 'deny')], 'missing'],
    ['a laxer rule', [rule('app.example.com', 'one_factor')], 'weaker'],
    ['bypass before it', [rule('app.example.com', 'bypass'), ...APP.rules], 'weaker'],
    [
      'a star of every depth before it',
      [{ ...rule('x', 'one_factor'), domain: literal('*.example.com') }, ...APP.rules],
      'weaker',
    ],
    [
      'a star elsewhere before it',
      [{ ...rule('x', 'bypass'), domain: literal('*.example.net') }, ...APP.rules],
      'same',
    ],
    [
      'a pattern that nobody here runs',
      [{ ...rule('x', 'bypass'), domain: pattern('^(a+)+$') }, ...APP.rules],
      'weaker',
    ],
    [
      'the same pattern, refusing',
      [{ ...rule('x', 'deny'), domain: pattern('^(a+)+$') }, ...APP.rules],
      'missing',
    ],
    [
      'bypass from a network',
      [rule('app.example.com', 'bypass', { networks: ['10.0.0.0/8'] }), ...APP.rules],
      'weaker',
    ],
    [
      'bypass of a path',
      [rule('app.example.com', 'bypass', { resources: ['^/api'] }), ...APP.rules],
      'weaker',
    ],
    [
      'one factor for one user',
      [rule('app.example.com', 'one_factor', { subjects: [['user:bob']] }), ...APP.rules],
      'weaker',
    ],
    [
      'refusal of one group',
      [rule('app.example.com', 'deny', { subjects: [['group:a']] }), ...APP.rules],
      'missing',
    ],
    ['rules that come after', [...APP.rules, rule('app.example.com', 'bypass')], 'same'],
  ])('%s', (_, rules, comparison) => {
    expect(compareSite(APP, set(...rules))).toBe(comparison)
  })

  it('a name for some people: whoever else gets in is too much', () => {
    const admins = rule('a.example.com', 'two_factor', { subjects: [['group:admins']] })
    const wanted = site('a.example.com', admins, rule('a.example.com', 'deny'))
    expect(compareSite(wanted, set(...wanted.rules))).toBe('same')
    expect(compareSite(wanted, set(admins, rule('*.example.com', 'one_factor')))).toBe('weaker')
    expect(compareSite(wanted, set(rule('*.example.com', 'one_factor')))).toBe('weaker')
    expect(compareSite(wanted, set(rule('a.example.com', 'deny')))).toBe('missing')
  })

  it('a bypass that is wanted is no weakness, a wider one is', () => {
    const health = rule('a.example.com', 'bypass', { resources: ['^/healthz$'] })
    const wanted = site('a.example.com', health, rule('a.example.com', 'one_factor'))
    expect(compareSite(wanted, set(...wanted.rules))).toBe('same')
    const wider = { ...health, resources: ['^/'] }
    expect(compareSite(wanted, set(wider, wanted.rules[1]!))).toBe('weaker')
  })
})

it('a star is one label here and every depth in Authelia', () => {
  const ours = criterionFor('*.example.com')
  expect(nameOf(ours)).toBe('*.example.com')
  for (const [host, match] of [
    ['a.example.com', 'yes'],
    ['a.b.example.com', 'no'],
    ['example.com', 'no'],
    ['a.example.com.evil.net', 'no'],
    ['aexample.com', 'no'],
  ] as const) {
    expect(matchesHost(ours, host)).toBe(match)
    expect(new RegExp(ours.text).test(host)).toBe(match === 'yes')
  }
  expect(matchesHost(literal('*.example.com'), 'a.b.example.com')).toBe('yes')
  // In upper case nothing matches a pattern, so nobody slips past a stricter rule that is for one name.
  expect(new RegExp(ours.text).test('ADMIN.example.com')).toBe(false)
})

it('extra rules are those that open something for nobody of ours', () => {
  const rules = set(...APP.rules, rule('old.example.com', 'one_factor'), rule('shut.example.com', 'deny'))
  expect(extraRules([APP], rules).map(({ domain }) => nameOf(domain))).toEqual(['old.example.com'])
  const open: AccessRules = { default_policy: 'one_factor', rules: [...APP.rules] }
  expect(extraRules([APP], open).map(({ domain, policy }) => [nameOf(domain), policy])).toEqual([
    ['^.*$', 'one_factor'],
  ])
})

const HOSTS = ['a.example.com', 'b.example.com', '*.example.com', 'a.b.example.com', 'c.example.net']
const SUBJECTS = [[], [['group:a']], [['user:u']], [['group:a', 'group:b']]]
const arbitraryRule: fc.Arbitrary<AccessRule> = fc
  .tuple(
    fc.constantFrom(...HOSTS.map(criterionFor), literal('*.example.com'), everything),
    fc.constantFrom(...POLICIES),
    fc.constantFrom(...SUBJECTS),
  )
  .map(([domain, policy, subjects]) => ({
    ...plainRule(domain, policy),
    subjects: policy === 'bypass' ? [] : subjects,
  }))

it('what is called the same decides the same for everybody, and what is not called weaker opens nothing more', () => {
  const openness = { deny: 0, two_factor: 1, one_factor: 2, bypass: 3 }
  const people = [
    { username: '', groups: [] },
    { username: 'u', groups: [] },
    { username: 'x', groups: ['a'] },
    { username: 'x', groups: ['a', 'b'] },
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...HOSTS),
      fc.array(arbitraryRule, { maxLength: 3 }),
      fc.array(arbitraryRule, { maxLength: 6 }),
      (domain, own, theirs) => {
        const rules = [...own.map((one) => ({ ...one, domain: criterionFor(domain) })), rule(domain, 'deny')]
        const actual = set(...theirs)
        const comparison = compareSite(site(domain, ...rules), actual)
        const wanted: AccessRules = { default_policy: 'deny', rules }
        for (const person of people) {
          const host = sampleHost(domain)
          const [asked, got] = [decide(wanted, host, person).policy, decide(actual, host, person).policy]
          if (comparison === 'same') expect(got).toBe(asked)
          if (comparison === 'missing' && person.username !== 'u')
            expect(openness[got]).toBeLessThanOrEqual(openness[asked])
        }
      },
    ),
    { numRuns: runs(2000) },
  )
})
