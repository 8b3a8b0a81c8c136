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
/** With the rules of the database, which are one thing more. */
const pageOf = (part: PresentedComponent): Pick<HealthAnswer, 'components' | 'things'> => {
  const all = part.configured ? 2 : 1
  return {
    components: [part],
    things: { right: part.configured && !(part.ok && part.drift === false) ? 1 : all, all },
  }
}
const WRONG = { ok: false, drift: true } as const
const DIFFERENCE = { item: 'http.routers.a', domains: [], detail: 'changed by hand' }
const HELP = { remedy: 'Do this.' }
const PROXY = { name: 'proxy', component: 'proxy', kind: 'dependency', mode: null } as const

it.each<[string, Partial<PresentedComponent>, readonly string[]]>([
  ['all is well', {}, ['good drift', 'good health']],
  [
    'what is kept differs',
    { ...WRONG, details: HELP },
    ['warning routes: Do this.', 'warning health: plumbline status shows all of them.'],
  ],
  [
    'what is kept cannot be read',
    { ok: false, drift: null, reason: 'unreadable', details: HELP },
    ['bad routes: Do this.', 'warning health: plumbline status shows all of them.'],
  ],
  [
    'what is watched is known to be wrong',
    { ...WRONG, ...PROXY, details: HELP },
    ['bad proxy: Do this.', 'warning health: plumbline status shows all of them.'],
  ],
  [
    'what is watched does not answer',
    { ok: false, drift: null, ...PROXY, details: HELP },
    ['good drift', 'warning proxy: Do this.', 'warning health: plumbline status shows all of them.'],
  ],
  [
    'a daemon says no more than that it is wrong',
    { ...WRONG, ...PROXY },
    [
      'bad proxy: plumbline status shows what is known of it.',
      'warning health: plumbline status shows all of them.',
    ],
  ],
  [
    'what differs as a person has said that it may is told all the same',
    { ok: true, drift: true },
    [
      'warning routes: plumbline status shows what is known of it.',
      'warning health: plumbline status shows all of them.',
    ],
  ],
  ['what is not set up is nothing', { ...WRONG, configured: false }, ['good drift', 'good health']],
  [
    'accounts are examined apart',
    { ...WRONG, name: 'dns_account:a', component: 'dns_account', kind: 'dependency' },
    ['good drift', 'warning health: plumbline status shows all of them.'],
  ],
])('%s', (_title, part, expected) => {
  const told = healthFindings(pageOf({ ...ROUTES, ...part })).map(({ state, check, remedy }) =>
    remedy === null ? `${state} ${check}` : `${state} ${check}: ${remedy}`,
  )
  expect(told).toEqual(expected)
})

it('says of what differs the item and its cause', () => {
  const differences = [{ ...DIFFERENCE, cause: 'edited' }]
  const [first] = healthFindings(
    pageOf({ ...ROUTES, ...WRONG, cause: 'edited', message: 'It differs.', differences }),
  )
  expect(first!.detail).toBe('It differs. http.routers.a (edited)')
})

it.each<[string, HealthReason, number, readonly string[], number]>([
  ['comes through the second time', 'timed_out', 1, ['good drift', 'good health'], 2],
  ['never comes through', 'timed_out', Infinity, ['bad routes', 'warning health'], 3],
  ['finds what cannot be read', 'unreadable', Infinity, ['bad routes', 'warning health'], 1],
])('where a probe %s, that is what is told', async (_title, reason, late, expected, asked) => {
  const paths: string[] = []
  const ask = async <T>(path: string): Promise<T> => {
    const unknown = { ok: false, drift: null, reason } as const
    const part = paths.push(path) <= late ? { ...ROUTES, ...unknown } : ROUTES
    return pageOf(part) as T
  }
  const found = await health.asked!(ask, {} as LoadedConfig)
  expect(found.map(({ state, check }) => `${state} ${check}`)).toEqual(expected)
  expect(paths).toEqual(Array.from({ length: asked }, () => '/api/control-plane/health?probe=true'))
})
