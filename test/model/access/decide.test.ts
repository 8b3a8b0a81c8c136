/** What a set of rules says to one person at one host: who a rule is for, and what holds where that cannot be told. */
import { describe, expect, it } from 'vitest'
import { ANYBODY, decide, type Person, rulesFor } from '../../../src/model/access/decide.ts'
import { type AccessRule, plainRule, type Policy } from '../../../src/model/access/rule.ts'

const HOST = 'app.example.com'
const exact = (policy: Policy, more: Partial<AccessRule> = {}): AccessRule => ({
  ...plainRule({ kind: 'literal', text: HOST }, policy),
  ...more,
})
/** Nobody here can tell whether it is for the host. */
const maybe = (policy: Policy): AccessRule => plainRule({ kind: 'pattern', text: '^a(p|q)+[.]' }, policy)

describe('a rule of which nobody can tell whether it is for the host', () => {
  it.each<[string, readonly AccessRule[], Policy, boolean]>([
    ['is none', [exact('two_factor'), maybe('bypass')], 'two_factor', true],
    ['lets in more than the next', [maybe('bypass'), exact('deny')], 'bypass', false],
    ['lets in less than the next', [maybe('deny'), exact('one_factor')], 'one_factor', false],
    ['lets in more than where no rule is', [maybe('bypass')], 'bypass', false],
    ['lets in less than where no rule is', [maybe('deny')], 'two_factor', false],
    ['is before another', [maybe('deny'), maybe('one_factor'), exact('two_factor')], 'one_factor', false],
  ])('%s', (_, rules, policy, certain) => {
    expect(decide({ rules, default_policy: 'two_factor' }, HOST, ANYBODY)).toEqual({
      policy,
      certain,
      exceptions: [],
    })
  })

  it('is not what nothing gets past', () => {
    const rules = [maybe('deny'), exact('one_factor'), exact('bypass')]
    expect(rulesFor(rules, HOST)).toEqual(rules.slice(0, 2))
  })
})

describe('a rule for some people', () => {
  const alice: Person = { username: 'alice', groups: ['admins', 'ops'] }
  const bob: Person = { username: 'bob', groups: ['admins'] }
  it.each<[readonly (readonly string[])[], Person, boolean]>([
    [[], bob, true],
    [[['user:alice']], alice, true],
    [[['user:alice']], bob, false],
    [[['group:admins']], bob, true],
    [[['group:ops']], bob, false],
    [[['user:alice', 'group:ops']], alice, true],
    [[['user:bob', 'group:ops']], bob, false],
    [[['user:alice'], ['group:admins']], bob, true],
    [[['group:bob']], bob, false],
    [[['user:admins']], bob, false],
    [[['oauth2:client:admins']], bob, false],
    [[['team:admins']], bob, false],
    [[['user:alice']], ANYBODY, false],
  ])('%j is for %j: %s', (subjects, person, is_theirs) => {
    const { policy } = decide(
      { rules: [exact('bypass', { subjects })], default_policy: 'deny' },
      HOST,
      person,
    )
    expect(policy).toBe(is_theirs ? 'bypass' : 'deny')
  })
})
