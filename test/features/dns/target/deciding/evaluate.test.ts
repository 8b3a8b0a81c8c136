/** What is true of each set of a zone, from plain states: the order, whose row counts, and what a mark says of a set. */
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../../../src/features/dns/target/deciding/evaluate.ts'
import { markName, markText } from '../../../../../src/features/dns/target/marks/marker.ts'
import type { ZoneState } from '../../../../../src/features/dns/target/zones/zone-state.ts'
import { desiredOf } from '../rows.ts'
import { COMMENTS, INSTALLATION, markBeside, OTHER, row, set, textBeside, zone } from './states.ts'

const comment = (domain_id: number) => ({ comment: markText(INSTALLATION, domain_id) })

const evaluated = (names: readonly string[], state: Partial<ZoneState>) =>
  evaluate(desiredOf(names.map((domain) => ({ domain }))), zone(state)).map(({ name, type, ownership }) => [
    `${type} ${name}`,
    ownership,
  ])

describe('the evaluation of a set', () => {
  it('comes in the order of the names, wherever it is from', () => {
    const rrsets = [set('b.example.com', comment(9)), set('d.example.com', comment(8))]
    const row_only = row('c.example.com', { domain_id: 7 })
    expect(evaluated(['e.example.com', 'a.example.com'], { ...COMMENTS, rrsets, owned: [row_only] })).toEqual(
      [
        ['A a.example.com', 'absent'],
        ['A b.example.com', 'orphan'],
        ['A c.example.com', 'lost'],
        ['A d.example.com', 'orphan'],
        ['A e.example.com', 'absent'],
      ],
    )
    expect(evaluated(['e.example.com', 'a.example.com'], { owned: [row_only] })).toEqual([
      ['A a.example.com', 'absent'],
      ['A c.example.com', 'lost'],
      ['A e.example.com', 'absent'],
    ])
  })
})

it('what strangers have at other names is nothing to it', () => {
  expect(evaluated(['a.example.com'], { rrsets: [set('b.example.com')] })).toEqual([
    ['A a.example.com', 'absent'],
  ])
})

describe('a row of the ledger', () => {
  it('that was adopted for one record makes the set a stranger’s to another', () => {
    const rrsets = [set('app.example.com')]
    const adopted = (domain_id: number) => [row('app.example.com', { state: 'adopted', domain_id })]
    expect(evaluated(['app.example.com'], { rrsets, owned: adopted(1) })).toEqual([
      ['A app.example.com', 'adopted'],
    ])
    expect(evaluated(['app.example.com'], { rrsets, owned: adopted(5) })).toEqual([
      ['A app.example.com', 'foreign'],
    ])
  })

  it('that was adopted for what is saved alone stays adopted', () => {
    const adopted = [row('app.example.com', { state: 'adopted' })]
    expect(evaluated([], { rrsets: [set('app.example.com')], owned: adopted })).toEqual([
      ['A app.example.com', 'adopted'],
    ])
  })

  it('is asked why it may go, and a wanted set what is in its way', () => {
    const rows = ['app', 'old'].map((name) => row(`${name}.example.com`, { domain_id: 2 }))
    const rrsets = rows.map(({ name }) => set(name, { type: 'CNAME', values: ['else.example.net'] }))
    const desired = desiredOf([{ domain: 'app.example.com' }, { domain: 'old.example.com', retired: true }])
    const found = evaluate(desired, zone({ rrsets, owned: rows }))
    expect(
      found.map(({ name, removable_because, conflict }) => [
        name,
        removable_because,
        conflict?.alias?.type ?? null,
      ]),
    ).toEqual([
      ['app.example.com', null, 'CNAME'],
      ['old.example.com', 'retired', null],
    ])
  })
})

describe('a mark beside a name', () => {
  const rrsets = [set('app.example.com'), markBeside('app.example.com', 1)]

  it('makes a set of it an orphan where the ledger knows nothing of the name', () => {
    expect(evaluated(['app.example.com'], { rrsets })).toEqual([['A app.example.com', 'orphan']])
  })

  it('says nothing of a set where another one of the name accounts for it', () => {
    const six = row('app.example.com', { type: 'AAAA', values: ['2001:db8::1'] })
    expect(evaluated(['app.example.com'], { rrsets, owned: [six] })).toContainEqual([
      'A app.example.com',
      'foreign',
    ])
  })

  it('of another installation says that of every set of the name', () => {
    const theirs = [set('app.example.com'), textBeside('app.example.com', markText(OTHER, 3))]
    const six_row = row('app.example.com', { type: 'AAAA', values: ['2001:db8::1'] })
    expect(evaluated(['app.example.com'], { rrsets: theirs, owned: [six_row] })).toContainEqual([
      'A app.example.com',
      'other_installation',
    ])
  })

  it('is not looked for where comments are marks', () => {
    const ours = row('app.example.com')
    expect(evaluated(['app.example.com'], { ...COMMENTS, rrsets, owned: [ours] })).toEqual([
      ['A app.example.com', 'unmarked'],
    ])
  })
})

describe('a name that is too long for a mark', () => {
  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(40)}.example.com`

  it('is ours by the ledger alone', () => {
    expect(markName(long)).toBeNull()
    const state = { rrsets: [set(long)], owned: [row(long)] }
    expect(evaluated([long], state)).toEqual([[`A ${long}`, 'owned']])
    expect(evaluated([long], { rrsets: [set(long)] })).toEqual([[`A ${long}`, 'foreign']])
  })

  it('that could bear one and does not is told apart', () => {
    const state = { rrsets: [set('app.example.com')], owned: [row('app.example.com')] }
    expect(evaluated(['app.example.com'], state)).toEqual([['A app.example.com', 'unmarked']])
  })
})
