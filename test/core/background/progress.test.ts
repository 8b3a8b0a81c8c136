/** How far an operation has come, told key by key and shown by component. */
import { expect, it } from 'vitest'
import type { Outcome, Report } from '../../../src/model/report.ts'
import { OperationProgress } from '../../../src/core/background/progress.ts'

const report = (outcome: Outcome, repaired: number, differences: number) =>
  ({
    component: 'dns',
    key: 'dns:a.test',
    outcome,
    repaired,
    differences,
    failure: null,
    refusals: [],
  }) as unknown as Report

function begun() {
  const progress = new OperationProgress()
  progress.expects([
    { name: 'dns', key: 'dns:a.test' },
    { name: 'dns', key: 'dns:b.test' },
    { name: 'routes', key: 'routes' },
  ])
  const dns = () => progress.view()!.components[0]
  return { progress, dns }
}

it('says nothing before anything is to be brought anywhere', () => {
  expect(new OperationProgress().view()).toBeNull()
})

it('goes from waiting over looking and writing to the end, in the order of work', () => {
  const { progress } = begun()
  expect(progress.view()).toEqual({
    done: 0,
    total: 0,
    components: [
      { name: 'dns', done: 0, total: 0, state: 'waiting' },
      { name: 'routes', done: 0, total: 0, state: 'waiting' },
    ],
  })
  const routes = progress.of('routes')
  routes.looks()
  expect(progress.view()!.components[1]).toMatchObject({ state: 'looking' })
  routes.writes(3)
  routes.wrote(2)
  expect(progress.view()).toMatchObject({
    done: 2,
    total: 3,
    components: [{}, { done: 2, state: 'writing' }],
  })
  routes.ended(report('repaired', 3, 3))
  expect(progress.view()!.components[1]).toEqual({ name: 'routes', done: 3, total: 3, state: 'done' })
})

it('has steps with their times and ends, the proofs behind the keys, and tells each turn once', () => {
  const { progress } = begun()
  const turns: string[] = []
  progress.onStep(({ key, state }) => turns.push(`${key} ${state}`))
  const a = progress.of('dns:a.test')
  a.looks()
  a.writes(2)
  a.wrote(1)
  a.wrote(1)
  a.ended(report('repaired', 2, 2))
  const prove = progress.proves('proxy_runs')
  prove({ state: 'failed', message: 'It runs an older one.' })
  expect(turns).toEqual([
    'dns:a.test looking',
    'dns:a.test writing',
    'dns:a.test done',
    'proxy_runs looking',
    'proxy_runs failed',
  ])
  const never = { started_at: null, took_ms: null, message: null, state: 'waiting' }
  const begun_then = { started_at: expect.any(String) as string, took_ms: expect.any(Number) as number }
  expect(progress.steps()).toEqual([
    {
      component: 'dns',
      key: 'dns:a.test',
      state: 'done',
      ...begun_then,
      message: expect.any(String) as string,
    },
    { component: 'dns', key: 'dns:b.test', ...never },
    { component: 'routes', key: 'routes', ...never },
    {
      component: 'proof',
      key: 'proxy_runs',
      state: 'failed',
      ...begun_then,
      message: 'It runs an older one.',
    },
  ])
  expect(progress.view()!.components.map(({ name }) => name)).toEqual(['dns', 'routes'])
})

it('adds up the keys of a component, which is as far as the one that still works', () => {
  const { progress, dns } = begun()
  const [a, b] = [progress.of('dns:a.test'), progress.of('dns:b.test')]
  a.writes(10)
  a.ended(report('repaired', 10, 10))
  expect(dns()).toEqual({ name: 'dns', done: 10, total: 10, state: 'waiting' })
  b.looks()
  b.writes(5)
  b.wrote(1)
  expect(dns()).toEqual({ name: 'dns', done: 11, total: 15, state: 'writing' })
  b.ended(report('failed', 1, 5))
  expect(dns()).toEqual({ name: 'dns', done: 11, total: 15, state: 'failed' })
})

it.each([
  ['clean', 'done'],
  ['repaired', 'done'],
  ['left_unfinished', 'unfinished'],
  ['refused', 'failed'],
  ['unknown', 'failed'],
  ['suspended', 'failed'],
  ['left_drifting', 'failed'],
] as const)('a key that was %s is %s', (outcome, state) => {
  const { progress } = begun()
  progress.of('routes').ended(report(outcome, 0, 0))
  expect(progress.view()!.components[1]).toMatchObject({ state })
})

it('a pass that begins anew counts anew, and nothing counts beyond its total', () => {
  const { progress, dns } = begun()
  const a = progress.of('dns:a.test')
  a.writes(4)
  a.wrote(3)
  a.writes(6)
  expect(dns()).toMatchObject({ done: 0, total: 6 })
  a.wrote(9)
  expect(dns()).toMatchObject({ done: 6, total: 6 })
})

it('adds work that is expected later to what was done before, and forgets nothing of it', () => {
  const { progress, dns } = begun()
  const names = progress.of('dns:a.test')
  names.writes(2)
  names.wrote(2)
  names.ended(report('repaired', 2, 2))
  progress.expects([{ name: 'dns', key: 'dns:a.test' }])
  expect(dns()).toMatchObject({ done: 2, total: 2, state: 'waiting' })
  const rest = progress.of('dns:a.test')
  rest.looks()
  rest.writes(3)
  rest.wrote(1)
  expect(dns()).toMatchObject({ done: 3, total: 5 })
  rest.ended(report('repaired', 3, 3))
  expect(dns()).toMatchObject({ done: 5, total: 5 })
})
