/** What doctor makes of the parts of the health page, as a table. */
import { expect, it } from 'vitest'
import type { HealthReason } from '../../src/model/health.ts'
import type { LoadedConfig } from '../../src/config/load.ts'
import { health, healthFindings } from '../../src/doctor/health.ts'
import type { HealthAnswer, PresentedComponent } from '../../src/features/health/read-health.ts'

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
const HELP = { remedy: 'Do this.' }
const PROXY = { name: 'proxy', component: 'proxy', kind: 'dependency', mode: null } as const

it.each<[string, Partial<PresentedComponent>, readonly string[]]>([
  ['all is well', {}, ['good drift', 'good health']],
  ['what is kept differs', { ...WRONG, details: HELP }, ['warning routes: Do this.', 'good health']],
  [
    'what is kept cannot be read',
    { ok: false, drift: null, reason: 'unreadable', details: HELP },
    ['bad routes: Do this.', 'good health'],
  ],
  [
    'what is watched is known to be wrong',
    { ...WRONG, ...PROXY, details: HELP },
    ['bad proxy: Do this.', 'good health'],
  ],
  [
    'what is watched does not answer',
    { ok: false, drift: null, ...PROXY, details: HELP },
    ['good drift', 'warning proxy: Do this.', 'good health'],
  ],
  [
    'a daemon says no more than that it is wrong',
    { ...WRONG, ...PROXY },
    ['bad proxy: plumbline status shows what is known of it.', 'good health'],
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

it.each<[string, HealthReason, number, readonly string[], number]>([
  ['comes through the second time', 'timed_out', 1, ['good drift', 'good health'], 2],
  ['never comes through', 'timed_out', Infinity, ['bad routes', 'good health'], 3],
  ['finds what cannot be read', 'unreadable', Infinity, ['bad routes', 'good health'], 1],
])('where a probe %s, that is what is told', async (_title, reason, late, expected, asked) => {
  const paths: string[] = []
  const ask = async <T>(path: string): Promise<T> => {
    const unknown = { ok: false, drift: null, reason } as const
    const part = paths.push(path) <= late ? { ...ROUTES, ...unknown } : ROUTES
    return { components: [part] } satisfies Pick<HealthAnswer, 'components'> as T
  }
  const found = await health.asked!(ask, {} as LoadedConfig)
  expect(found.map(({ state, check }) => `${state} ${check}`)).toEqual(expected)
  expect(paths).toEqual(Array.from({ length: asked }, () => '/api/control-plane/health?probe=true'))
})
