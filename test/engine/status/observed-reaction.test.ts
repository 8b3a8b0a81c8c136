/** What the engine does about a key as it is now, as a whole and for one record, and what each side holds. */
import { describe, expect, it } from 'vitest'
import { observeKey } from '../../../src/engine/status/observed-key.ts'
import { type Items, SLOW } from '../item-target.ts'
import {
  RELEASED,
  EDITED,
  signal,
  ATTEMPT,
  explained,
  scene,
  observed,
  type Scene,
  stringify,
} from './observed-scene.ts'

describe('why a release does not stand there', () => {
  const OLD: Items = { a: 'old', b: 'old' }
  const LOST = [explained('item a', 'lost'), explained('item b', 'lost')]
  /** What differs by our own failure: released, and the world is as it was before. */
  const details = async (given: Scene) => {
    const explains = [explained('item a'), explained('item b')]
    const found = await observed({ there: OLD, applied: OLD, explains, ...given })
    return found.differences.map(({ cause, detail }) => [
      cause,
      detail.replace('deployed and not in place: ', ''),
    ])
  }
  const WHOLE = { whole: true }
  const both = (detail: string, cause = 'rejected') => [
    [cause, detail],
    [cause, detail],
  ]

  it.each<[what: string, given: Scene, told: readonly (readonly string[])[]]>([
    ['its tries have failed', { attempt: ATTEMPT }, both('no room')],
    ['it is about to be written', { target: WHOLE }, both('It is about to be written.')],
    [
      'one item was refused, and the others for what keeps the key',
      { attempt: ATTEMPT, refused: ['a'] },
      [
        ['rejected', SLOW.message],
        ['rejected', 'no room'],
      ],
    ],
    [
      'an item of a whole was refused, and with it all',
      { attempt: ATTEMPT, refused: ['a'], target: WHOLE },
      both(SLOW.message),
    ],
    [
      'a guard refuses, before what its tries say',
      { attempt: ATTEMPT, reverts: 3, target: WHOLE },
      both(expect.stringContaining('Somebody put the same state')),
    ],
    ['it was edited: it stood there', { applied: RELEASED, attempt: ATTEMPT }, both('by hand', 'edited')],
    ['parts of it that nobody tried are as the table says', {}, both('by hand', 'edited')],
    ['a guard hit is no failure of ours', { attempt: ATTEMPT, reverts: 3 }, both('by hand', 'edited')],
    [
      'what is missing where nothing of ours ever stood was not written yet',
      { there: {}, applied: null, target: WHOLE, explains: LOST },
      both('It is about to be written.'),
    ],
    [
      'what is missing where something of ours stood once was taken',
      { there: {}, applied: null, was_written: true, target: WHOLE, explains: LOST },
      both('by hand', 'lost'),
    ],
    [
      'of parts that were never written the table of causes knows more',
      { there: {}, applied: null, explains: LOST },
      both('by hand', 'lost'),
    ],
  ])('%s', async (_what, given, told) => {
    expect(await details(given)).toEqual(told)
  })
})

describe('what stands between a difference and its repair', () => {
  it.each<[what: string, given: Scene, rule: string | null]>([
    ['nothing', { there: EDITED }, null],
    ['a fight over it', { there: EDITED, reverts: 3 }, 'contested'],
    ['no fight that leaves a door open', { there: EDITED, reverts: 3, target: { opens: () => true } }, null],
    [
      'a fight where it lets in no more',
      { there: EDITED, reverts: 3, target: { opens: () => false } },
      'contested',
    ],
    ['a fight is over what differs', { reverts: 3 }, null],
    ['that it was there before us', { there: EDITED, applied: null, target: { whole: true } }, 'not_ours'],
    ['not that, once we have written it', { there: EDITED, target: { whole: true } }, null],
    ['a newer release', { there: EDITED, newest: { a: 'newer' } }, 'stale_release'],
    ['a release that is not known any more', { there: EDITED, newest: null }, 'stale_release'],
    ['nothing before the first release', { there: EDITED, released: null, reverts: 3 }, null],
  ])('is %s', async (_what, given, rule) => {
    const { guard, reaction } = await observed(given)
    expect(guard?.rule ?? null).toBe(rule)
    expect(reaction.will === 'refuse').toBe(rule !== null)
  })

  it('asks whether it lets in more only in a fight', async () => {
    const asked: unknown[] = []
    const opens = (...sides: unknown[]) => asked.push(sides) > 0
    await observed({ there: EDITED, target: { opens } })
    expect(asked).toEqual([])
    await observed({ there: EDITED, reverts: 3, target: { opens } })
    expect(asked).toEqual([[RELEASED, EDITED]])
  })

  it('is what it says it does about it', async () => {
    const tried = await observed({ there: EDITED, attempt: ATTEMPT })
    expect(tried).toMatchObject({ attempt: ATTEMPT, reaction: { will: 'try_again' } })
    expect((await observed({ there: EDITED, mode: 'observe' })).reaction.will).toBe('only_report')
    const not_applied = await observed({ there: EDITED, mode: 'observe', applied: null })
    expect(not_applied).toMatchObject({ applied: false, reaction: { will: 'repair' } })
  })
})

