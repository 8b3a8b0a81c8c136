/** One item that is refused keeps none of its neighbours waiting, and is not sent again at each of their looks. */
import { expect, it } from 'vitest'
import type { AnyTarget, Difference } from '../../../src/engine/target.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { failureFor, figuresFor, type Report } from '../../../src/model/report.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'
import { openRig } from '../rig.ts'

/** Two sets of which one is refused for ever. */
function pair(given: Partial<AnyTarget> = {}) {
  const missing = new Set(['bad', 'good'])
  const sent: string[][] = []
  const difference = (key: string): Difference<unknown> => ({
    key,
    verb: 'create',
    item: key,
    before: null,
    after: 'there',
    domain_ids: [key === 'bad' ? 1 : 2],
    payload: null,
  })
  const target: Partial<AnyTarget> = {
    every_ms: 20,
    whole: false,
    backoff: { first_ms: 60_000, max_ms: 60_000 },
    glance: () => null,
    observe: () =>
      Promise.resolve({ known: true, state: [...missing], digest: [...missing].join(), at: Date.now() }),
    diff: (_desired, observed) => (observed as string[]).map(difference),
    apply: (differences) => {
      sent.push(differences.map(({ key }) => key))
      const failure = { code: 'provider_refused', message: 'not this one', retry_after_ms: 0 } as const
      return Promise.resolve(
        differences.map(({ key }) => {
          if (key === 'bad') return { key, ok: false as const, failure }
          missing.delete(key)
          return { key, ok: true as const }
        }),
      )
    },
    ...given,
  }
  return { target, missing, sent }
}

it('is repaired beside it at the pace of every look', async () => {
  const { target, missing, sent } = pair()
  await using rig = await openRig({ target })
  await rig.release('a.example.com', 1)
  await expect.poll(() => missing.has('good')).toBe(false)
  for (let round = 0; round < 3; round++) {
    missing.add('good')
    await expect.poll(() => missing.has('good')).toBe(false)
  }
  expect(sent.filter((keys) => keys.includes('bad'))).toHaveLength(1)
  const [report] = rig.engine.lastReports()
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'provider_refused' } })
  expect(report?.refusals).toMatchObject([{ item: 'bad', domain_ids: [1] }])
})

it('counts for nobody who asks for another, repaired or not', async () => {
  const { target, missing } = pair()
  await using rig = await openRig({ target })
  const reports: Report[] = []
  rig.engine.onReport((report) => reports.push(report))
  await rig.release('a.example.com', 1)
  // Beside one that waits: what is different still and was not tried is no failed try.
  await expect.poll(() => missing.has('good')).toBe(false)
  missing.add('good')
  await expect
    .poll(() => reports.filter(({ repaired }) => repaired === 1).map((one) => figuresFor(one, [2])))
    .toContainEqual({ differences: 1, repaired: 1 })
  const figures = reports.map((report) => figuresFor(report, [1]))
  expect(new Set(figures.map(({ differences, repaired }) => `${differences} ${repaired}`))).toEqual(
    new Set(['1 0']),
  )
  expect(reports.map((report) => figuresFor(report, 'all'))).toEqual(
    reports.map(({ differences, repaired }) => ({ differences, repaired })),
  )
  await expect.poll(() => reports.filter(({ repaired }) => repaired === 1).length).toBeGreaterThan(1)
})

it('is tried at once when somebody asks', async () => {
  const { target, sent } = pair()
  await using rig = await openRig({ target })
  await rig.release('a.example.com', 1)
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  const tries = sent.length
  const [report] = await rig.engine.converge('open')
  expect(report?.failure?.message).toBe('not this one')
  expect(sent.slice(tries).flat()).toContain('bad')
})

