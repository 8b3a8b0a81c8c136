/** Entries of the policies file that are for no record. */
import { expect, it } from 'vitest'
import type { SitePolicies } from '../../../../src/features/sso/target/policies.ts'
import { type Named, unnamedPolicies } from '../../../../src/features/sso/target/unnamed-policies.ts'

const named = (domain: string, fields: Partial<Named> = {}): Named => ({
  domain,
  auth_required: true,
  protocol: 'http',
  service_type: 'http',
  live: true,
  ...fields,
})
const policies = (...domains: string[]): SitePolicies =>
  new Map(domains.map((domain) => [domain, { policy: 'deny', access: [], bypass: [] }]))
const NAMES = (domain: string) => `PLUMBLINE_SSO_POLICIES_FILE names ${domain}, which no record has`
const BELOW = ': requests for it get the policy of *.example.com. Give it a record of its own.'

it.each<[string, string[], Named[], string[]]>([
  ['a record has', ['admin.example.com'], [named('admin.example.com', { live: false })], []],
  [
    'is misspelt',
    ['admn.example.com'],
    [named('admin.example.com'), named('wiki.example.com')],
    [`${NAMES('admn.example.com')}. Did you mean "admin.example.com"?`],
  ],
  [
    'is of a misspelt zone',
    ['admin.exmaple.com'],
    [named('admin.example.com'), named('wiki.example.com')],
    [`${NAMES('admin.exmaple.com')}. Did you mean "admin.example.com"?`],
  ],
  [
    'is near one that has its own',
    ['admn.example.com', 'admin.example.com'],
    [named('admin.example.com')],
    [`${NAMES('admn.example.com')}.`],
  ],
  ['is near none', ['shop.example.com'], [named('wiki.example.com')], [`${NAMES('shop.example.com')}.`]],
  [
    'is below a star',
    ['grafana.example.com'],
    [named('*.example.com')],
    [NAMES('grafana.example.com') + BELOW],
  ],
  [
    'is two labels below a star, which is none to the proxy',
    ['a.b.example.com'],
    [named('*.example.com')],
    [`${NAMES('a.b.example.com')}.`],
  ],
  [
    'is below a star that serves nothing',
    ['grafana.example.com'],
    [named('*.example.com', { live: false })],
    [`${NAMES('grafana.example.com')}.`],
  ],
])('an entry whose name %s', (_, entries, records, told) => {
  expect(unnamedPolicies(policies(...entries), records)).toEqual(told)
})
