/** Whose a set is, for every row, mark and value that can come together. */
import { describe, expect, it } from 'vitest'
import {
  ownershipOf,
  type Ownership,
  type MarkState,
  type RowState,
  type ValueState,
} from '../../../../../src/features/dns/target/deciding/ownership.ts'

const VALUES: readonly ValueState[] = ['absent', 'as_sent', 'differs']

// Columns: the value is absent, as sent, differs.
const TABLE: readonly [RowState, MarkState, Ownership, Ownership | null, Ownership][] = [
  ['none', 'none', 'absent', null, 'foreign'],
  ['none', 'ours', 'absent', null, 'orphan'],
  ['none', 'beside', 'absent', null, 'orphan'],
  ['none', 'other', 'other_installation', null, 'other_installation'],
  ['none', 'blocked', 'blocked', null, 'foreign'],
  ['owned', 'none', 'lost', 'unmarked', 'foreign'],
  ['owned', 'ours', 'lost', 'owned', 'owned'],
  ['owned', 'beside', 'lost', 'owned', 'owned'],
  ['owned', 'other', 'other_installation', 'other_installation', 'other_installation'],
  ['owned', 'blocked', 'blocked', 'blocked', 'blocked'],
  ['applying', 'none', 'applying', 'unmarked', 'foreign'],
  ['applying', 'ours', 'applying', 'applying', 'applying'],
  ['applying', 'beside', 'applying', 'applying', 'applying'],
  ['applying', 'other', 'other_installation', 'other_installation', 'other_installation'],
  ['applying', 'blocked', 'blocked', 'blocked', 'blocked'],
  ['removing', 'none', 'removing', 'unmarked', 'foreign'],
  ['removing', 'ours', 'removing', 'removing', 'removing'],
  ['removing', 'beside', 'removing', 'removing', 'removing'],
  ['removing', 'other', 'other_installation', 'other_installation', 'other_installation'],
  ['removing', 'blocked', 'blocked', 'blocked', 'blocked'],
  ['sending', 'none', 'sending', 'unmarked', 'foreign'],
  ['sending', 'ours', 'sending', 'sending', 'sending'],
  ['sending', 'beside', 'sending', 'sending', 'foreign'],
  ['sending', 'other', 'other_installation', 'other_installation', 'other_installation'],
  ['sending', 'blocked', 'blocked', 'blocked', 'blocked'],
  ['adopted', 'none', 'adopted', 'adopted', 'foreign'],
  ['adopted', 'ours', 'adopted', 'adopted', 'adopted'],
  ['adopted', 'beside', 'adopted', 'adopted', 'foreign'],
  ['adopted', 'other', 'other_installation', 'other_installation', 'other_installation'],
  ['adopted', 'blocked', 'blocked', 'blocked', 'blocked'],
  ['releasing', 'none', 'releasing', 'releasing', 'releasing'],
  ['releasing', 'ours', 'releasing', 'releasing', 'releasing'],
  ['releasing', 'beside', 'releasing', 'releasing', 'releasing'],
  ['releasing', 'other', 'releasing', 'releasing', 'releasing'],
  ['releasing', 'blocked', 'releasing', 'releasing', 'releasing'],
]

describe('a set', () => {
  it.each(TABLE)('with row %s and mark %s', (row, mark, ...ownerships) => {
    VALUES.forEach((value, i) => {
      if (ownerships[i] !== null)
        expect([value, ownershipOf(row, mark, value)]).toEqual([value, ownerships[i]])
    })
  })
})
