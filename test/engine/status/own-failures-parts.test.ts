/** Which of several differences are our own write that failed, by what is known of what was applied there last. */
import { describe, expect, it } from 'vitest'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { type LeftAlone, withOwnFailures } from '../../../src/engine/status/own-failures.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { type DriftCause, type ExplainedDifference, DRIFT_CAUSES } from '../../../src/model/drift.ts'
import type { Applied } from '../../../src/ports/store.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const { codec } = fakeTarget(fakeWorld())

/** What a release froze, and was applied. */
const THEN = 'as it was released'
const APPLIED: Applied = {
  key: 'fake',
  release: 4,
  place: 'memory',
  digest: codec.freeze(THEN).digest,
  observed: 'as we left it',
  at: 1,
}
const UNTOUCHED: LeftAlone = {
  applied: APPLIED,
  is_first: false,
  state: 'what is there',
  observed: 'as we left it',
  failed_whole: false,
  why: (item) => `no room for ${item}`,
}
const CHANGED = { ...UNTOUCHED, observed: 'another' }

const of = (item: string, cause: DriftCause): ExplainedDifference => ({
  item,
  cause,
  domains: [`${item}.example.com`],
  detail: 'as the table says',
})
const ownOf = (item: string): ExplainedDifference => ({
  ...of(item, 'rejected'),
  detail: `deployed and not in place: no room for ${item}`,
})

/** @param hands what the world is explained by where it is compared with what was applied last; null: it must not be */
function scene(over: Partial<AnyTarget> = {}, hands: readonly ExplainedDifference[] | null = null) {
  const compared: unknown[] = []
  const target = fakeTarget(fakeWorld(), {
    explain: (sides) => {
      compared.push(sides)
      return { differences: hands ?? [], unified_diff: null, note: null }
    },
    ...over,
  })
  const store = { artifactAt: async () => (hands === null ? null : codec.freeze(THEN)) }
  const parts = { store, refused_items: new RefusedItems() }
  // An object of its own: what a release froze is kept with it.
  const told = (differences: readonly ExplainedDifference[], { applied, ...left }: LeftAlone) =>
    withOwnFailures(target, parts, differences, {
      ...left,
      applied: applied === null ? null : { ...applied },
    })
  return { told, compared }
}

const BY_HANDS = [of('a', 'edited'), of('b', 'edited_and_pending'), of('c', 'lost')]
const ALL_OURS = ['a', 'b', 'c'].map(ownOf)

it.each<[what: string, over: Partial<AnyTarget>, left: LeftAlone]>([
  ['a whole that stands as it was applied', {}, UNTOUCHED],
  [
    'parts that stand as they were applied and of which nothing could be written',
    { whole: false },
    { ...UNTOUCHED, failed_whole: true },
  ],
])('of %s, nobody did anything: what differs is ours, with why', async (_what, over, left) => {
  const { told, compared } = scene(over)
  expect(await told(BY_HANDS, left)).toEqual(ALL_OURS)
  expect(compared).toEqual([])
})

it('a difference that no hand has made is told as it is', async () => {
  const others = DRIFT_CAUSES.filter((cause) => !['edited', 'edited_and_pending', 'lost'].includes(cause))
  const differences = others.map((cause) => of(cause, cause))
  const { told } = scene()
  expect(await told([...differences, of('a', 'lost')], UNTOUCHED)).toEqual([...differences, ownOf('a')])
})

it('where no hand is told of, none is looked for', async () => {
  const { told, compared } = scene({}, [of('memory', 'edited')])
  const waiting = [of('a', 'pending_deploy')]
  expect(await told(waiting, CHANGED)).toEqual(waiting)
  expect(await told([], CHANGED)).toEqual([])
  expect(compared).toEqual([])
})

describe('where nobody knows what stood there last', () => {
  const cases: readonly [what: string, over: Partial<AnyTarget>, left: LeftAlone][] = [
    ['because nothing was applied', {}, { ...CHANGED, applied: null }],
    ['because what was applied is not kept', {}, CHANGED],
    ['because it is asked for part by part', { whole: false }, UNTOUCHED],
    ['because parts were changed', { whole: false }, { ...CHANGED, failed_whole: true }],
  ]

  it.each(cases)('%s, a hand was there', async (_what, over, left) => {
    expect(await scene(over).told(BY_HANDS, left)).toEqual(BY_HANDS)
  })

  it.each(cases)('%s, what is missing was never there at the first release', async (_what, over, left) => {
    const [edited, pending] = BY_HANDS
    expect(await scene(over).told(BY_HANDS, { ...left, is_first: true })).toEqual([
      edited,
      pending,
      ownOf('c'),
    ])
  })

  it('because it is asked for part by part, what was released then is not compared', async () => {
    const { told, compared } = scene({ whole: false }, [])
    expect(await told(BY_HANDS, CHANGED)).toEqual(BY_HANDS)
    expect(compared).toEqual([])
  })
})

describe('where a whole is not as it was applied last', () => {
  it('the world is compared with what was, for nothing that was saved since', async () => {
    const { told, compared } = scene({}, [])
    await told(BY_HANDS, CHANGED)
    expect(compared).toEqual([
      { working: THEN, released: THEN, observed: 'what is there', rows_moved: false },
    ])
  })

  it('a part that a hand has touched is told as that, any other as ours', async () => {
    const { told } = scene({}, [of('b', 'edited')])
    expect(await told(BY_HANDS, CHANGED)).toEqual([ownOf('a'), BY_HANDS[1], ownOf('c')])
  })

  it('also at the first release', async () => {
    const { told } = scene({}, [of('c', 'lost')])
    expect(await told(BY_HANDS, { ...CHANGED, is_first: true })).toEqual([
      ownOf('a'),
      ownOf('b'),
      BY_HANDS[2],
    ])
  })

  it('a part that differs from then by no hand is ours', async () => {
    const { told } = scene({}, [of('a', 'renderer_changed'), of('memory', 'access')])
    expect(await told(BY_HANDS, CHANGED)).toEqual(ALL_OURS)
  })

  it('what a hand did to the layout is told before the parts', async () => {
    const layout = of('memory', 'edited')
    const { told } = scene({}, [of('x', 'edited'), layout])
    expect(await told(BY_HANDS, CHANGED)).toEqual([layout, ...ALL_OURS])
  })

  it('and is told once', async () => {
    const { told } = scene({}, [of('memory', 'edited')])
    const whole = of('memory', 'edited_and_pending')
    expect(await told([whole, of('a', 'lost')], CHANGED)).toEqual([whole, ownOf('a')])
  })
})
