/** Conditions: every outcome of a pass, and what is said of single records. */
import { describe, expect, it } from 'vitest'
import { MAX_ATTRIBUTED } from '../../../src/engine/status/conditions.ts'
import type { Report } from '../../../src/model/report.ts'
import { UNDECIDED } from '../../../src/model/undecided.ts'
import { A, after, aLook, aReport, B, brief, type Step } from './evidence.ts'

describe('what a pass says', () => {
  const everybody = aLook([['edited', null]])
  it.each<[string, Step, string[]]>([
    ['clean', { report: aReport('clean') }, ['0 true in_sync since 1']],
    [
      'repaired',
      { report: aReport('repaired', { differences: 1, repaired: 1 }) },
      ['0 true in_sync since 1'],
    ],
    [
      'left drifting, whoever it belongs to',
      { report: aReport('left_drifting', { differences: 1 }), observed: everybody },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting, and a target that names no items',
      { report: aReport('left_drifting', { differences: 1 }), observed: aLook([]) },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting in one domain alone: the rest is in sync',
      { report: aReport('left_drifting', { differences: 1 }), observed: aLook([['lost', B]]) },
      ['0 true in_sync since 1', '2 false drifting since 1'],
    ],
    [
      'left drifting beside edits that wait: those are nobody’s trouble',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([
          ['pending_deploy', null],
          ['edited', A],
        ]),
      },
      ['0 true in_sync since 1', '1 false drifting since 1'],
    ],
    [
      'left drifting in a name that no record has',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([['edited', 'x.example.com']]),
      },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting in more places than are told apart',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook(Array.from({ length: MAX_ATTRIBUTED + 1 }, () => ['edited', A] as const)),
      },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting, and put right before the look',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([], { deviates: false }),
      },
      ['0 true in_sync since 1'],
    ],
    [
      'left drifting, and not to be read any more at the look',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([], { deviates: null, unknown_because: 'gone' }),
      },
      ['0 unknown unreadable since 1'],
    ],
    [
      'refused, because somebody else puts it back',
      {
        report: aReport('refused', { differences: 1, message: '3 times' }),
        observed: aLook([['edited', A]], { rule: 'contested' }),
      },
      ['0 true in_sync since 1', '1 false contested since 1'],
    ],
    [
      'refused by another guard',
      {
        report: aReport('refused', { differences: 1, message: 'not ours' }),
        observed: aLook([['edited', null]], { rule: 'not_ours' }),
      },
      ['0 false refused since 1'],
    ],
    [
      'failed with differences left',
      {
        report: aReport('failed', { differences: 2, repaired: 1, message: 'disk full' }),
        observed: everybody,
      },
      ['0 false failing since 1'],
    ],
    [
      'failed before anything was known',
      { report: aReport('failed', { message: 'too slow' }) },
      ['0 unknown failing since 1'],
    ],
    [
      'failed and repaired all the same, and not right at the look',
      { report: aReport('failed', { message: 'too slow' }), observed: everybody },
      ['0 false failing since 1'],
    ],
    [
      'clean, and moved before the look',
      { report: aReport('clean'), observed: everybody },
      ['0 false drifting since 1'],
    ],
    [
      'unknown, and moved as the look shows',
      { report: aReport('unknown', { message: 'EACCES' }), observed: everybody },
      ['0 false drifting since 1'],
    ],
    [
      'refused before anybody could look',
      { report: aReport('refused', { differences: 1, message: 'not ours' }) },
      ['0 false refused since 1'],
    ],
    [
      'left unfinished',
      { report: aReport('left_unfinished', { differences: 1, message: '1 of 3' }) },
      ['0 false unfinished since 1'],
    ],
    [
      'clean, where somebody keeps putting a laxer state back',
      { report: aReport('clean'), besieged: true },
      ['0 false contested since 1'],
    ],
    [
      'right at the look, whatever of a record only the saved edition asks for',
      { report: aReport('left_drifting'), observed: aLook([['foreign_owner', A]], { deviates: false }) },
      ['0 true in_sync since 1'],
    ],
    [
      'left drifting in as many places as are told apart',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook(Array.from({ length: MAX_ATTRIBUTED }, () => ['edited', A] as const)),
      },
      ['0 true in_sync since 1', '1 false drifting since 1'],
    ],
    [
      'left drifting in one record, where of another only the saved edition asks for more',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook(
          [
            ['foreign_owner', A],
            ['edited', B],
          ],
          { deviating: [2] },
        ),
      },
      ['0 true in_sync since 1', '2 false drifting since 1'],
    ],
    [
      'left drifting in what two records share, of which one differs from its release',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: {
          ...aLook([], { deviating: [2] }),
          differences: [{ item: 'it', cause: 'edited', domains: [A, B], detail: '' }],
        },
      },
      ['0 true in_sync since 1', '1 false drifting since 1', '2 false drifting since 1'],
    ],
    [
      'left drifting in one record and in what is nobody’s',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook(
          [
            ['edited', null],
            ['edited', B],
          ],
          { deviating: [2] },
        ),
      },
      ['0 false drifting since 1'],
    ],
    ['unknown', { report: aReport('unknown', { message: 'EACCES' }) }, ['0 unknown unreadable since 1']],
    [
      'suspended',
      { report: aReport('suspended', { message: 'routes is suspended: x' }) },
      ['0 unknown suspended since 1'],
    ],
    [
      'broken off by our own end: nothing',
      { report: aReport('failed', { message: 'bye', code: 'shutting_down' }) },
      [],
    ],
  ])('%s', (_name, step, expected) => {
    expect(brief(after([], step))).toEqual(expected)
  })

  it('carries the released revision of the domain, and none for the component', () => {
    const step = {
      report: aReport('left_drifting', { differences: 1 }),
      observed: aLook([['edited', A]]),
    }
    expect(after([], step).map(({ observed_revision }) => observed_revision)).toEqual([null, 4])
  })
})

