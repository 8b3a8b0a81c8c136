/** What the pages of what is kept true decide without a browser: lamps, words and order of certificates, records, people and access. */
import { describe, expect, it } from 'vitest'
import type { Certificates, SsoDrift, User } from '../../src/ui/api/types.ts'
import { leftText, untilText } from '../../src/ui/model/ages.ts'
import { canOpenText, lampOfEntry, policyText } from '../../src/ui/model/kept/access-entry.ts'
import {
  accessFaults,
  accessHeadline,
  accessNotes,
  accessRows,
  accessSources,
  lampOfMiddleware,
  middlewareText,
  uncheckedRest,
} from '../../src/ui/model/kept/access.ts'
import { orderSteps } from '../../src/ui/model/kept/order-steps.ts'
import {
  budgetText,
  CERTIFICATE_FIELDS,
  certificateRows,
  certificatesHeadline,
  endOf,
  lampOfCertificate,
  nextText,
  rowText,
  wrongText,
  type Certificate,
} from '../../src/ui/model/kept/certificates.ts'
import { hayOf } from '../../src/ui/model/kept/order.ts'
import {
  groupsOf,
  invitationSteps,
  lampOfPerson,
  mailTitle,
  personRows,
  personText,
  standingOf,
  standingOfRow,
} from '../../src/ui/model/kept/people.ts'
import {
  recordText,
  lampOfRecord,
  rankOf,
  RECORD_FIELDS,
  recordRows,
} from '../../src/ui/model/kept/records.ts'
import { unprovenAt, unprovenNo, unprovenOf } from '../../src/ui/model/kept/unproven.ts'
import { filteredRows, orderedBy, parseListing } from '../../src/ui/model/table/listing.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-27T12:00:00.000Z')
const at = (days: number): string => new Date(NOW + days * DAY).toISOString()

const OWN: Certificate = {
  source: 'manager',
  name: 'a.example',
  names: ['a.example'],
  state: 'healthy',
  drift: false,
  cause: null,
  certificate: {
    names: ['a.example'],
    not_before: at(-29),
    not_after: at(61),
    issuer: 'CA',
    serial: '1',
    key_type: 'EC P-256',
    fingerprint: 'f',
    state: 'healthy',
  },
  domains: [],
  wanted: true,
  in_use: true,
  directory: 'letsencrypt',
  resolver: null,
  order_step: null,
  next_attempt_at: at(31),
  last_error: null,
  budget: null,
  acts: [],
}

