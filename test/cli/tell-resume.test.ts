/** The command says what a decision would do and did: warnings and refusals, and not by the exit code of success. */
import { expect, it } from 'vitest'
import { isPartRefused, tellResume } from '../../src/features/releases/restore/tell-resume.ts'
import type { ComponentResult } from '../../src/core/answers.ts'
import type { ResumeAnswer, ResumePlan } from '../../src/features/releases/restore/resume.ts'

const LISTS = [
  'restored',
  'created',
  'deactivated',
  'disabled',
  'deleted',
  'parked',
  'keys_saved',
  'keys_dropped',
]
const UNDONE = ['live_again', 'taken_down', 'changed_back', 'keys_let_in', 'keys_shut_out', 'keys_changed']
const NAMES = [...LISTS, ...UNDONE, 'people_let_in', 'people_revoked'].map((name) => [name, []])
const CHANGES = { ...Object.fromEntries(NAMES), unknown_drafts: 0 } as ResumePlan['changes']

const PLAN: ResumePlan = {
  planned: true,
  take: 'database',
  message: 'It is planned.',
  hash: 'abc',
  standing: { waiting: true, database_number: 3, worlds: [] },
  changes: { ...CHANGES, live_again: ['a.example.com'] },
  refused: [],
  diff: { added: [{ domain_id: 1, domain: 'a.example.com' }], removed: [], changed: [] },
  outside: { actions: [], unified_diff: '-old\n+new\n', complete: true },
  warnings: ['a.example.com is opened.'],
}

const component = (over: Partial<ComponentResult>): ComponentResult => ({
  component: 'dns',
  key: 'dns:example.com',
  outcome: 'repaired',
  differences: 1,
  repaired: 1,
  message: null,
  took_ms: 1,
  ...over,
})
const done = (...components: readonly ComponentResult[]): ResumeAnswer => ({
  success: true,
  message: 'Resumed.',
  release: 4,
  domain_ids: [],
  components,
  loaded: null,
  rejected: null,
  shadowed: null,
  open_routes: [],
  not_proven: [],
  pending: [],
  unfinished: [],
  warnings: ['x.example.com is held by somebody else.'],
  planned: false,
  take: 'database',
  number: 9,
  changes: CHANGES,
  refused: [],
})

function said(answer: ResumeAnswer | ResumePlan) {
  const [out, err]: [string[], string[]] = [[], []]
  tellResume(answer, {
    out: (line) => void out.push(line),
    note: (line) => void err.push(line),
    status: () => undefined,
    json: false,
  })
  return { out: out.join('\n'), err: err.join('\n') }
}

it('a plan: what changes, the diff, the warnings, and how to confirm it', () => {
  const { out, err } = said(PLAN)
  for (const part of ['live again: a.example.com', '+ a.example.com', '+new', '--confirm abc'])
    expect(out).toContain(part)
  expect(err).toBe('warning: a.example.com is opened.')
  expect(isPartRefused(PLAN)).toBe(false)
})

it.each(['refused', 'failed', 'unknown', 'left_drifting'] as const)(
  'what was %s is said with its reason, and is no success',
  (outcome) => {
    const answer = done(
      component({ outcome, message: 'Somebody else holds it.' }),
      component({ key: 'routes' }),
    )
    const { err } = said(answer)
    expect(err).toContain('warning: x.example.com is held by somebody else.')
    expect(err).toContain(`dns:example.com ${outcome.replace('_', ' ')}: Somebody else holds it.`)
    expect(isPartRefused(answer)).toBe(true)
    expect(isPartRefused(done(component({})))).toBe(false)
  },
)

it('what a file of the world holds and is not taken is no success either', () => {
  const refused = [{ part: 'record', name: 'a', field: 'domain', reason: 'is odd' }] as const
  expect(isPartRefused({ ...PLAN, refused })).toBe(true)
  expect(isPartRefused({ ...done(component({})), refused })).toBe(true)
})
