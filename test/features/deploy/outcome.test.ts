/** What a call is told of a pass in which some items were refused and others were not tried. */
import { expect, it } from 'vitest'
import { outcomeOf } from '../../../src/features/deploy/outcome.ts'
import type { Refusal, Report } from '../../../src/model/report.ts'

const failure = (message: string) => ({ code: 'component_unavailable', message, retry_after_ms: 0 }) as const
const REFUSED: Refusal = { item: 'bad', domain_ids: [1], failure: failure('the server failed') }
const UNTRIED: Refusal = {
  item: 'late',
  domain_ids: [2],
  failure: failure('no time left'),
  unfinished: true,
}
const REPORT: Report = {
  component: 'dns',
  key: 'dns:example.com',
  outcome: 'failed',
  differences: 3,
  repaired: 1,
  failure: REFUSED.failure,
  refusals: [REFUSED, UNTRIED],
  release: 1,
  observed_at: 1,
  took_ms: 1,
  next_attempt_at: 1,
}
const names = new Map([
  [1, 'bad.example.com'],
  [2, 'late.example.com'],
  [3, 'done.example.com'],
])
const scope = {
  direction: 'open',
  domain_ids: [],
  whole: false,
  fails: false,
  releases: true,
  about_one: true,
  names,
} as const
const late = {
  component: 'dns',
  key: 'dns:example.com',
  code: 'component_unavailable',
  message: 'no time left',
}

it.each([
  ['of every record', { whole: true }, ['bad.example.com'], [late]],
  ['of those alone', { domain_ids: [1, 2, 3] }, ['bad.example.com'], [late]],
  ['of the one that was refused', { domain_ids: [1] }, ['bad.example.com'], []],
  ['of the one that was not tried', { domain_ids: [2] }, [], [late]],
  ['of the one that is done', { domain_ids: [3] }, [], []],
])('a deploy %s', (_of, of, refused, unfinished) => {
  const outcome = outcomeOf([REPORT], { ...scope, ...of })
  expect(outcome.failure).toBeNull()
  expect(outcome.refused.map(({ domain }) => domain)).toEqual(refused)
  expect(outcome.unfinished).toEqual(unfinished)
})

it('a call about the one that was not tried does not say that it is done', () => {
  const { failure: told } = outcomeOf([REPORT], { ...scope, domain_ids: [2], fails: true })
  expect(told?.message).toContain('no time left')
})

it.each([
  ['component_unavailable', true, 'The release stands and is tried again.'],
  ['component_unavailable', false, 'No release was made by this call; the one before is tried again.'],
  ['suspended', true, 'The release stands, and goes out there when the suspension ends.'],
  [
    'suspended',
    false,
    'No release was made by this call; what is released goes out there when the suspension ends.',
  ],
] as const)('what fails with %s says whether a release was made: %s', (code, releases, words) => {
  const failure = { code, message: 'dns: why.', retry_after_ms: 0 }
  const outcome = code === 'suspended' ? ('suspended' as const) : ('failed' as const)
  const report = { ...REPORT, outcome, failure, refusals: [] }
  const { failure: told } = outcomeOf([report], { ...scope, domain_ids: [1], fails: true, releases })
  expect(told?.message).toBe(`dns: why. ${words}`)
})

it.each([
  ['suspended', 'What is released goes out there when the suspension ends.'],
  ['component_unavailable', 'It is tried again.'],
] as const)('a repair was never to make a release, and says nothing of one: %s', (code, words) => {
  const failure = { code, message: 'dns: why.', retry_after_ms: 0 }
  const outcome = code === 'suspended' ? ('suspended' as const) : ('failed' as const)
  const report = { ...REPORT, outcome, failure, refusals: [] }
  const of_repair = { ...scope, domain_ids: [1], fails: true, releases: false, repairs: true }
  expect(outcomeOf([report], of_repair).failure?.message).toBe(`dns: why. ${words}`)
})

it('of what is suspended each is named, since the change may be in any of them', () => {
  const suspended = (component: string): Report => ({
    ...REPORT,
    component,
    key: component,
    outcome: 'suspended',
    refusals: [],
    failure: { code: 'suspended', message: `${component} is suspended: router swap.`, retry_after_ms: 0 },
  })
  const reports = [suspended('dns'), suspended('routes')]
  const { failure: told } = outcomeOf(reports, { ...scope, domain_ids: [1], fails: true })
  expect(told?.message).toContain('dns is suspended: router swap. routes is suspended: router swap.')
})
