/** A convergence: in which order keys are worked on, and which of what was done there is the call's. */
import { describe, expect, it } from 'vitest'
import { Components } from '../../src/engine/components.ts'
import type { Controller } from '../../src/engine/controller.ts'
import { converge, type ConvergeScope, type Direction, mergeReports } from '../../src/engine/converge.ts'
import type { Answered } from '../../src/engine/key-state.ts'
import type { ConvergeProgress } from '../../src/engine/progress.ts'
import type { AnyTarget } from '../../src/engine/target.ts'
import type { Report } from '../../src/model/report.ts'
import { itemTarget } from './item-target.ts'

const aReport = (key: string, over: Partial<Report> = {}): Report => ({
  component: key,
  key,
  outcome: 'clean',
  differences: 0,
  repaired: 0,
  failure: null,
  refusals: [],
  release: 5,
  observed_at: 1,
  took_ms: 10,
  next_attempt_at: 2,
  ...over,
})
const REPAIRED = { outcome: 'repaired', differences: 2, repaired: 2 } as const
const aTarget = (key: string, over: Partial<AnyTarget> = {}) =>
  itemTarget({ name: key.split(':')[0]!, key, ...over })

interface Scene {
  readonly keys: readonly AnyTarget[]
  /** Those that there are when it is asked again. */
  readonly come?: readonly AnyTarget[]
  readonly direction?: Direction
  readonly scope?: Partial<ConvergeScope>
  /** The report of each key before the call. */
  readonly began?: Readonly<Record<string, Report>>
  /** What each time of asking answers; left out: a clean report. */
  readonly answers?: Readonly<Record<string, readonly (Answered | null | Error)[]>>
}

async function converged({
  keys,
  come = keys,
  direction = 'open',
  scope = {},
  began = {},
  answers = {},
}: Scene) {
  const events: unknown[] = []
  const asked = new Map<string, number>()
  const controller = {
    hold: (held: readonly string[]) => {
      events.push(['hold', held])
      return () => events.push(['let go'])
    },
    report: (key: string) => began[key] ?? null,
    ask: async (key: string, ask: unknown) => {
      const times = asked.get(key) ?? 0
      asked.set(key, times + 1)
      events.push(['ask', key, ask])
      await Promise.resolve()
      events.push(['end', key])
      const answer = answers[key]?.[times]
      if (answer instanceof Error) throw answer
      return answer === undefined ? { report: aReport(key), before: began[key] ?? null } : answer
    },
  } as unknown as Controller
  let times = 0
  const keysNow = async () => (times++ === 0 ? keys : come)
  const components = new Components(['dns', 'sso', 'routes', 'idle'].map((name) => aTarget(name)))
  const whole: ConvergeScope = { records: 'all', ...scope }
  const reports = await converge({ controller, components }, keysNow, direction, whole).catch(
    (error: unknown) => error as Error,
  )
  const order = events.map((event) => (event as string[]).slice(0, 2).join(' '))
  return { reports: reports as readonly Report[], events, order, keys_asked: times }
}

const [DNS_1, DNS_2, SSO, ROUTES] = ['dns:1', 'dns:2', 'sso', 'routes'].map((key) => aTarget(key))
const ALL = [ROUTES!, DNS_1!, SSO!, DNS_2!]

describe('the order', () => {
  it('of opening is that of the components, with the keys of one at the same time', async () => {
    const { order, reports, keys_asked } = await converged({ keys: ALL })
    expect(order).toEqual([
      'hold dns:1,dns:2,sso,routes',
      'ask dns:1',
      'ask dns:2',
      'end dns:1',
      'end dns:2',
      'ask sso',
      'end sso',
      'ask routes',
      'end routes',
      'let go',
    ])
    expect(reports.map(({ key }) => key)).toEqual(['dns:1', 'dns:2', 'sso', 'routes'])
    expect(keys_asked).toBe(1)
  })

  it('of closing is the reverse', async () => {
    const { reports } = await converged({ keys: ALL, direction: 'close' })
    expect(reports.map(({ key }) => key)).toEqual(['routes', 'sso', 'dns:1', 'dns:2'])
  })

  it('leaves out the components that are none of the call’s', async () => {
    const { reports } = await converged({ keys: ALL, scope: { except: ['dns'] } })
    expect(reports.map(({ key }) => key)).toEqual(['sso', 'routes'])
  })

  it('lets go of all keys also where one fails', async () => {
    const { reports, order } = await converged({ keys: ALL, answers: { sso: [new Error('broken')] } })
    expect(reports).toMatchObject({ message: 'broken' })
    expect(order.at(-1)).toBe('let go')
    expect(order).not.toContain('ask routes')
  })
})

describe('whoever waits', () => {
  it('is told what is expected before the first of it, each key’s own, and which have left', async () => {
    const told: unknown[] = []
    const progress = {
      expects: (targets: readonly AnyTarget[]) => told.push(['expects', targets.map(({ key }) => key)]),
      of: (key: string) => ({ key, left: () => told.push(['left', key]) }),
    } as unknown as ConvergeProgress
    const { events } = await converged({
      keys: [SSO!, ROUTES!],
      scope: { progress, records: [1] },
      answers: { sso: [null] },
    })
    expect(told).toEqual([
      ['expects', ['sso', 'routes']],
      ['left', 'sso'],
      ['expects', []],
    ])
    expect(events).toContainEqual([
      'ask',
      'routes',
      { progress: { key: 'routes', left: expect.any(Function) }, records: [1] },
    ])
  })
})

