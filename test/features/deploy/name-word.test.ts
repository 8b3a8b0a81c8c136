/** What a zone's report says of a new name: its own refusal, that it is taken, or nothing. */
import { describe, expect, it } from 'vitest'
import { nameWord } from '../../../src/features/deploy/names/name-word.ts'
import type { FailureCode } from '../../../src/kernel/failure.ts'
import type { Outcome, Refusal, Report } from '../../../src/model/report.ts'
import { aRow } from '../../fixtures.ts'

const OLD = 'old.example.com'
const FRESH = 'fresh.example.com'
const before = aRow({ domain_id: 7, domain: OLD })
const RENAME = { before, after: aRow({ domain_id: 7, domain: FRESH }) }

const failure = (code: FailureCode) => ({ code, message: `because of ${code}`, retry_after_ms: 0 })
const refusal = (code: FailureCode, more: Partial<Refusal> = {}): Refusal => ({
  item: `A ${FRESH}`,
  domain_ids: [7],
  failure: failure(code),
  ...more,
})
const report = (outcome: Outcome, refusals: readonly Refusal[] = [], code?: FailureCode): Report => ({
  component: 'dns',
  key: 'dns:example.com',
  outcome,
  differences: 1,
  repaired: 0,
  failure: code === undefined ? (refusals[0]?.failure ?? null) : failure(code),
  refusals,
  release: 2,
  observed_at: 1,
  took_ms: 1,
  next_attempt_at: 1,
})
const said = (...reports: readonly (Report | null)[]) => nameWord(RENAME, reports).said

describe('a refusal of the very name', () => {
  it.each([
    ['foreign_owner', 'refused'],
    ['provider_refused', 'refused'],
    ['conflict', 'refused'],
    ['component_unavailable', 'unknown'],
    ['provider_busy', 'unknown'],
    ['provider_credentials', 'unknown'],
    ['suspended', 'unknown'],
    ['shutting_down', 'unknown'],
    ['store_unavailable', 'unknown'],
    ['storage_full', 'unknown'],
    ['refused_by_guard', 'unknown'],
    ['restored_from_backup', 'unknown'],
    ['internal', 'unknown'],
  ] as const)('%s: %s', (code, expected) => {
    expect(said(report('failed', [refusal(code)]))).toBe(expected)
    // The same of the zone as a whole is no word about the name.
    expect(said(report('failed', [], code))).toBe('unknown')
  })

  it('says why, whatever other zones say', () => {
    const refused = report('refused', [refusal('foreign_owner', { item: `AAAA ${FRESH}` })])
    expect(nameWord(RENAME, [null, report('unknown', [], 'component_unavailable'), refused])).toEqual({
      said: 'refused',
      why: failure('foreign_owner'),
    })
  })
})

it.each([
  ['nothing differs', [report('clean')], 'taken'],
  ['it was repaired', [report('repaired')], 'taken'],
  ['no zone has to do with it', [], 'taken'],
  ['nobody has looked yet', [report('clean'), null], 'unknown'],
  ['the zone could not be read', [report('unknown', [], 'component_unavailable')], 'unknown'],
  ['the zone is suspended', [report('suspended', [], 'suspended')], 'unknown'],
  ['a part of it is not done yet', [report('left_unfinished', [], 'conflict')], 'unknown'],
  ['the old name is refused', [report('failed', [refusal('conflict', { item: `A ${OLD}` })])], 'unknown'],
  ['it waits for another set', [report('failed', [refusal('conflict', { unfinished: true })])], 'unknown'],
  ['another record is refused', [report('failed', [refusal('conflict', { domain_ids: [8] })])], 'taken'],
  ['a stranger stands beside it', [report('refused', [refusal('foreign_owner', { beside: true })])], 'taken'],
] as const)('%s: %s', (_case, reports, expected) => {
  expect(said(...reports)).toBe(expected)
})
