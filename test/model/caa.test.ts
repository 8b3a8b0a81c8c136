/** What CAA records allow: the cases of RFC 8659 §4 and RFC 8657, and that a record of ours never opens more than it says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CaaApplicant,
  type CaaProperty,
  ruleOnCaa,
} from '../../src/features/dns/challenges/caa-lookup.ts'
import { runs } from '../kit/tier.ts'

const ACCOUNT = 'https://ca.example/acct/1'
const applicant = (over: Partial<CaaApplicant> = {}): CaaApplicant => ({
  identities: ['ca.example', 'old-ca.example'],
  account_url: ACCOUNT,
  is_wildcard: false,
  ...over,
})
/** `issue ca.example`, `! future x` for a critical one */
const property = (text: string): CaaProperty => {
  const [, mark, tag = '', value = ''] = /^(! )?(\S+) ?(.*)$/.exec(text)!
  return { is_critical: mark !== undefined, tag, value }
}
const ruling = (records: readonly string[], over: Partial<CaaApplicant> = {}) =>
  ruleOnCaa(records.map(property), applicant(over))
const wild = { is_wildcard: true }

describe('the ruling on', () => {
  it.each<[readonly string[], Partial<CaaApplicant>, 'allowed' | 'refused' | 'unclear']>([
    [[], {}, 'allowed'],
    [['iodef mailto:x@example.com'], {}, 'allowed'],
    [['issue ca.example'], {}, 'allowed'],
    [['issue OLD-CA.example'], {}, 'allowed'],
    [['issue  ca.example ; policy=ev'], {}, 'allowed'],
    [['issue other.example', 'issue ca.example'], {}, 'allowed'],
    [['issue other.example'], {}, 'refused'],
    [['issue ;'], {}, 'refused'],
    [['issue'], {}, 'refused'],
    [['issue ;', 'issue ca.example'], {}, 'allowed'],
    [['issue %%%%%'], {}, 'refused'],
    [['issue ca.example; a b'], {}, 'refused'],
    [['issue ca.example; =x'], {}, 'refused'],
    // A wildcard heeds issuewild before issue; other names do not heed it at all.
    [['issuewild ;'], {}, 'allowed'],
    [['issuewild ;'], wild, 'refused'],
    [['issue ca.example', 'issuewild other.example'], wild, 'refused'],
    [['issue other.example', 'issuewild ca.example'], wild, 'allowed'],
    [['issue other.example'], wild, 'refused'],
    [['issue ca.example'], wild, 'allowed'],
    // Critical and unknown: nobody may issue, whatever else stands there.
    [['! future x', 'issue ca.example'], {}, 'refused'],
    [['future x', 'issue ca.example'], {}, 'allowed'],
    [['! issue ca.example'], {}, 'allowed'],
    [['! iodef mailto:x@example.com'], {}, 'allowed'],
    // RFC 8657
    [['issue ca.example; validationmethods=dns-01'], {}, 'allowed'],
    [['issue ca.example; validationmethods=http-01,dns-01'], {}, 'allowed'],
    [['issue ca.example; validationmethods=http-01'], {}, 'refused'],
    [['issue ca.example; validationmethods='], {}, 'refused'],
    [['issue ca.example; validationmethods=dns-01; validationmethods=dns-01'], {}, 'refused'],
    [[`issue ca.example; accounturi=${ACCOUNT}`], {}, 'allowed'],
    [[`issue ca.example; AccountURI=${ACCOUNT}`], {}, 'allowed'],
    [['issue ca.example; accounturi=https://ca.example/acct/2'], {}, 'refused'],
    [[`issue ca.example; accounturi=${ACCOUNT}; accounturi=${ACCOUNT}`], {}, 'refused'],
    [[`issue ca.example; accounturi=${ACCOUNT}; validationmethods=http-01`], {}, 'refused'],
    [[`issue ca.example; accounturi=${ACCOUNT}`], { account_url: null }, 'unclear'],
    // Who the authority is cannot be told.
    [['issue other.example'], { identities: [] }, 'unclear'],
    [['issue ;'], { identities: [] }, 'refused'],
    [['iodef mailto:x@example.com'], { identities: [] }, 'allowed'],
  ])('%j for %j is %s', (records, over, kind) => {
    expect(ruling(records, over).kind).toBe(kind)
  })

  it('several others names them all, and not the value that names nobody', () => {
    expect(ruling(['issue ;', 'issue a.example', 'issue b.example'])).toEqual({
      kind: 'refused',
      why: 'a.example may issue; b.example may issue',
    })
    expect(ruling(['issue ;'])).toEqual({ kind: 'refused', why: 'no authority may issue' })
  })
})

it('any text is ruled on, and only one that begins with a name of ours opens the door', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (value, is_wildcard) => {
      const { kind } = ruleOnCaa([{ is_critical: false, tag: 'issue', value }], applicant({ is_wildcard }))
      if (kind === 'allowed') expect(value.trim().toLowerCase()).toMatch(/^(?:old-)?ca\.example\s*(?:;|$)/)
    }),
    { numRuns: runs(2000) },
  )
})

it('the order of the records does not matter', () => {
  const some = fc.constantFrom(
    'issue ca.example',
    'issue ;',
    'issue other.example',
    'issuewild ;',
    'issuewild ca.example',
    '! future x',
    'iodef mailto:x@example.com',
    `issue ca.example; accounturi=${ACCOUNT}`,
  )
  fc.assert(
    fc.property(fc.array(some, { maxLength: 5 }), fc.boolean(), (records, is_wildcard) => {
      const there = ruling(records, { is_wildcard }).kind
      expect(ruling(records.toReversed(), { is_wildcard }).kind).toBe(there)
    }),
  )
})
