/** What doctor makes of the parts of the health page, as a table. */
import { expect, it } from 'vitest'
import { healthFindings } from '../../src/doctor/health.ts'
import type { PresentedComponent } from '../../src/features/health/read-health.ts'

const ROUTES: PresentedComponent = {
  name: 'routes',
  component: 'routes',
  kind: 'kept',
  configured: true,
  ok: true,
  drift: false,
  cause: null,
  causes: {},
  reason: 'in_sync',
  message: 'It is what was released.',
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
const WRONG = { ok: false, drift: true } as const
const DIFFERENCE = { item: 'http.routers.a', domains: [], detail: 'changed by hand' }

it.each<[string, Partial<PresentedComponent>, readonly string[]]>([
  ['all is well', {}, ['good drift', 'good health']],
  [
    'a route was edited',
    { ...WRONG, cause: 'edited', differences: [{ ...DIFFERENCE, cause: 'edited' }] },
    ['warning routes: It is repaired by itself; plumbline drift shows what and why.', 'good health'],
  ],
  [
    'nobody repairs',
    { ...WRONG, cause: 'lost', mode: 'observe' },
    ['warning routes: The mode is observe: a deploy repairs it.', 'good health'],
  ],
  [
    'an edit waits',
    { ...WRONG, cause: 'pending_deploy' },
    ['warning routes: Deploy it: plumbline plan shows what that does.', 'good health'],
  ],
  [
    'it cannot be read',
    { ok: false, drift: null, reason: 'unreadable' },
    ['bad routes: Make readable what could not be read; it is looked at again by itself.', 'good health'],
  ],
  [
    'the proxy runs something else',
    { ...WRONG, name: 'proxy', component: 'proxy', kind: 'dependency', mode: null, cause: 'not_loaded' },
    ['bad proxy: Look into the log of whoever reads it; deploy again after that.', 'good health'],
  ],
  [
    'the proxy does not answer',
    { ok: false, drift: null, name: 'proxy', component: 'proxy', kind: 'dependency', mode: null },
    [
      'good drift',
      'warning proxy: Make readable what could not be read; it is looked at again by itself.',
      'good health',
    ],
  ],
  [
    'somebody else takes what was deployed, which is drift though a deploy changes nothing',
    {
      ok: false,
      drift: true,
      cause: 'shadowed',
      name: 'proxy',
      component: 'proxy',
      kind: 'dependency',
      mode: null,
    },
    [
      'bad proxy: Remove the other router or definition, or give the router a lower priority; plumbline drift names it. No deploy does that.',
      'good health',
    ],
  ],
  ['what is not set up is nothing', { ...WRONG, configured: false }, ['good drift', 'good health']],
  [
    'accounts are examined apart',
    { ...WRONG, name: 'dns_account:a', component: 'dns_account', kind: 'dependency' },
    ['good drift', 'good health'],
  ],
])('%s', (_title, part, expected) => {
  const told = healthFindings([{ ...ROUTES, ...part }]).map(({ state, check, remedy }) =>
    remedy === null ? `${state} ${check}` : `${state} ${check}: ${remedy}`,
  )
  expect(told).toEqual(expected)
})

it('says of what differs the item and its cause', () => {
  const differences = [{ ...DIFFERENCE, cause: 'edited' }]
  const [first] = healthFindings([
    { ...ROUTES, ...WRONG, cause: 'edited', message: 'It differs.', differences },
  ])
  expect(first!.detail).toBe('It differs. http.routers.a (edited)')
})
