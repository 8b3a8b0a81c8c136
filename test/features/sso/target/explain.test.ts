/** Rules as text: what each side holds for a domain, and how the file differs from what is asked for. */
import { parse } from 'yaml'
import { expect, it } from 'vitest'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { sha256 } from '../../../../src/kernel/digest.ts'
import { readRules } from '../../../../src/features/sso/target/read-rules.ts'
import { ssoDesired } from '../../../../src/features/sso/target/desire.ts'
import type { SsoObserved } from '../../../../src/features/sso/target/diff.ts'
import { ssoExcerpt } from '../../../../src/features/sso/target/excerpt.ts'
import { explainSso } from '../../../../src/features/sso/target/explain.ts'
import { parseSitePolicies } from '../../../../src/features/sso/target/policies.ts'
import { strictly } from '../../../fakes/sso/rules.ts'
import { rowOf } from './rows.ts'

const read = yamlDocuments.read(`
policies:
  - domain: wiki.example.com
    access: [{ groups: [admins, staff], policy: two_factor }]
    bypass: [/public/]
`)
const settings = {
  default_policy: 'one_factor' as const,
  policies: parseSitePolicies(read.ok ? read.data : null).policies,
}
const WORKING = ssoDesired(
  {
    rows: [
      rowOf({ domain: '*.example.com' }),
      rowOf({ domain: 'wiki.example.com' }),
      rowOf({ domain: 'app.example.com' }),
      rowOf({ domain: 'open.example.com', auth_required: false }),
    ],
  },
  settings,
)

function observedOf(text: string): SsoObserved {
  const found = readRules(parse(text))
  const bytes = Buffer.from(text)
  return {
    look: { kind: 'file', bytes, digest: sha256([bytes]) },
    rules: found.ok ? found.rules : null,
    fault: found.ok ? null : found.faults.join(),
    loaded: true,
  }
}

const PATH = '/etc/authelia/access-control.yml'
const sides = (text: string) => ({
  working: WORKING,
  released: WORKING,
  observed: observedOf(text),
  rows_moved: false,
})

it.each(['*.example.com', 'wiki.example.com', 'app.example.com'])(
  'what is asked for %s is what the file says, word for word, and rules that another reader takes',
  (domain) => {
    const desired = ssoExcerpt.desired(WORKING, [domain])
    expect(desired).toBe(ssoExcerpt.observed(observedOf(WORKING.text), [domain]))
    expect(WORKING.text).toContain(desired!.split('  rules:\n')[1])
    expect(strictly(desired!).rules.length).toBeGreaterThan(0)
  },
)

it('an open domain below a protected star has no rules of its own on either side', () => {
  expect(ssoExcerpt.desired(WORKING, ['open.example.com'])).toBeNull()
  expect(ssoExcerpt.observed(observedOf(WORKING.text), ['open.example.com'])).toBeNull()
})

it('a rule in another form is shown in ours, with each of its names', () => {
  const other = WORKING.text.replace(
    '    - domain: "app.example.com"\n      policy: "one_factor"\n',
    "    - { policy: one_factor, domain: ['APP.example.com', 'app.example.com'] }\n",
  )
  expect(other).not.toBe(WORKING.text)
  const shown = ssoExcerpt.observed(observedOf(other), ['app.example.com'])
  expect(shown).toContain('"APP.example.com"')
})

it('a stranger’s rule with every condition is shown before ours, in our form', () => {
  const text = WORKING.text.replace(
    '  rules:\n',
    `  rules:
    - domain: '*.example.com'
      policy: one_factor
      subject: [['user:ana', 'group:staff'], 'group:ops']
      networks: ['10.0.0.0/8']
      methods: [GET]
      resources: ['^/x']
      query: [[{ key: a, operator: present }]]
`,
  )
  const shown = ssoExcerpt.observed(observedOf(text), ['app.example.com'])!
  expect(shown).toContain('        - ["user:ana", "group:staff"]\n        - "group:ops"\n')
  for (const part of ['"10.0.0.0/8"', '"GET"', '"^/x"', 'present']) expect(shown).toContain(part)
  expect(shown.indexOf('*.example.com')).toBeLessThan(shown.indexOf('"app.example.com"'))
})

it('a changed rule: named, and shown as a diff from the file to what is asked for', () => {
  const text = WORKING.text.replace(
    '"app.example.com"\n      policy: "one_factor"',
    '"app.example.com"\n      policy: bypass',
  )
  const { differences, unified_diff } = explainSso(sides(text), PATH)
  expect(differences).toMatchObject([{ item: 'app.example.com', cause: 'edited' }])
  expect(unified_diff).toContain('-      policy: bypass\n+      policy: "one_factor"')
  expect(unified_diff).toContain(`--- ${PATH}`)
})

it('a file that is another altogether is shown name by name, and nothing in it can drive a terminal', () => {
  const foreign = `access_control:\n  default_policy: deny\n  rules:\n    - { domain: "a\u001b[2Jb.example.com", policy: deny }\n`
  const { unified_diff } = explainSso(sides(foreign), PATH)
  expect(unified_diff).toContain('+    - domain: "app.example.com"')
  expect(unified_diff).not.toContain('\u001b')
})

it('a missing file is everything to be added; nothing to say where all agrees', () => {
  const absent: SsoObserved = { look: { kind: 'absent' }, rules: null, fault: null, loaded: null }
  const lost = explainSso({ ...sides(WORKING.text), observed: absent }, PATH)
  expect(lost.unified_diff).toContain('+access_control:')
  expect(explainSso(sides(WORKING.text), PATH)).toMatchObject({
    differences: [],
    unified_diff: null,
    note: null,
  })
  expect(ssoExcerpt.observed(absent, ['app.example.com'])).toBeNull()
})

it('what is no rules at all says so instead of an excerpt', () => {
  const observed = observedOf('access_control: { rules: [{ domain: a.b }] }')
  expect(ssoExcerpt.observed(observed, ['app.example.com'])).toMatch(
    /^# There are no rules to show: .*policy/,
  )
})