describe('certificates', () => {
  it('are green only where they were seen so, whoever keeps them', () => {
    const lamp = (changes: Partial<Certificate>, share: number | null = 0.7, fresh = true) =>
      lampOfCertificate({ ...OWN, ...changes }, share, fresh)
    expect(lamp({})).toBe('ok')
    expect(lamp({ drift: null })).toBe('unknown')
    expect(lamp({ state: 'expired' })).toBe('bad')
    expect(lamp({ last_error: 'It said no.' })).toBe('bad')
    expect(lamp({ order_step: 'answered', drift: true })).toBe('moving')
    expect(lamp({ order_step: 'failed' })).toBe('ok')
    expect(lamp({ cause: 'not_served' })).toBe('drift')
    expect(lamp({ cause: 'pending_deploy' })).toBe('pending')
    expect(lamp({ state: 'missing', certificate: null })).toBe('drift')
    const theirs = { source: 'proxy', drift: null } as const
    expect(lamp(theirs)).toBe('ok')
    expect(lamp(theirs, 0.7, false)).toBe('unknown')
    expect(lamp(theirs, 0.1)).toBe('drift')
  })

  it('say what is wrong, and what happens by itself and when', () => {
    const rowOf = (changes: Partial<Certificate>) => certificateRows(found([{ ...OWN, ...changes }]), NOW)[0]!
    expect(wrongText(rowOf({}))).toBeNull()
    expect(nextText(rowOf({}), NOW)).toBe('Renewal in 31 d')
    const failed = rowOf({ last_error: 'CAA of a.example forbids it.', next_attempt_at: at(0.5) })
    expect(wrongText(failed)).toBe('CAA of a.example forbids it.')
    expect(nextText(failed, NOW)).toBe('Next try in 12 h')
    // When it is tried again is never cut off.
    expect(rowText(failed, NOW)).toBe('Next try in 12 h: CAA of a.example forbids it.')
    expect(rowText(rowOf({}), NOW)).toBe('Renewal in 31 d')
    expect(budgetText({ budget: { issued: 1, most: 4, within_days: 7 } })).toBe('1 of 4 issued in 7 d')
    expect(nextText(rowOf({ order_step: 'presented' }), NOW)).toContain('TXT records stand')
    expect(nextText(rowOf({ source: 'proxy', resolver: 'le' }), NOW)).toBe('The proxy renews it.')
    expect(nextText(rowOf({ wanted: false }), NOW)).toBe('Nobody wants it any more.')
  })

  it('show an order step by step, and none where none runs', () => {
    expect(orderSteps(null)).toEqual([])
    expect(orderSteps('failed')).toEqual([])
    expect(orderSteps('presented').map(({ lamp }) => lamp)).toEqual([
      'ok',
      'ok',
      'ok',
      'moving',
      'todo',
      'todo',
      'todo',
      'todo',
    ])
  })

  it('stand in order of their end, those that are not there first, and turn around', () => {
    const rows = certificateRows(
      found([
        { ...OWN, name: 'late.example' },
        { ...OWN, name: 'none.example', certificate: null, state: 'missing' },
        { ...OWN, name: 'soon.example', certificate: { ...OWN.certificate!, not_after: at(3) } },
      ]),
      NOW,
    )
    const names = (down: boolean) => orderedBy(rows, endOf, down).map(({ name }) => name)
    expect(names(false)).toEqual(['none.example', 'soon.example', 'late.example'])
    expect(names(true)).toEqual(['late.example', 'soon.example', 'none.example'])
    const fit = (text: string) =>
      filteredRows(rows, parseListing(text, CERTIFICATE_FIELDS)).map(({ name }) => name)
    expect(fit('SOON -late')).toEqual(['soon.example'])
    expect(fit('is:missing')).toEqual(['none.example'])
    expect(fit('is:wrong')).toEqual(['none.example'])
  })

  it('what is far ends on its own date, not on today’s', () => {
    expect(untilText(NOW + 400 * DAY, NOW)).toBe('on 2028-01-01')
    expect(leftText(NOW + 400 * DAY, NOW)).toBe('400 d')
  })
})

const found = (certificates: readonly Certificate[]): Certificates => ({
  manager: { configured: true, directory: 'letsencrypt', detail: null },
  drift: false,
  differences: [],
  wire: {
    configured: false,
    address: null,
    drift: null,
    names: 0,
    not_served: 0,
    detail: null,
    observed_at: null,
  },
  store: { configured: false, fresh: null, detail: null },
  counts: { missing: 0, expired: 0, under_14_days: 0, under_30_days: 0, healthy: 0 },
  certificates: [...certificates],
})

it.each([
  ['owned', null, 'ok'],
  ['adopted', null, 'ok'],
  ['owned', 'edited', 'drift'],
  ['owned', 'pending_deploy', 'pending'],
  ['applying', null, 'moving'],
  ['foreign', null, 'drift'],
  ['orphan', 'orphan', 'drift'],
  ['absent', null, 'off'],
  ['unaddressed', null, 'off'],
  ['unaddressed', 'pending_deploy', 'pending'],
  ['of_a_later_version', null, 'unknown'],
] as const)('a record that is %s by %s is %s', (state, cause, lamp) => {
  expect(lampOfRecord({ state: state as 'owned', cause })).toBe(lamp)
})

