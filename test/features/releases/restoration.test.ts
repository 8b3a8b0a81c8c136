/** What a restore does to each record, decided from two editions alone. */
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../src/model/intent.ts'
import { type Restoration, restorationOf } from '../../../src/features/releases/restore/restoration.ts'
import { edition, off, PLAIN_SSH, row } from './rows.ts'

interface Told {
  readonly restore?: readonly (readonly [id: number, name: string])[]
  readonly deactivate?: readonly number[]
  readonly create?: readonly number[]
  readonly skipped?: readonly number[]
  /** Who wants, who holds. */
  readonly conflicts?: readonly (readonly [number, number])[]
}

const told = (found: Restoration): Required<Told> => ({
  restore: found.restore.map(({ present, fields }) => [present.domain_id, fields.domain.split('.')[0]!]),
  deactivate: found.deactivate.map(({ domain_id }) => domain_id),
  create: found.create.map(({ domain_id }) => domain_id),
  skipped: found.skipped.map(({ domain_id }) => domain_id),
  conflicts: found.conflicts.map(({ domain_id, held_by }) => [domain_id, held_by]),
})

interface Case {
  readonly title: string
  readonly past: Intent
  readonly now: Intent
  readonly disabled?: readonly number[]
  readonly stand_ins?: readonly (readonly [number, number])[]
  readonly only?: readonly number[]
  readonly expected: Told
}

const CASES: readonly Case[] = [
  {
    title: 'the same edition asks for nothing',
    past: edition(row(1, 'a'), off(row(2, 'b'))),
    now: edition(row(1, 'a'), off(row(2, 'b')), off(row(3, 'c'))),
    expected: {},
  },
  {
    title: 'an edited record gets its fields back',
    past: edition(row(1, 'a')),
    now: edition(row(1, 'a', { backend_port: 9 })),
    expected: { restore: [[1, 'a']] },
  },
  {
    title: 'a renamed record gets its name back',
    past: edition(row(1, 'a')),
    now: edition(row(1, 'z')),
    expected: { restore: [[1, 'a']] },
  },
  {
    title: 'an inactive record comes back on line',
    past: edition(row(1, 'a')),
    now: edition(off(row(1, 'a'))),
    expected: { restore: [[1, 'a']] },
  },
  {
    title: 'a deleted record is created anew',
    past: edition(row(1, 'a')),
    now: edition(),
    expected: { create: [1] },
  },
  {
    title: 'a record that came later goes off line',
    past: edition(),
    now: edition(row(1, 'a')),
    expected: { deactivate: [1] },
  },
  {
    title: 'a record that was off line goes off line, whatever its fields were when it left',
    past: edition(off(row(1, 'a')), row(2, 'b')),
    now: edition(row(1, 'z'), row(2, 'b')),
    expected: { deactivate: [1] },
  },
  {
    title: 'a record that was off line and was deleted is not brought back',
    past: edition(off(row(1, 'a'))),
    now: edition(),
    expected: {},
  },
  {
    title: 'a disabled record is skipped, and told only where it was live',
    past: edition(row(1, 'a'), off(row(2, 'b'))),
    now: edition(off(row(1, 'a')), off(row(2, 'b'))),
    disabled: [1, 2],
    expected: { skipped: [1] },
  },
  {
    title: 'two records that swapped their names swap them back',
    past: edition(row(1, 'a'), row(2, 'b')),
    now: edition(row(1, 'b'), row(2, 'a')),
    expected: {
      restore: [
        [2, 'b'],
        [1, 'a'],
      ],
    },
  },
  {
    title: 'a record of today that stands in for a deleted one is that one',
    past: edition(row(1, 'a')),
    now: edition(row(9, 'a', { backend_port: 9 })),
    stand_ins: [[1, 9]],
    expected: { restore: [[9, 'a']] },
  },
  {
    title: 'a stand-in that is in place asks for nothing',
    past: edition(row(1, 'a')),
    now: edition(row(9, 'a')),
    stand_ins: [[1, 9]],
    expected: {},
  },
  {
    title: 'the name of a deleted record is held by a new one',
    past: edition(row(1, 'a')),
    now: edition(row(9, 'a')),
    expected: { create: [1], deactivate: [9], conflicts: [[1, 9]] },
  },
  {
    title: 'the old name of a renamed record is held by a disabled one',
    past: edition(row(1, 'a')),
    now: edition(row(1, 'z'), off(row(2, 'a'))),
    disabled: [2],
    expected: { restore: [[1, 'a']], conflicts: [[1, 2]] },
  },
  {
    title: 'an entrypoint is held by a record that came later and keeps it off line',
    past: edition(row(1, 'a', PLAIN_SSH)),
    now: edition(row(1, 'a'), row(2, 'b', PLAIN_SSH)),
    expected: { restore: [[1, 'a']], deactivate: [2], conflicts: [[1, 2]] },
  },
  {
    title: 'a disabled record holds no entrypoint',
    past: edition(row(1, 'a', PLAIN_SSH)),
    now: edition(row(1, 'a'), off(row(2, 'b', PLAIN_SSH))),
    disabled: [2],
    expected: { restore: [[1, 'a']] },
  },
  {
    title: 'a chosen record is in the way of the deleted one that had its name',
    past: edition(row(1, 'a'), row(2, 'b')),
    now: edition(row(2, 'b'), row(3, 'a')),
    only: [3],
    expected: { deactivate: [3], create: [1], conflicts: [[1, 3]] },
  },
  {
    title: 'a chosen record is in the way of it off line, too',
    past: edition(row(1, 'a')),
    now: edition(off(row(3, 'a'))),
    only: [3],
    expected: { create: [1], conflicts: [[1, 3]] },
  },
  {
    title: 'a chosen record that had another name then leaves a deleted one alone',
    past: edition(row(1, 'a'), row(2, 'b')),
    now: edition(row(2, 'a')),
    only: [2],
    expected: { restore: [[2, 'b']] },
  },
  {
    title: 'an entrypoint that went to another record of the edition goes back',
    past: edition(row(1, 'a', PLAIN_SSH), row(2, 'b')),
    now: edition(row(1, 'a'), row(2, 'b', PLAIN_SSH)),
    expected: {
      restore: [
        [1, 'a'],
        [2, 'b'],
      ],
    },
  },
]

describe('a restoration', () => {
  it.each(CASES)('$title', ({ past, now, disabled = [], stand_ins = [], only, expected }) => {
    const found = restorationOf({
      edition: past,
      working: now,
      disabled: new Set(disabled),
      stand_ins: new Map(stand_ins),
      only: only === undefined ? null : new Set(only),
    })
    expect(told(found)).toEqual({
      restore: [],
      deactivate: [],
      create: [],
      skipped: [],
      conflicts: [],
      ...expected,
    })
  })
})