describe('of one record', () => {
  const there = { a: 'old', b: 'old' }
  it('its own refusal is told, and none of its neighbours’', async () => {
    const found = await observed({ there, applied: {}, refused: ['a'] })
    expect(found.of(1)).toMatchObject({ applied: false, attempt: { failures: 1, message: SLOW.message } })
    expect(found.of(2)).toMatchObject({ applied: false, attempt: null })
  })

  it('what was not refused stands where all else of the release does', async () => {
    const { target, parts, refused_items } = scene({ there, applied: {}, refused: ['a'] })
    refused_items.noteRest('fake', stringify(RELEASED), { desired: RELEASED, digest: stringify(RELEASED) })
    const found = await observeKey(target, parts, signal)
    expect([found.of(1).applied, found.of(2).applied]).toEqual([false, true])
    refused_items.noteRest('fake', 'of another', { desired: RELEASED, digest: 'of another' })
    expect(found.of(2).applied).toBe(false)
  })

  it('nothing stands before the first release', async () => {
    const found = await observed({ released: null, there: null, applied: {} })
    expect(found.of(1)).toMatchObject({ applied: false, is_released: false })
  })

  it('what stands there though nothing asks for it is told, where the target knows', async () => {
    const asked: unknown[] = []
    const keeps = (...facts: unknown[]) => (asked.push(facts), ['c'])
    const found = await observed({ there: EDITED, target: { keeps } })
    expect(found.kept(7)).toEqual(['c'])
    expect(asked).toEqual([[RELEASED, EDITED, 7]])
    expect((await observed({ there: EDITED })).kept(7)).toEqual([])
    expect((await observed({ there: null, target: { keeps } })).kept(7)).toEqual([])
    expect((await observed({ released: null, target: { keeps } })).kept(7)).toEqual([])
  })
})

describe('what each side holds of domains', () => {
  const cuts: unknown[] = []
  const cut = (of: string) => (state: unknown, domains: readonly string[]) => {
    cuts.push(of)
    return `${of} ${domains.join()}: ${stringify(state)}`
  }
  const excerpt = { desired: cut('wanted'), observed: cut('seen') }
  const DOMAINS = ['a.example.com']
  const cutOf = (of: string, state: Items) => `${of} a.example.com: ${stringify(state)}`
  const excerptsOf = async (given: Scene) =>
    (await observed({ target: { excerpt }, ...given })).excerpts(DOMAINS)

  it('is cut out of each', async () => {
    expect(await excerptsOf({ working: { a: 'newer' }, there: EDITED })).toEqual({
      working: cutOf('wanted', { a: 'newer' }),
      released: cutOf('wanted', RELEASED),
      observed: cutOf('seen', EDITED),
    })
  })

  it('is cut out once where what is saved is what is released', async () => {
    cuts.length = 0
    const both = cutOf('wanted', RELEASED)
    expect(await excerptsOf({})).toMatchObject({ working: both, released: both })
    expect(cuts).toEqual(['wanted', 'seen'])
  })

  it('is none of a side that is not known, and none of what has no parts', async () => {
    expect(await excerptsOf({ there: null, released: null })).toEqual({
      working: cutOf('wanted', RELEASED),
      released: null,
      observed: null,
    })
    expect(await excerptsOf({ target: {} })).toBeNull()
  })
})