describe('a key that leaves', () => {
  it('has no report, and what has come meanwhile is worked on, too, and nothing twice', async () => {
    const { reports, order } = await converged({
      keys: [SSO!, ROUTES!],
      come: [ROUTES!, DNS_2!],
      answers: { sso: [null] },
    })
    expect(reports.map(({ key }) => key)).toEqual(['routes', 'dns:2'])
    expect(order.filter((event) => event.startsWith('ask'))).toEqual(['ask sso', 'ask routes', 'ask dns:2'])
  })
})

describe('a pass before the one that was asked for', () => {
  const before = aReport('sso', { ...REPAIRED, release: 5 })
  const asked = (scope: Partial<ConvergeScope>, began?: Report, earlier: Report | null = before) =>
    converged({
      keys: [SSO!],
      scope,
      ...(began && { began: { sso: began } }),
      answers: { sso: [{ report: aReport('sso'), before: earlier }] },
    })

  it.each<[what: string, scope: Partial<ConvergeScope>, began: Report | undefined, is_own: boolean]>([
    ['that ended while the call was under way is the call’s', {}, undefined, true],
    ['that had ended when the call began is not', {}, before, false],
    ['of the release that the call has made is, whenever that was', { made: 5 }, before, true],
    ['of a newer one is, too', { made: 4 }, before, true],
    ['of an older one is not', { made: 6 }, before, false],
  ])('%s', async (_what, scope, began, is_own) => {
    const { reports } = await asked(scope, began)
    expect(reports).toMatchObject([{ repaired: is_own ? 2 : 0, outcome: is_own ? 'repaired' : 'clean' }])
  })

  it('is none where there was none', async () => {
    expect((await asked({ made: 5 }, undefined, null)).reports).toEqual([aReport('sso')])
  })
})

describe('what was left unfinished', () => {
  const unfinished = (key: string) => ({
    report: aReport(key, { outcome: 'left_unfinished', differences: 1, repaired: 0 }),
    before: null,
  })
  const repaired = (key: string) => ({ report: aReport(key, REPAIRED), before: null })

  it('is taken up again by the same call where a later component has done something', async () => {
    const { reports, events } = await converged({
      keys: [SSO!, ROUTES!],
      scope: { records: [1] },
      answers: { sso: [unfinished('sso'), repaired('sso')], routes: [repaired('routes')] },
    })
    expect(reports).toMatchObject([
      { key: 'sso', outcome: 'repaired', repaired: 2 },
      { key: 'routes', repaired: 2 },
    ])
    const of_sso = events.filter((event) => (event as string[]).slice(0, 2).join(' ') === 'ask sso')
    expect(of_sso.map((event) => (event as unknown[])[2])).toMatchObject([{ records: [1] }, { records: [1] }])
  })

  it('counts what was done of it before', async () => {
    const half = { report: { ...unfinished('sso').report, repaired: 1 }, before: null }
    const { reports } = await converged({
      keys: [SSO!, ROUTES!],
      answers: { sso: [half, repaired('sso')], routes: [repaired('routes')] },
    })
    expect(reports).toMatchObject([{ repaired: 3 }, {}])
  })

  it.each<[what: string, answers: Scene['answers'], outcomes: readonly string[]]>([
    [
      'stays so where nothing later was done',
      { sso: [unfinished('sso')], routes: [] },
      ['clean', 'left_unfinished', 'clean'],
    ],
    [
      'stays so where only what comes before it was done',
      { 'dns:1': [repaired('dns:1')], sso: [unfinished('sso')] },
      ['repaired', 'left_unfinished', 'clean'],
    ],
    [
      'stays so where its key has left',
      { sso: [unfinished('sso'), null], routes: [repaired('routes')] },
      ['clean', 'left_unfinished', 'repaired'],
    ],
  ])('%s', async (_what, answers, outcomes) => {
    const { reports } = await converged({ keys: [DNS_1!, SSO!, ROUTES!], answers: answers! })
    expect(reports.map(({ outcome }) => outcome)).toEqual(outcomes)
  })

  it('is not asked for again by what was finished', async () => {
    const { order } = await converged({ keys: [SSO!, ROUTES!], answers: { routes: [repaired('routes')] } })
    expect(order.filter((event) => event === 'ask sso')).toHaveLength(1)
  })
})

describe('two reports of one call', () => {
  const item = (name: string, repaired: boolean) => ({ domain_ids: [], item: name, repaired })
  const earlier = aReport('sso', {
    ...REPAIRED,
    differences: 3,
    items: [item('done', true), item('open', false)],
  })

  it.each<[what: string, earlier: Report | null]>([
    ['no earlier one', null],
    ['an earlier one that did nothing', { ...earlier, repaired: 0 }],
  ])('are the later where there is %s', (_what, before) => {
    const later = aReport('sso')
    expect(mergeReports(before, later)).toBe(later)
  })

  it('are what both did, and what is left', () => {
    const later = aReport('sso', {
      outcome: 'failed',
      differences: 2,
      repaired: 1,
      items: [item('more', false)],
    })
    expect(mergeReports(earlier, later)).toEqual({
      ...later,
      differences: 4,
      repaired: 3,
      items: [item('done', true), item('more', false)],
      took_ms: 20,
    })
  })

  it('are repaired where the later found all right', () => {
    expect(mergeReports(earlier, aReport('sso'))).toMatchObject({
      outcome: 'repaired',
      differences: 2,
      repaired: 2,
      items: [item('done', true)],
    })
  })

  it('have no items where those of either are not known', () => {
    const later = aReport('sso', { outcome: 'failed', differences: 2 })
    expect(mergeReports(earlier, later)).not.toHaveProperty('items')
    const { items: _, ...bare } = earlier
    expect(mergeReports(bare, { ...later, items: [item('more', false)] })).not.toHaveProperty('items')
  })
})
