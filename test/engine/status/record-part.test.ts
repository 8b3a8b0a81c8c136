/** What of a key concerns one record, whatever is under way for its neighbours. */
import { describe, expect, it } from 'vitest'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { type PartFacts, partOf } from '../../../src/engine/status/record-part.ts'
import type { GuardHit } from '../../../src/model/plan.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'
import { differencesOf, type Items, itemTarget, refusalOf, SLOW } from '../item-target.ts'

const WANTED: Items = { a: 'new', b: 'new', c: 'new' }
const MODE: ModeSetting = { scope: '*', mode: 'repair', reason: '', actor: '', expires_at: null }
const GUARD: GuardHit = { rule: 'contested', message: 'three times', confirmable: false }
const ATTEMPT = { failures: 4, next_attempt_at: 9_000, message: 'all of it failed' }

interface Scene extends Partial<PartFacts> {
  readonly there?: Items
  readonly obstacles?: PartFacts['evaluation']['obstacles']
  readonly unknown_because?: string | null
  /** Keys of items that were refused at 0. */
  readonly refused?: readonly string[]
}

/** The part of the record of item a. */
function part({ there = WANTED, obstacles = [], unknown_because = null, refused = [], ...over }: Scene) {
  const differences = differencesOf(WANTED, there)
  const items = new RefusedItems()
  const tried = differences.filter(({ key }) => refused.includes(key))
  items.note(itemTarget({}), new Map(tried.map((one) => [one, refusalOf(one.key)])), {
    untried: new Map(),
    now: 0,
    random: 0,
  })
  return partOf(1, {
    evaluation: { unknown_because, differences, obstacles },
    applied: true,
    guard: null,
    attempt: null,
    mode: MODE,
    rest_stands: false,
    tries: (asked) => items.tries('fake', asked),
    ...over,
  })
}

const RIGHT = { applied: true, guard: null, attempt: null, is_released: true }

describe('the part of a record', () => {
  it.each<[what: string, scene: Scene]>([
    ['of a key that is right', {}],
    ['beside neighbours that are not', { there: { ...WANTED, b: 'x' }, guard: GUARD, attempt: ATTEMPT }],
    ['of a release that was never seen as a whole', { there: { ...WANTED, b: 'x' }, applied: false }],
    ['beside what hinders its neighbours', { obstacles: [refusalOf('b')] }],
  ])('is right %s', (_what, scene) => {
    expect(part(scene)).toMatchObject({ ...RIGHT, reaction: { will: 'leave_alone' } })
  })

  it('is not right where it differs, and has what stands in the way of the key', () => {
    const there = { ...WANTED, a: 'x' }
    expect(part({ there, guard: GUARD, attempt: ATTEMPT, applied: false })).toMatchObject({
      applied: false,
      guard: GUARD,
      attempt: ATTEMPT,
      is_released: false,
      reaction: { will: 'refuse' },
    })
    expect(part({ there })).toMatchObject({ applied: true, guard: null, reaction: { will: 'repair' } })
  })

  it('is what belongs to the key as a whole, too', () => {
    const [one] = differencesOf({ b: 'new' }, {})
    const { domain_ids: _none, ...of_key } = one!
    const evaluation = { unknown_because: null, differences: [of_key], obstacles: [] }
    expect(part({ evaluation })).toMatchObject({ is_released: false, reaction: { will: 'repair' } })
    const obstacles = [refusalOf('b', { domain_ids: [] })]
    expect(part({ obstacles })).toMatchObject({ is_released: false, reaction: { will: 'refuse' } })
  })

  it('has only its own tries, before those of the key', () => {
    const there = { ...WANTED, a: 'x', b: 'x' }
    const own = part({ there, refused: ['a', 'b'], attempt: ATTEMPT })
    expect(own.attempt).toEqual({ failures: 1, next_attempt_at: 90_000, message: SLOW.message })
    expect(part({ there, refused: ['b'], attempt: ATTEMPT }).attempt).toEqual(ATTEMPT)
    expect(part({ there, refused: ['b'] }).attempt).toBeNull()
  })

  it('stands where all but refused items of a release does, unless it is one of those', () => {
    const there = { ...WANTED, a: 'x' }
    const scene = { there, applied: false, rest_stands: true }
    expect(part(scene).applied).toBe(true)
    expect(part({ ...scene, refused: ['a'] }).applied).toBe(false)
    expect(part({ ...scene, rest_stands: false }).applied).toBe(false)
  })

  it('is right and not released where something of its own is in the way', () => {
    expect(part({ obstacles: [refusalOf('a')] })).toMatchObject({
      ...RIGHT,
      is_released: false,
      reaction: { will: 'refuse' },
    })
  })

  it('is not known where the world could not be read', () => {
    expect(
      part({ unknown_because: 'no answer', guard: GUARD, attempt: ATTEMPT, applied: false }),
    ).toMatchObject({
      applied: false,
      guard: GUARD,
      attempt: ATTEMPT,
      is_released: false,
      reaction: { will: 'look_again' },
    })
  })

  it('is right where only a note of ours is behind', () => {
    const [note] = differencesOf({ a: 'new' }, {})
    const evaluation = {
      unknown_because: null,
      differences: [{ ...note!, is_note: true as const }],
      obstacles: [],
    }
    expect(part({ evaluation, applied: false })).toMatchObject(RIGHT)
  })

  it('is suspended with its key', () => {
    const mode = { ...MODE, mode: 'suspend' } as const
    expect(part({ there: { ...WANTED, a: 'x' }, mode }).reaction.will).toBe('stay_suspended')
  })
})