it('is told apart from what was not tried, which is tried at the next look', async () => {
  const { target, missing, sent } = pair()
  const ends: number[] = []
  const apply = target.apply!
  const late: Partial<AnyTarget> = {
    ...target,
    deadline_ms: 5_000,
    apply: async (differences, desired, context) => {
      ends.push(context.ends_at! - performance.now())
      if (sent.length > 0) return apply(differences, desired, context)
      const repairs = await apply(differences, desired, context)
      missing.add('good')
      const failure = { code: 'component_unavailable', message: 'no time left', retry_after_ms: 0 } as const
      return repairs.map((repair) =>
        repair.key === 'good'
          ? { key: 'good', ok: false as const, failure, unfinished: true as const }
          : repair,
      )
    },
  }
  await using rig = await openRig({ target: late })
  const reports: Report[] = []
  rig.engine.onReport((report) => reports.push(report))
  await rig.release('a.example.com', 1)
  await expect.poll(() => missing.has('good')).toBe(false)
  const first = reports.find(({ refusals }) => refusals.some(({ unfinished }) => unfinished === true))!
  expect(first).toMatchObject({ outcome: 'failed', failure: { code: 'provider_refused' } })
  expect(first.refusals.map(({ item, unfinished = false }) => [item, unfinished])).toEqual([
    ['bad', false],
    ['good', true],
  ])
  expect(failureFor(first, [2])).toMatchObject({ message: 'no time left' })
  expect(sent).toEqual([['bad', 'good'], ['good']])
  for (const left of ends) expect(left).toBeLessThanOrEqual(5_000)
})

it('is neither tried nor put off by who asks for its neighbour', async () => {
  const { target, missing, sent } = pair({ every_ms: 60_000 })
  await using rig = await openRig({ target })
  await rig.release('a.example.com', 1)
  await rig.engine.converge('open')
  const tries = sent.length
  for (let round = 0; round < 3; round++) {
    missing.add('good')
    const [report] = await rig.engine.converge('open', { keys: ['fake'], records: [2] })
    expect(failureFor(report!, [2])).toBeNull()
    expect(failureFor(report!, [1])).toMatchObject({ message: 'not this one' })
    expect(figuresFor(report!, [2])).toEqual({ differences: 1, repaired: 1 })
  }
  // Nothing is left to do for its neighbour.
  await rig.engine.converge('open', { keys: ['fake'], records: [2] })
  expect(sent.slice(tries)).toEqual([['good'], ['good'], ['good']])
})

it('is tried again when its own time has come, however late its key is looked at', async () => {
  const { target, missing, sent } = pair({
    every_ms: 60_000,
    backoff: { first_ms: 100, max_ms: 100 },
  })
  await using rig = await openRig({ target })
  await rig.release('a.example.com', 1)
  await rig.engine.converge('open')
  await expect.poll(() => missing.has('good')).toBe(false)
  const tries = sent.length
  await expect.poll(() => sent.length).toBeGreaterThan(tries + 2)
  expect(sent.slice(tries).every((keys) => keys.join() === 'bad')).toBe(true)
})

it('beside an obstacle: whoever asks for what is hindered is told of it', async () => {
  const failure = { code: 'foreign_owner', message: 'somebody holds it', retry_after_ms: 0 } as const
  const held = { item: 'held', domain_ids: [3], failure }
  const { target } = pair({ every_ms: 60_000, obstacles: () => [held] })
  await using rig = await openRig({ target })
  await rig.release('a.example.com', 1)
  await rig.engine.converge('open')
  const [report] = await rig.engine.converge('open', { keys: ['fake'], records: [3] })
  expect(failureFor(report!, [3])).toEqual(failure)
  expect(failureFor(report!, [2])).toBeNull()
})

const NOTHING = { untried: new Map(), random: 0.999 } as const

it('waits for no longer than a minute where the server failed, and longer where it refused', () => {
  const policy = { first_ms: 5_000, max_ms: 900_000 }
  const target = fakeTarget(fakeWorld(), { backoff: policy, failed_item_most_ms: 60_000 })
  const difference = pair().target.diff!([], ['bad'])[0]!
  const waitAfter = (code: 'component_unavailable' | 'provider_refused') => {
    const items = new RefusedItems()
    const failure = { code, message: '', retry_after_ms: 0 }
    const refused = new Map([[difference, { item: 'bad', domain_ids: [1], failure }]])
    let [now, next] = [0, 0]
    for (let tries = 0; tries < 12; tries++) {
      now = next
      items.note(target, refused, { ...NOTHING, now })
      next = items.nextTry(target.key)!
      // Callers who come before its time put nothing off.
      items.note(target, refused, { ...NOTHING, now: next - 1 })
      expect(items.nextTry(target.key)).toBe(next)
    }
    return next - now
  }
  expect(waitAfter('component_unavailable')).toBeLessThanOrEqual(60_000)
  expect(waitAfter('provider_refused')).toBeGreaterThan(800_000)
})
