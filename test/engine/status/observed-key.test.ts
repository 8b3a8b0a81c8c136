/** One key as it is now: what differs from either edition. */
import { describe, expect, it } from 'vitest'
import { type IgnoredDifference, type IgnoredDifferences, seenOf } from '../../../src/engine/pass/ignored.ts'
import { compare, observeKey } from '../../../src/engine/status/observed-key.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { differencesOf, type Items, refusalOf } from '../item-target.ts'
import { RELEASED, EDITED, signal, scene, observed, type Scene, stringify } from './observed-scene.ts'

describe('a key that is right', () => {
  it('is told so, with what names each side', async () => {
    const { target, parts, told, asks } = scene({ rows_moved: true })
    expect(await observeKey(target, parts, signal)).toEqual({
      component: 'fake',
      key: 'fake',
      observed_at: 1_000,
      drift: false,
      deviates: false,
      unknown_because: null,
      deviating: [],
      differences: [],
      unified_diff: '- a',
      note: 'shortened',
      working_digest: stringify(RELEASED),
      released_digest: stringify(RELEASED),
      observed_digest: stringify(RELEASED),
      applied: true,
      guard: null,
      attempt: null,
      reaction: { will: 'leave_alone', because: 'The world is what was released.' },
      of: expect.any(Function),
      kept: expect.any(Function),
      excerpts: expect.any(Function),
    })
    expect(told).toEqual([{ working: RELEASED, released: RELEASED, observed: RELEASED, rows_moved: true }])
    expect(asks).toEqual([{ afresh: true }])
  })

  it('is unknown where a record of it is damaged', async () => {
    const damaged = 'What was saved is damaged.'
    expect(await observed({ damaged })).toMatchObject({
      drift: null,
      deviates: false,
      unknown_because: damaged,
    })
  })

  it.each<[what: string, given: Scene]>([
    ['is drift where it differs all the same', { there: EDITED }],
    ['is drift where what is saved differs', { working: EDITED }],
  ])('%s, whatever is damaged', async (_what, given) => {
    expect(await observed({ ...given, damaged: 'damaged' })).toMatchObject({
      drift: true,
      unknown_because: null,
    })
  })

  it('is asked for as the timer does where that asks', async () => {
    const { target, parts, asks } = scene({ parts: { afresh: false } })
    await observeKey(target, parts, signal)
    expect(asks).toEqual([{ afresh: false }])
  })
})

describe('drift', () => {
  it.each<[what: string, given: Scene, drift: object]>([
    [
      'is true of an edit, whose record is named',
      { there: EDITED },
      { drift: true, deviates: true, deviating: [1] },
    ],
    [
      'names each record once',
      { there: { a: 'x', b: 'x' }, target: { obstacles: () => [refusalOf('b'), refusalOf('c')] } },
      { deviates: true, deviating: [1, 2, 3] },
    ],
    [
      'names none where something belongs to the key as a whole',
      { there: EDITED, target: { obstacles: () => [refusalOf('c', { domain_ids: [] })] } },
      { drift: true, deviating: null },
    ],
    [
      'names none where a difference belongs to the key as a whole',
      {
        there: EDITED,
        target: {
          diff: (desired, state) =>
            differencesOf(desired as Items, state as Items).map((one) => {
              const { domain_ids: _no_ones, ...difference } = one
              return difference
            }),
        },
      },
      { drift: true, deviating: null },
    ],
    [
      'is true where something stands in the way',
      { target: { obstacles: () => [refusalOf('c')] } },
      { drift: true, deviates: true, deviating: [3] },
    ],
    [
      'is true of what waits, and nothing was edited',
      { working: { ...RELEASED, a: 'newer' } },
      { drift: true, deviates: false, deviating: [] },
    ],
    [
      'is true of what is saved and stands in the world already',
      { working: EDITED, there: EDITED },
      { drift: true, deviates: true },
    ],
    [
      'is false where the working edition asks for no other world',
      { working: { ...RELEASED, c: 'x' }, there: { ...RELEASED, c: 'x' } },
      { drift: false, deviates: false },
    ],
    [
      'is false before the first release of what is there as it was saved',
      { released: null },
      { drift: false, released_digest: null },
    ],
    [
      'is true before the first release of what is not',
      { released: null, there: {} },
      { drift: true, deviates: false },
    ],
    [
      'is true of an obstacle to what was saved',
      {
        working: { ...RELEASED, c: 'x' },
        there: { ...RELEASED, c: 'x' },
        target: { obstacles: (desired) => ('c' in (desired as Items) ? [refusalOf('c')] : []) },
      },
      { drift: true, deviates: false },
    ],
  ])('%s', async (_what, given, drift) => {
    expect(await observed(given)).toMatchObject(drift)
  })

  it('is unknown where the world cannot be read, and nothing else is told of it', async () => {
    const { target, parts, told } = scene({ there: null })
    const found = await observeKey(target, parts, signal)
    expect(found).toMatchObject({
      drift: null,
      deviates: null,
      deviating: null,
      differences: [],
      unified_diff: null,
      note: null,
      unknown_because: 'nobody answers',
      observed_digest: null,
      guard: null,
      reaction: { will: 'look_again' },
    })
    expect([told, found.kept(1)]).toEqual([[], []])
  })

  it('of a look that was made already is the same', async () => {
    const { target, parts } = scene({})
    expect(await compare(target, parts, { known: true, state: EDITED })).toMatchObject({
      drift: true,
      deviating: [1],
      unified_diff: '- a',
    })
    const nothing = { drift: null, differences: [], unknown_because: 'why' }
    expect(await compare(target, parts, { known: false, detail: 'why' })).toMatchObject(nothing)
  })

  it('the released side is none before the first release', async () => {
    const { target, parts, told } = scene({ released: null })
    await observeKey(target, parts, signal)
    expect(told).toMatchObject([{ released: null, working: RELEASED }])
  })
})

describe('what a person has said may stay', () => {
  const ended: unknown[] = []
  const ignored: IgnoredDifferences = {
    of: (key): readonly IgnoredDifference[] => [
      {
        item: 'item a',
        key,
        part: 'a',
        component: 'fake',
        seen: seenOf(differencesOf(RELEASED, EDITED)[0]!),
        reason: 'known',
        actor: 'alice',
        created_at: 0,
        until: handClock().now() + 5,
      },
    ],
    ended: (_rows, why) => void ended.push(why),
  }

  it.each<[what: string, given: Scene, ends: readonly string[]]>([
    ['goes on while that is there', { there: EDITED }, []],
    [
      'ends as soon as somebody sees another thing there',
      { there: { ...EDITED, a: 'another' } },
      ['changed'],
    ],
    ['ends as soon as somebody sees nothing of it', {}, ['same']],
    ['goes on where nobody could look', { there: null }, []],
    ['goes on before the first release', { released: null }, []],
  ])('%s', async (_what, given, ends) => {
    ended.length = 0
    await observed({ ...given, ignored })
    expect(ended).toEqual(ends)
  })
})