it('records: ours come first, and each state is a word of the filter', () => {
  const one = {
    type: 'A',
    managed_type: 'A',
    cause: null,
    observed: ['203.0.113.7'],
    zone: 'example',
    account: 'own',
  }
  const records = [
    { ...one, name: 'theirs.example', state: 'foreign' },
    { ...one, name: 'b.example', state: 'owned' },
    { ...one, name: 'a.example', state: 'owned' },
  ]
  const rows = recordRows({ records, unknown: [] } as never, undefined)
  const beside = { type: 'TXT', values: ['v=spf1'], zone: 'example', account: 'own', ttl: 60 }
  const others = [
    { ...beside, name: 'far.example', domain: null },
    { ...beside, name: 'next.example', domain: 'next.example' },
  ]
  const all = recordRows({ records: [], others, unknown: [] } as never, undefined)
  expect(all.map(({ whose, lamp, value }) => [whose, lamp, value])).toEqual([
    ['others', 'off', 'v=spf1'],
    ['others', 'drift', 'v=spf1'],
  ])
  expect(recordText(all[1]!)).toContain('not deployed')
  const names = orderedBy(rows, rankOf, false).map(({ of }) => of.name)
  expect(names).toEqual(['a.example', 'b.example', 'theirs.example'])
  const fit = (text: string) => filteredRows(rows, parseListing(text, RECORD_FIELDS)).length
  expect([fit('is:ours'), fit('is:others'), fit('is:wrong zone:example'), fit('type:aaaa')]).toEqual([
    2, 1, 1, 0,
  ])
})

describe('people', () => {
  const JO: User = {
    username: 'jo',
    display_name: 'Jo',
    email: 'jo@example.net',
    groups: [],
    origin: 'invited',
    disabled: false,
    in_file: true,
    drift: false,
    cause: null,
    revoked_at: null,
    unproven: null,
    invited_at: at(-1),
    invitation: { step: 'done', detail: null, mail: 'sent' },
  }
  it.each([
    [{}, 'active', 'ok'],
    [{ disabled: null, drift: null, in_file: null }, 'unknown', 'unknown'],
    [{ revoked_at: at(0), disabled: true }, 'revoked', 'off'],
    // In the file, and nobody has proven that it was read.
    [{ revoked_at: at(0), disabled: true, unproven: 'kim signs in as before' }, 'revoked', 'unknown'],
    // Revoked, and the file still lets them in.
    [{ revoked_at: at(0) }, 'revoked', 'drift'],
    [{ invitation: { step: 'written', detail: null, mail: null } }, 'invited', 'moving'],
    [{ invitation: { step: 'written', detail: 'The mail server refuses.', mail: null } }, 'invited', 'bad'],
    [{ invitation: { step: 'done', detail: 'Nobody can tell.', mail: 'not_known' } }, 'active', 'unknown'],
    [{ invitation: { step: 'done', detail: 'Refused: not known here', mail: 'not_sent' } }, 'active', 'bad'],
    [{ disabled: true }, 'disabled', 'off'],
    [{ cause: 'edited' }, 'active', 'drift'],
  ] as const)('%j is %s and %s', (changes, standing, lamp) => {
    const user: User = { ...JO, ...changes }
    expect([standingOf(user), lampOfPerson(user)]).toEqual([standing, lamp])
  })

  it('an invitation is shown up to where it stands, and what is in the way is said there', () => {
    const steps = (invitation: User['invitation']) =>
      invitationSteps({ ...JO, invitation }).map(({ lamp }) => lamp)
    expect(steps({ step: 'hashed', detail: null, mail: null })).toEqual([
      'ok',
      'ok',
      'moving',
      'todo',
      'todo',
    ])
    expect(steps({ step: 'loaded', detail: 'no', mail: null })).toEqual(['ok', 'ok', 'ok', 'ok', 'bad'])
    expect(steps({ step: 'done', detail: null, mail: 'sent' })).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(steps({ step: 'done', detail: 'who knows', mail: 'not_known' }).at(-1)).toBe('unknown')
    expect(invitationSteps({ ...JO, invited_at: null, invitation: null })).toEqual([])
  })

  it('a mail that did not go is none that went, in the row and over its text', () => {
    const said = (changes: Partial<User>) => {
      const [row] = personRows([{ ...JO, ...changes }])
      return [standingOfRow(row!), mailTitle(row!.of)]
    }
    expect(said({})).toEqual(['may sign in', 'The mail as it went'])
    expect(said({ invitation: { step: 'loaded', detail: 'refused', mail: null } })).toEqual([
      'invitation held up, tried again',
      'The mail, which has not gone out',
    ])
    expect(said({ invitation: { step: 'done', detail: 'who knows', mail: 'not_known' } })).toEqual([
      'may sign in; the mail is not known',
      'The mail; whether it went is not known',
    ])
    const [revoked] = personRows([
      { ...JO, revoked_at: at(0), disabled: true, unproven: 'jo signs in as before' },
    ])
    expect(personText(revoked!)).toBe('jo signs in as before')
  })

  it('groups are typed with commas or spaces, each once', () => {
    expect(groupsOf(' family, staff family ,')).toEqual(['family', 'staff'])
    expect(hayOf('A', null, undefined, '', 'b')).toBe('a\nb')
  })
})

