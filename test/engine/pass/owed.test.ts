/** What is owed to whoever released or asked, apart from what somebody else changed. */
import { describe, expect, it } from 'vitest'
import { owedOf } from '../../../src/engine/pass/owed.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import type { Whose } from '../../../src/model/whose.ts'
import type { Applied } from '../../../src/ports/store.ts'
import { differencesOf, type Items, itemTarget, refusalOf } from '../item-target.ts'

const BEFORE: Items = { a: 'old', b: 'old', c: 'old' }
/** The release moves a alone. */
const RELEASED: Items = { ...BEFORE, a: 'new' }
/** Somebody changed b. */
const THERE: Items = { ...BEFORE, b: 'theirs' }
const bytesOf = (items: Items) => [Buffer.from(JSON.stringify(items))]

interface Scene {
  readonly there?: Items
  readonly asked_for?: Whose
  /** Which state was applied last; null: none. */
  readonly applied?: Items | null
  /** Whether the store still has it. */
  readonly is_kept?: boolean
  readonly refused_items?: RefusedItems
  readonly target?: Partial<AnyTarget>
}

async function owed(scene: Scene): Promise<readonly string[]> {
  const { there = THERE, asked_for = null, applied = BEFORE, is_kept = true } = scene
  const digest = JSON.stringify(applied)
  const frozen = is_kept && applied !== null ? { digest, chunks: bytesOf(applied) } : null
  const parts = {
    refused_items: scene.refused_items ?? new RefusedItems(),
    store: { artifactAt: async () => frozen },
  }
  const last: Applied = { key: 'fake', release: 1, place: 'memory', digest, observed: '', at: 1 }
  const keys = await owedOf(itemTarget(scene.target ?? {}), parts, {
    applied: applied === null ? null : last,
    released: { desired: RELEASED, digest: JSON.stringify(RELEASED) },
    state: there,
    differences: differencesOf(RELEASED, there),
    asked_for,
  })
  return [...keys]
}

const remembering = (remember: (items: RefusedItems) => void): RefusedItems => {
  const items = new RefusedItems()
  remember(items)
  return items
}
const refusedAs = (there: Items, key: string, is_owed: boolean) =>
  remembering((items) => {
    const refused = new Map([
      [differencesOf(RELEASED, there).find((one) => one.key === key)!, refusalOf(key)],
    ])
    const owed_keys = new Set(is_owed ? [key] : [])
    items.note(itemTarget({}), refused, { untried: new Map(), now: 0, random: 0, owed: owed_keys })
  })

describe('owed is', () => {
  it.each<[what: string, scene: Scene, keys: readonly string[]]>([
    ['what the release moved, and not what somebody changed', {}, ['a']],
    [
      'what the release moved and somebody changed, too',
      { there: { ...BEFORE, a: 'theirs', b: 'theirs' } },
      ['a'],
    ],
    ['nothing once the release was applied', { applied: RELEASED }, []],
    ['once it was applied what a caller asks for', { applied: RELEASED, asked_for: [2] }, ['b']],
    ['everything that is open, to a caller who asks for all', { asked_for: 'all' }, ['a', 'b']],
    ['what the release moved beside what a caller asks for', { asked_for: [2] }, ['a', 'b']],
    ['nothing more to a caller who asks for another', { asked_for: [3] }, ['a']],
    ['everything where nothing was applied', { applied: null }, ['a', 'b']],
    ['everything where nobody knows what was applied', { is_kept: false }, ['a', 'b']],
    ['everything that is written as a whole', { target: { whole: true } }, ['a', 'b']],
    ['nothing that is written as a whole, once applied', { target: { whole: true }, applied: RELEASED }, []],
    ['what was promised and refused before', { refused_items: refusedAs(THERE, 'b', true) }, ['a', 'b']],
    ['not what was refused before without a promise', { refused_items: refusedAs(THERE, 'b', false) }, ['a']],
    [
      'what moved since all but the refused of a release stood',
      {
        refused_items: remembering((items) =>
          items.noteRest('fake', 'p', { desired: { ...BEFORE, c: 'new' }, digest: 'later' }),
        ),
        there: { ...BEFORE, c: 'new' },
      },
      ['a', 'c'],
    ],
  ])('%s', async (_what, scene, keys) => {
    expect(await owed(scene)).toEqual(keys)
  })

  it('told by the key’s own portion of the release', async () => {
    const portion = (desired: unknown) => JSON.stringify((desired as Items)['b'])
    const applied = { key: 'fake', release: 1, place: '', digest: '"old"', observed: '', at: 1 }
    const keys = await owedOf(
      itemTarget({ portion }),
      { refused_items: new RefusedItems(), store: { artifactAt: async () => null } },
      {
        applied,
        released: { desired: RELEASED, digest: 'd' },
        state: THERE,
        differences: differencesOf(RELEASED, THERE),
        asked_for: null,
      },
    )
    expect([...keys]).toEqual([])
  })
})
