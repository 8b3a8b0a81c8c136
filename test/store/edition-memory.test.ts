/** Patching an edition gives what sorting everything afresh would give. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EditionMemory } from '../../src/store/memory/editions.ts'
import type { IntentRow } from '../../src/model/intent.ts'
import { named } from '../contract/store/samples.ts'

const row = (domain_id: number, name: string, revision = 1): IntentRow => ({
  domain_id,
  revision,
  live: true,
  retired: false,
  fields: named(name),
})

const shape = (memory: EditionMemory) =>
  memory
    .committed()
    .rows.map(({ domain_id, revision, fields }) => `${fields.domain}#${domain_id}@${revision}`)

function after(changes: readonly [number, IntentRow | null][]): EditionMemory {
  const memory = new EditionMemory([row(1, 'b'), row(2, 'd'), row(3, 'f')])
  for (const [id, change] of changes) memory.stage(id, change)
  memory.publish()
  return memory
}

test.each<[string, [number, IntentRow | null][], string[]]>([
  ['nothing', [], ['b#1@1', 'd#2@1', 'f#3@1']],
  ['a row changed in place', [[2, row(2, 'd', 2)]], ['b#1@1', 'd#2@2', 'f#3@1']],
  ['a row renamed forward', [[1, row(1, 'e')]], ['d#2@1', 'e#1@1', 'f#3@1']],
  ['a row renamed backward', [[3, row(3, 'a')]], ['a#3@1', 'b#1@1', 'd#2@1']],
  [
    'two rows that swap',
    [
      [1, row(1, 'd')],
      [2, row(2, 'b')],
    ],
    ['b#2@1', 'd#1@1', 'f#3@1'],
  ],
  [
    'new rows at both ends',
    [
      [4, row(4, 'a')],
      [5, row(5, 'z')],
    ],
    ['a#4@1', 'b#1@1', 'd#2@1', 'f#3@1', 'z#5@1'],
  ],
  [
    'two new rows at one place',
    [
      [5, row(5, 'c2')],
      [4, row(4, 'c1')],
    ],
    ['b#1@1', 'c1#4@1', 'c2#5@1', 'd#2@1', 'f#3@1'],
  ],
  ['a namesake', [[4, row(4, 'd')]], ['b#1@1', 'd#2@1', 'd#4@1', 'f#3@1']],
  ['a row gone', [[2, null]], ['b#1@1', 'f#3@1']],
  ['a row gone that was not there', [[9, null]], ['b#1@1', 'd#2@1', 'f#3@1']],
  [
    'all gone',
    [
      [1, null],
      [2, null],
      [3, null],
    ],
    [],
  ],
  [
    'gone and come again',
    [
      [2, null],
      [2, row(2, 'x')],
    ],
    ['b#1@1', 'f#3@1', 'x#2@1'],
  ],
])('%s', (_, changes, wanted) => {
  expect(shape(after(changes))).toEqual(wanted)
})

test('a transaction that is discarded leaves the very same answer', () => {
  const memory = new EditionMemory([row(1, 'b')])
  const before = memory.committed()
  memory.stage(1, null)
  memory.stage(2, row(2, 'a'))
  expect(memory.staged().rows.map((r) => r.fields.domain)).toEqual(['a'])
  expect(memory.committed()).toBe(before)
  memory.discard()
  expect(memory.staged()).toBe(before)
  memory.publish()
  expect(memory.committed()).toBe(before)
})

const change = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
})
const action = fc.oneof(
  { weight: 4, arbitrary: change.map(({ id, name }) => ({ kind: 'put' as const, id, name })) },
  { weight: 2, arbitrary: change.map(({ id }) => ({ kind: 'drop' as const, id })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'commit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'roll back' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'look' as const }) },
)

test('any sequence of changes, commits and rollbacks ends as a plain map says', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const memory = new EditionMemory([])
      let committed = new Map<number, IntentRow>()
      let open = new Map(committed)
      for (const [i, step] of actions.entries()) {
        if (step.kind === 'put') open.set(step.id, row(step.id, step.name, i))
        if (step.kind === 'put') memory.stage(step.id, open.get(step.id)!)
        if (step.kind === 'drop') open.delete(step.id)
        if (step.kind === 'drop') memory.stage(step.id, null)
        if (step.kind === 'commit') [committed] = [new Map(open), memory.publish()]
        if (step.kind === 'roll back') [open] = [new Map(committed), memory.discard()]
        if (step.kind === 'look') expect(memory.staged().rows).toEqual(sorted(open))
        expect(memory.committed().rows).toEqual(sorted(committed))
      }
    }),
    { numRuns: 500 },
  )
})

const sorted = (rows: ReadonlyMap<number, IntentRow>): IntentRow[] =>
  [...rows.values()].sort((a, b) =>
    a.fields.domain === b.fields.domain
      ? a.domain_id - b.domain_id
      : a.fields.domain < b.fields.domain
        ? -1
        : 1,
  )