it('access: what is not known stands out, and what lets in too much comes first', () => {
  const entry = { can_open: null } as Parameters<typeof lampOfEntry>[0]
  expect(lampOfEntry(entry)).toBe('unknown')
  expect(policyText(null)).toBe('unknown')
  expect(policyText('two_factor')).toBe('two factors')
  const one = (domain: string) => ({ domain, cause: 'edited' as const, detail: 'd', cure: 'c' })
  const drift = {
    open_route: [one('open.example')],
    weaker_policy: [],
    missing_middleware: [],
    shut_out: [],
    missing_rule: [one('rule.example')],
    extra_rule: [],
    extra_middleware: [],
    not_loaded: [],
    differences: [
      { item: '/rules.yml', cause: 'edited', domains: [], detail: 'The same edit.' },
      { item: 'rule.example', cause: 'edited', domains: ['rule.example'], detail: 'The same rule.' },
      { item: '/rules.yml', cause: 'access', domains: [], detail: 'Others may write it.' },
    ],
  } as unknown as SsoDrift
  // What a list tells already is not told again.
  expect(accessFaults(drift).map(({ domain, lamp }) => [domain, lamp])).toEqual([
    ['open.example', 'bad'],
    ['rule.example', 'drift'],
    ['/rules.yml', 'drift'],
  ])
})

it('certificates: that there is none says nothing where nobody looks', () => {
  const counts = { expired: 0, under_14_days: 0, under_30_days: 0, healthy: 0, missing: 0 }
  const found = (configured: boolean) =>
    ({
      counts,
      certificates: [],
      manager: { configured: false, detail: null },
      store: { configured },
      wire: { configured: false, not_served: 0 },
    }) as unknown as Parameters<typeof certificatesHeadline>[0]
  expect(certificatesHeadline(found(false))).toBe('Nobody looks at certificates yet')
  expect(certificatesHeadline(found(true))).toBe('0 certificates, none ends within 30 days')
})

it('access: what nobody uses is not used, and a name that no domain has is no such domain', () => {
  const lamps = [
    { status: 'not_loaded', used_by: [] },
    { status: 'unused_not_verified', used_by: [] },
    { status: 'unknown', used_by: [] },
    { status: 'not_loaded', used_by: ['a.example'] },
    { status: 'loaded', used_by: ['a.example'] },
  ] as const
  expect(lamps.map((one) => [lampOfMiddleware(one), middlewareText(one)])).toEqual([
    ['off', 'not used'],
    ['off', 'not used'],
    ['off', 'not used'],
    ['drift', 'not loaded'],
    ['ok', 'loaded'],
  ])
  const entry = { can_open: false, served_by: null } as Parameters<typeof canOpenText>[0]
  expect(canOpenText(entry)).toBe('no such domain')
  expect(canOpenText({ ...entry, served_by: 'a.example' })).toBe('no')
  // Unknown says what is not known, whatever else is.
  const silent = { detail: 'The proxy does not answer.' }
  const unread = {
    configured: true,
    drift: null,
    unknown: [silent],
    observed_at: null,
  } as unknown as SsoDrift
  const [rules] = accessSources({ rules: 'running', people: true, gaps: [] } as never, unread)
  expect(rules).toMatchObject({
    lamp: 'unknown',
    text: expect.stringContaining('The proxy does not answer.'),
  })
})

