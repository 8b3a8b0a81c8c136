/** Why the newest release was never seen at a key, in a sentence. */
import { expect, it } from 'vitest'
import { type AppliedFacts, whyNotApplied } from '../../../src/engine/status/not-applied.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'

const REPAIR: ModeSetting = { scope: '*', mode: 'repair', reason: '', actor: 'alice', expires_at: null }
const SUSPENDED: ModeSetting = { ...REPAIR, mode: 'suspend', reason: 'we move' }
const FACTS: AppliedFacts = { applied: false, mode: REPAIR, attempt: null, report: null }
const failed = (message: string) => ({ failure: { code: 'internal', message, retry_after_ms: 0 } }) as const

it.each<[what: string, facts: Partial<AppliedFacts>, because: string | null]>([
  ['is seen there', { applied: true, mode: SUSPENDED, attempt: { message: 'no' } }, null],
  ['is suspended', { mode: SUSPENDED, attempt: { message: 'no' } }, 'alice suspended it: we move.'],
  ['was tried in vain', { attempt: { message: 'no room' }, report: failed('other') }, 'no room'],
  ['was not tried, since the pass failed before', { report: failed('no answer') }, 'no answer'],
])('a release that %s', (_what, facts, because) => {
  expect(whyNotApplied({ ...FACTS, ...facts })).toEqual(
    because === null ? null : { because, is_under_way: false },
  )
})

it.each<[what: string, facts: Partial<AppliedFacts>]>([
  ['before the first pass', {}],
  ['after a pass that went well', { report: { failure: null } }],
])('a release that nothing keeps back is under way %s', (_what, facts) => {
  expect(whyNotApplied({ ...FACTS, ...facts })).toEqual({
    because: 'It is about to be written.',
    is_under_way: true,
  })
})
