/** Every legal form of an access_control section is read alike, and what Authelia would refuse is refused by name. */
import { describe, expect, it } from 'vitest'
import { readRules } from '../../../src/features/sso/target/read-rules.ts'
import { yamlDocuments } from '../../../src/io/yaml/documents.ts'

function read(text: string) {
  const document = yamlDocuments.read(text)
  if (!document.ok) throw new Error(document.msg)
  return readRules(document.data)
}

const rulesOf = (text: string) => {
  const found = read(text)
  if (!found.ok) throw new Error(found.faults.join('; '))
  return found.rules
}

const section = (rule: string): string =>
  `access_control:\n  networks: [{ name: lan, networks: [10.0.0.0/8] }]\n  rules:\n    - ${rule}\n`

describe('forms', () => {
  it.each<[string, string]>([
    ['a word', '{ domain: a.example, policy: one_factor }'],
    ['a list', '{ domain: [a.example], policy: one_factor }'],
    ['quoted', `{ "domain": 'a.example', "policy": "one_factor" }`],
  ])('a name as %s', (_, rule) => {
    expect(rulesOf(section(rule)).rules).toMatchObject([
      { domain: { kind: 'literal', text: 'a.example' }, policy: 'one_factor', subjects: [] },
    ])
  })

  it('a rule for several names is a rule for each', () => {
    const { rules } = rulesOf(section("{ domain: [a.example, b.example], domain_regex: '^c', policy: deny }"))
    expect(rules.map(({ domain }) => domain.text)).toEqual(['a.example', 'b.example', '^c'])
  })

  it.each<[string, readonly (readonly string[])[]]>([
    ["'group:a'", [['group:a']]],
    ["['group:a', 'user:b']", [['group:a'], ['user:b']]],
    ["[['group:a', 'group:b'], 'user:c']", [['group:a', 'group:b'], ['user:c']]],
  ])('subject %s', (subject, alternatives) => {
    const { rules } = rulesOf(section(`{ domain: a.example, policy: one_factor, subject: ${subject} }`))
    expect(rules[0]!.subjects).toEqual(alternatives)
  })

  it('networks by name and by address, methods, resources and queries', () => {
    const { rules } = rulesOf(
      section(
        "{ domain: a.example, policy: bypass, networks: [lan, 192.0.2.1, '2001:db8::/32'], methods: GET, resources: ['^/x'], query: [[{ key: a, operator: present }]] }",
      ),
    )
    expect(rules[0]).toMatchObject({
      networks: ['lan', '192.0.2.1', '2001:db8::/32'],
      methods: ['GET'],
      resources: ['^/x'],
    })
    expect(rules[0]!.query).toHaveLength(1)
  })

  it('the default policy may be left out', () => {
    expect(rulesOf('access_control: { rules: [{ domain: a.b, policy: deny }] }').default_policy).toBe('deny')
    expect(rulesOf('access_control: { default_policy: two_factor }').rules).toEqual([])
  })
})

describe('faults', () => {
  it.each<[string, RegExp]>([
    ['session: {}', /access_control is missing/],
    ['access_control: {}', /must not be empty while the default policy is deny/],
    ['access_control: { default_policy: bypass }', /must not be bypass/],
    ['access_control: { default_policy: one_faktor }', /Did you mean "one_factor"/],
    ['access_control: { rules: 3 }', /must be a list/],
    [
      'access_control: { rule: [] , default_policy: one_factor }',
      /access_control.rule is unknown. Did you mean "rules"/,
    ],
    [section('{ policy: deny }'), /needs a domain or a domain_regex/],
    [section('{ domain: a.example }'), /rules.0.policy must be one of/],
    [section('{ domain: a.example, policy: bypass, subject: "user:a" }'), /must not name a subject/],
    [section('{ domain: a.example, policy: deny, subject: bob }'), /does not begin with user:/],
    [section('{ domain: a.example, policy: deny, networks: wan }'), /network "wan", which is not defined/],
    [section('{ domain: a.example, policy: deny, methods: FETCH }'), /no method that Authelia knows/],
    [section('{ domain: { a: b }, policy: deny }'), /must be a word or a list of words/],
    [
      section('{ domain: a.example, policy: deny, query: [[{ operator: odd, key: a }]] }'),
      /operator must be one of/,
    ],
    [section('{ domain: a.example, policy: deny, resource: x }'), /Did you mean "resources"/],
  ])('%s', (text, fault) => {
    const found = read(text)
    expect(found.ok).toBe(false)
    expect(found.ok ? '' : found.faults.join('\n')).toMatch(fault)
  })
})