it('access: what is only not set up is said once, where the answers come from', () => {
  const unset = { cause: 'not_configured' as const, detail: 'x is not set.' }
  const answer = {
    rules: null,
    people: false,
    gaps: [
      { ...unset, part: 'rules' as const },
      { ...unset, part: 'people' as const },
    ],
  } as unknown as Parameters<typeof accessNotes>[0]
  const rules = { ...unset, part: 'rules', domain: null }
  const drift = {
    configured: false,
    not_checked: [rules, { ...rules, part: 'proof' }],
  } as unknown as SsoDrift
  expect(accessNotes(answer)).toEqual([])
  expect(uncheckedRest(drift).map(({ part }) => part)).toEqual(['proof'])
  expect(accessSources(answer, drift).map(({ lamp, setting }) => [lamp, setting])).toEqual([
    ['off', 'PLUMBLINE_SSO_RULES_FILE'],
    ['off', 'PLUMBLINE_SSO_USERS_FILE'],
  ])
  // A file that cannot be read is set up.
  const gap = { part: 'people' as const, cause: 'unreadable' as const, detail: 'It cannot be read.' }
  expect(accessNotes({ ...answer, gaps: [gap] })).toEqual(['It cannot be read.'])
  expect(accessSources({ ...answer, gaps: [gap] }, drift)[1]).toMatchObject({
    lamp: 'unknown',
    text: 'It cannot be read.',
    setting: null,
  })
})

it('a "no" that rests on an unproven route or revocation is not known to hold, and says why', () => {
  const drift = {
    unknown: [
      { part: 'proof', domain: 'a.example', detail: 'It is not proven to be closed: it did not answer.' },
      { part: 'rules', domain: 'b.example', detail: 'The rules could not be read.' },
    ],
    protected_domains: 2,
    quarantine: [],
    differences: [],
    ...Object.fromEntries(
      ['open_route', 'weaker_policy', 'missing_middleware', 'shut_out'].map((list) => [list, []]),
    ),
    ...Object.fromEntries(
      ['missing_rule', 'extra_rule', 'extra_middleware', 'not_loaded'].map((list) => [list, []]),
    ),
  } as unknown as SsoDrift
  const unproven = unprovenOf(drift, [
    { username: 'ana', unproven: null },
    { username: 'kim', unproven: 'kim signs in as before.' },
  ])
  const entry = (domain: string, username: string | null, can_open: boolean) =>
    ({ domain, username, can_open, served_by: domain, groups: [], exceptions: [], detail: '' }) as never
  const rows = accessRows(
    {
      entries: [
        entry('a.example', null, false),
        entry('a.example', 'ana', true),
        entry('b.example', 'ana', false),
        entry('b.example', 'kim', false),
      ],
    } as never,
    new Set(),
    unproven,
  )
  expect(rows.map(({ of, lamp, unproven: why }) => [lamp, canOpenText(of, why)])).toEqual([
    ['ok', 'yes'],
    ['unknown', 'no, not proven'],
    ['off', 'no'],
    ['unknown', 'no, not proven'],
  ])
  expect(rows[3]!.unproven).toBe('kim signs in as before.')
  // On the page of one domain the same answers rest on what is explained of it.
  const users = [{ username: 'kim', unproven: 'kim signs in as before.' }]
  const no = { domain: 'a.example', username: 'ana', can_open: false }
  const why = (explained: { not_proven: string | null } | undefined, username = 'ana') =>
    unprovenNo({ ...no, username }, unprovenAt('a.example', explained, users))
  expect([why({ not_proven: 'Nobody saw it.' }), why({ not_proven: null })]).toEqual(['Nobody saw it.', null])
  expect(why({ not_proven: null }, 'kim')).toBe('kim signs in as before.')
  expect(why(undefined)).toBe('Whether it is closed is not found out yet.')
  expect(accessHeadline(drift, { all: 0, inside: 0 }, unproven)).toContain('1 revocation not proven')
  expect(
    accessSources({ rules: 'running', people: true, gaps: [] } as never, drift, unproven)[1],
  ).toMatchObject({
    lamp: 'unknown',
    text: expect.stringMatching(/not proven: kim\. kim signs in as before\.$/),
  })
})
