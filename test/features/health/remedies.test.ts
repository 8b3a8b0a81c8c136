/** What helps against each part that is not well: one table for the health page, alerts and doctor. */
import { expect, it } from 'vitest'
import { onFolder } from '../../../src/features/routes/folder-check.ts'
import { onProxy } from '../../../src/features/routes/checks.ts'
import { remedies } from '../../../src/features/health/read-health.ts'
import { PROOF_WORDS } from '../../../src/features/sso/checks.ts'
import type { HealthComponent } from '../../../src/model/health.ts'

const KEPT: HealthComponent = {
  name: 'routes',
  component: 'routes',
  kind: 'kept',
  configured: true,
  ok: false,
  drift: true,
  cause: null,
  causes: {},
  reason: 'drifting',
  message: 'It differs from what the database says.',
  differences: [],
  details: {},
  observed_at: null,
  stale_after: null,
  stale: false,
  since: null,
  next_attempt_at: null,
  mode: 'repair',
  suspended_until: null,
}
const PROXY = { name: 'proxy', component: 'proxy', kind: 'dependency', mode: null } as const
const FOLDER = { name: 'routes_folder', component: 'routes_folder', kind: 'watch', mode: null } as const
const UNKNOWN = { drift: null, reason: 'unreadable' } as const
const READABLE = 'Make readable what could not be read; it is looked at again by itself.'
const NAME_ALIKE =
  'Name the entry points alike: in the static configuration of the proxy, and in PLUMBLINE_ENTRYPOINTS.'

const caused = (cause: string) => ({ cause, causes: { [cause]: 1 } })
const page = (...parts: readonly HealthComponent[]) => {
  const watched = [
    { check: { advises: onProxy }, part: { ...KEPT, ...PROXY } },
    { check: { advises: onFolder }, part: { ...KEPT, ...FOLDER } },
  ]
  return remedies(parts, watched, { 'sso-proof': PROOF_WORDS })
}

it.each<[string, Partial<HealthComponent>, string | null]>([
  ['all is well', { ok: true, drift: false, reason: 'in_sync' }, null],
  ['what is not set up', { configured: false }, null],
  ['a route was edited', caused('edited'), 'It is repaired by itself; plumbline drift shows what and why.'],
  ['nobody repairs', { ...caused('lost'), mode: 'observe' }, 'The mode is observe: a deploy repairs it.'],
  [
    'an edit waits',
    { ...caused('pending_deploy'), reason: 'pending_deploy' },
    'Deploy it: plumbline plan shows what that does.',
  ],
  ['what is there is somebody else’s', caused('foreign_owner'), 'Move away what is not ours, or adopt it.'],
  ['it cannot be read', UNKNOWN, READABLE],
  ['nobody has looked', { drift: null, reason: 'never_looked' }, 'A daemon that runs looks at it by itself.'],
  [
    'a person is to decide',
    { reason: 'refused' },
    'Only a person can decide this: "plumbline plan" shows what would be done and how to confirm it.',
  ],
  [
    'the proof was refused, which is an open route',
    { component: 'sso-proof', reason: 'refused' },
    'Deactivate the domain now; GET /api/sso/drift says why it is open.',
  ],
  [
    'the proxy runs something else',
    { ...PROXY, ...caused('not_loaded') },
    'The log of the proxy says why; GET /api/deploy/status shows what it runs and what became of it. Deploy again after that.',
  ],
  ['the proxy does not answer', { ...PROXY, ...UNKNOWN }, READABLE],
  ['the proxy lacks an entry point', { ...PROXY, ...caused('entrypoints_missing') }, NAME_ALIKE],
  ['an entry point has another task', { ...PROXY, ...caused('entrypoint_role') }, NAME_ALIKE],
  [
    'somebody else takes what was deployed',
    { ...PROXY, ...caused('shadowed') },
    'Remove the other router, definition or redirection, or give the router a lower priority; plumbline drift names it. No deploy does that.',
  ],
  [
    'a neighbour is in the way',
    { ...FOLDER, ...caused('neighbour') },
    'Correct or remove the other file; plumbline drift names it.',
  ],
  [
    'a check says nothing itself',
    { name: 'resolvers', kind: 'watch', mode: null, ...caused('missing') },
    '"plumbline status" shows what is known of it.',
  ],
])('%s', (_title, fields, expected) => {
  const part = { ...KEPT, ...fields }
  expect(page(part)(part)).toBe(expected)
})

it('while the world is newer than the database, all that is held back waits for the decision', () => {
  const world = { ...KEPT, name: 'world', kind: 'watch', ...caused('restored_from_backup') } as const
  const suspended = { ...KEPT, drift: null, reason: 'suspended' } as const
  const remedyOf = page(world, KEPT, suspended)
  expect(remedyOf(KEPT)).toMatch(/^Decide first: plumbline releases resume/)
  expect(remedyOf(suspended)).toContain('until the suspension ends')
})