describe('what was refused to single records', () => {
  const refusal = (domain_ids: readonly number[], code: 'foreign_owner' | 'provider_refused') => ({
    item: 'it',
    domain_ids,
    failure: { code, message: `by ${code}`, retry_after_ms: 0 },
  })
  const told = (...refusals: Report['refusals']) =>
    after([], {
      report: { ...aReport('failed', { differences: 2, message: 'all' }), refusals },
      observed: aLook([
        ['edited', A],
        ['edited', B],
      ]),
    }).map(({ domain_id, reason, message }) => [domain_id, reason, message])
  const SHARED = [0, 'in_sync', 'It is what was released.']
  const MOVED = 'A look after the last pass found it other than it was released.'

  it('is told to each, and of the others only that they have moved since', () => {
    expect(told(refusal([1], 'provider_refused'))).toEqual([
      SHARED,
      [1, 'failing', 'by provider_refused'],
      [2, 'drifting', MOVED],
    ])
  })

  it('is a refusal where somebody else has it', () => {
    expect(told(refusal([1], 'foreign_owner'), refusal([2], 'provider_refused'))).toEqual([
      SHARED,
      [1, 'refused', 'by foreign_owner'],
      [2, 'failing', 'by provider_refused'],
    ])
  })

  it('says nothing of the others where the key as a whole was refused, too', () => {
    expect(told(refusal([1], 'provider_refused'), refusal([], 'provider_refused'))).toEqual([
      SHARED,
      [1, 'failing', 'by provider_refused'],
      [2, 'failing', 'all'],
    ])
    expect(told()).toEqual([SHARED, [1, 'failing', 'all'], [2, 'failing', 'all']])
  })
})

it.each([
  [
    'an unread world',
    aReport('left_drifting'),
    aLook([], { deviates: null, unknown_because: 'gone' }),
    'gone',
  ],
  ['an unread world that says nothing', aReport('left_drifting'), aLook([], { deviates: null }), ''],
  [
    'a world that is newer than the database',
    aReport('failed', { message: 'routes is at change 9', code: 'restored_from_backup' }),
    null,
    UNDECIDED,
  ],
])('the message of %s', (_what, report, observed, message) => {
  expect(after([], { report, observed })[0]?.message).toBe(message)
})
