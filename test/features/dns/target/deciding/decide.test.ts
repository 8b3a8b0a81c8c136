/** What is done about each set of a zone, or stands in its way, from plain states; and what excludes an address. */
import { describe, expect, it } from 'vitest'
import { conflictAt } from '../../../../../src/features/dns/target/deciding/conflict.ts'
import { decide } from '../../../../../src/features/dns/target/deciding/decide.ts'
import { markText } from '../../../../../src/features/dns/target/marks/marker.ts'
import { type ListedRrset, NO_DOMAIN } from '../../../../../src/model/network/dns.ts'
import { desiredOf, type RowWish } from '../rows.ts'
import { COMMENTS, INSTALLATION, markBeside, OTHER, row, set, six, textBeside, zone } from './states.ts'

const APP = 'app.example.com'
const LIVE: RowWish = { domain: APP }
const SAVED: RowWish = { domain: APP, live: false }
const RETIRED: RowWish = { domain: APP, retired: true }
const ONLY_SIX: RowWish = { domain: APP, static_ip: '2001:db8::1' }

/** `A app: delete, takes TXT` and what stands in the way. */
const decided = (wishes: readonly RowWish[], state: Parameters<typeof zone>[0]): readonly string[] =>
  decide(desiredOf(wishes), zone(state)).map(({ evaluated, planned, obstacle }) => {
    const { rank, changes, ledger } = planned?.payload ?? { changes: [] }
    const takes = changes.some(({ type, wanted }) => type === 'TXT' && wanted === null) ? ', takes TXT' : ''
    const kept = ledger?.after?.state ?? 'none'
    const done = planned === null ? 'stays' : `${rank}${takes}, then ${kept}`
    const name = evaluated.name.replace('.example.com', '')
    return `${evaluated.type} ${name}: ${done}${obstacle === null ? '' : `, ${obstacle.code}`}`
  })

const refusals = (wishes: readonly RowWish[], state: Parameters<typeof zone>[0]): readonly string[] =>
  decide(desiredOf(wishes), zone(state)).flatMap(({ obstacle }) =>
    obstacle === null ? [] : [obstacle.message],
  )

const THEIRS = set(APP, { values: ['198.51.100.9'] })
const MARK = markBeside(APP, 1)
const OTHERS_MARK = textBeside(APP, markText(OTHER, 3))
const ALIAS = set(APP, { type: 'CNAME', values: ['else.example.net'] })

describe('a live name', () => {
  it.each<[string, Parameters<typeof zone>[0], string]>([
    ['is made where nothing stands', {}, 'create, then owned'],
    ['stays as it is', { rrsets: [set(APP, { ttl: 3600 }), MARK], owned: [row(APP)] }, 'stays'],
    ['is put right', { rrsets: [set(APP, { ttl: 7200 }), MARK], owned: [row(APP)] }, 'update, then owned'],
    ['is a stranger’s', { rrsets: [THEIRS] }, 'stays, foreign_owner'],
    [
      'was replaced, and is not ours any more',
      { rrsets: [THEIRS], owned: [row(APP)] },
      'forget, then none, foreign_owner',
    ],
    [
      'was replaced where its comment was the mark',
      { ...COMMENTS, rrsets: [THEIRS], owned: [row(APP)] },
      'stays, foreign_owner',
    ],
    [
      'was sent, and somebody was first: our mark goes with our note',
      { rrsets: [THEIRS, MARK], owned: [row(APP, { state: 'sending' })] },
      'forget, takes TXT, then none, foreign_owner',
    ],
    [
      'is another installation’s by now',
      { rrsets: [THEIRS, OTHERS_MARK], owned: [row(APP)] },
      'stays, foreign_owner',
    ],
    ['is an orphan', { rrsets: [set(APP), MARK] }, 'stays, foreign_owner'],
    [
      'cannot be marked',
      { rrsets: [set(APP), textBeside(APP, 'a text')], owned: [row(APP)] },
      'stays, foreign_owner',
    ],
    ['is an alias of somebody', { rrsets: [ALIAS] }, 'stays, foreign_owner'],
    [
      'is an alias that was handed over',
      { rrsets: [ALIAS], owned: [row(APP, { state: 'adopted', values: ALIAS.values })] },
      'pair, then owned',
    ],
    [
      'is another alias than the one that was handed over',
      { rrsets: [ALIAS], owned: [row(APP, { state: 'adopted' })] },
      'stays, foreign_owner',
    ],
    [
      'is ours, and an alias stands in its place',
      { rrsets: [ALIAS, MARK], owned: [row(APP, { values: ALIAS.values })] },
      'stays, foreign_owner',
    ],
    [
      'was handed over and delegated since',
      { rrsets: [set(APP, { type: 'NS' })], owned: [row(APP, { state: 'adopted' })] },
      'stays, foreign_owner',
    ],
    [
      'was handed over',
      { rrsets: [THEIRS], owned: [row(APP, { state: 'adopted', values: THEIRS.values })] },
      'update, then owned',
    ],
    [
      'was handed over, and is another by now',
      { rrsets: [THEIRS], owned: [row(APP, { state: 'adopted', values: ['198.51.100.8'] })] },
      'forget, then none, foreign_owner',
    ],
    [
      'was handed over, and changed before it was noted',
      { rrsets: [set(APP)], owned: [row(APP, { state: 'adopted', values: THEIRS.values })] },
      'update, then owned',
    ],
    ['was handed over, and went', { owned: [row(APP, { state: 'adopted' })] }, 'create, then owned'],
    [
      'is given back, whatever stands there',
      { rrsets: [ALIAS], owned: [row(APP, { state: 'releasing' })] },
      'release, then none',
    ],
    ['is in a zone that is not ours to write', { read_only: 'a secondary' }, 'stays, provider_refused'],
    [
      'is right in a zone that is not ours to write',
      { rrsets: [set(APP, { ttl: 3600 }), MARK], owned: [row(APP)], read_only: 'a secondary' },
      'stays',
    ],
  ])('%s', (_, state, what) => {
    expect(decided([LIVE], state)).toEqual([`A app: ${what}`])
  })

  it('is decided once for each look', () => {
    const [desired, state] = [desiredOf([LIVE]), zone({})]
    expect(decide(desired, state)).toBe(decide(desired, state))
  })
})

describe('a name that is saved and not live', () => {
  const [applying, removing] = [row(APP, { state: 'applying' }), row(APP, { state: 'removing' })]
  it.each<[string, Parameters<typeof zone>[0], string]>([
    ['stays', { rrsets: [set(APP), MARK], owned: [row(APP)] }, 'stays'],
    ['is lost, and stays so', { owned: [row(APP)] }, 'stays'],
    [
      'is handed over, and stays so',
      { rrsets: [THEIRS], owned: [row(APP, { state: 'adopted', values: THEIRS.values })] },
      'stays',
    ],
    [
      'was handed over, and is another by now',
      { rrsets: [THEIRS], owned: [row(APP, { state: 'adopted' })] },
      'forget, then none',
    ],
    ['was replaced', { rrsets: [THEIRS], owned: [row(APP)] }, 'forget, then none'],
    ['was to change', { rrsets: [set(APP), MARK], owned: [applying] }, 'mark, then owned'],
    ['was to change, and lost its mark', { rrsets: [set(APP)], owned: [applying] }, 'mark, then owned'],
    ['was to change, and is gone', { owned: [applying] }, 'mark, then owned'],
    ['was to change, and is another’s', { rrsets: [set(APP), OTHERS_MARK], owned: [applying] }, 'stays'],
    ['was to go, and stands', { rrsets: [set(APP), MARK], owned: [removing] }, 'mark, then owned'],
    ['was to go, and went', { rrsets: [MARK], owned: [removing] }, 'forget, takes TXT, then none'],
  ])('%s', (_, state, what) => {
    expect(decided([SAVED], state)).toEqual([`A app: ${what}`])
  })
})

describe('the mark beside a name', () => {
  const both = [set(APP), six(APP), MARK]
  const rows = [row(APP), row(APP, { type: 'AAAA', values: ['2001:db8::1'] })]
  const next: RowWish = { ...ONLY_SIX, domain_id: 2 }

  it('goes with the last set of ours', () => {
    expect(decided([RETIRED], { rrsets: both, owned: rows })).toEqual([
      'A app: delete, then none',
      'AAAA app: delete, takes TXT, then none',
    ])
  })

  it('stays with a set that stays', () => {
    expect(decided([ONLY_SIX], { rrsets: [set(APP), six(APP, { ttl: 3600 }), MARK], owned: rows })).toEqual([
      'A app: delete, then none',
      'AAAA app: stays',
    ])
  })

  it('stays with one that will be made, and goes where none can be', () => {
    const delegated = set(APP, { type: 'NS' })
    expect(decided([ONLY_SIX], { rrsets: [set(APP), MARK], owned: [rows[0]!] })).toEqual([
      'A app: delete, then none',
      'AAAA app: create, then owned',
    ])
    expect(decided([ONLY_SIX], { rrsets: [set(APP), MARK, delegated], owned: [rows[0]!] })).toEqual([
      'A app: delete, takes TXT, then none',
      'AAAA app: stays, foreign_owner',
    ])
  })

  const ONLY_FOUR: RowWish = { domain: APP, static_ip: '192.0.2.1' }
  const later = (more: Parameters<typeof row>[1] = {}) =>
    row(APP, { type: 'AAAA', values: ['2001:db8::1'], ...more })
  const given_back = later({ state: 'releasing' })
  it.each<[string, RowWish, Parameters<typeof zone>[0], string, string]>([
    [
      'stays with a set before the one that goes',
      ONLY_FOUR,
      { rrsets: [set(APP, { ttl: 3600 }), six(APP), MARK], owned: rows },
      'stays',
      'delete, then none',
    ],
    [
      'stays with a set before the one that is given back',
      SAVED,
      { rrsets: both, owned: [row(APP), given_back] },
      'stays',
      'release, then none',
    ],
    [
      'stays with one that is lost',
      SAVED,
      { rrsets: [six(APP), MARK], owned: [row(APP), given_back] },
      'stays',
      'release, then none',
    ],
    [
      'stays with one that was asked to go and stands',
      SAVED,
      { rrsets: both, owned: [row(APP, { state: 'removing' }), given_back] },
      'mark, then owned',
      'release, then none',
    ],
    [
      'stays with one that went and is to be made anew',
      ONLY_FOUR,
      { rrsets: [six(APP), MARK], owned: [row(APP, { state: 'removing' }), later()] },
      'create, then owned',
      'delete, then none',
    ],
    [
      'stays with one that nothing accounts for',
      { domain: 'b.example.com', live: false },
      { rrsets: both, owned: [later({ domain_id: NO_DOMAIN })] },
      'stays, foreign_owner',
      'delete, then none',
    ],
    [
      'goes after one that went',
      SAVED,
      { rrsets: [six(APP), MARK], owned: [row(APP, { state: 'removing' }), given_back] },
      'forget, then none',
      'release, takes TXT, then none',
    ],
    [
      'goes with the last that is given back',
      SAVED,
      { rrsets: both, owned: [row(APP, { state: 'releasing' }), given_back] },
      'release, then none',
      'release, takes TXT, then none',
    ],
  ])('%s', (_, wish, state, a, aaaa) => {
    expect(decided([wish], state)).toEqual([`A app: ${a}`, `AAAA app: ${aaaa}`])
  })

  it('does not stay for a stranger’s set', () => {
    expect(decided([RETIRED, next], { rrsets: both, owned: [rows[0]!] })).toEqual([
      'A app: delete, takes TXT, then none',
      'AAAA app: stays, foreign_owner',
    ])
  })
})

describe('the old set of a renamed record', () => {
  const OLD = 'old.example.com'
  const before = { rrsets: [set(OLD), markBeside(OLD, 1)], owned: [row(OLD)] }

  it('goes when the new one can stand, whatever else is at the new name', () => {
    expect(decided([LIVE], before)).toEqual([
      'A app: create, then owned',
      'A old: delete, takes TXT, then none',
    ])
    expect(decided([LIVE], { ...before, rrsets: [...before.rrsets, six(APP)] })).toEqual([
      'A app: create, then owned',
      'AAAA app: stays, foreign_owner',
      'A old: delete, takes TXT, then none',
    ])
  })

  it('waits where somebody else has the new name', () => {
    expect(decided([LIVE], { ...before, rrsets: [...before.rrsets, THEIRS] })).toEqual([
      'A app: stays, foreign_owner',
      'A old: stays',
    ])
  })
})

describe('what stands in the way is told', () => {
  const shared = (text: string): ListedRrset => ({ ...MARK, values: [...MARK.values, text] })

  it.each<[RowWish, Parameters<typeof zone>[0], RegExp]>([
    [LIVE, { rrsets: [THEIRS] }, /^A app.example.com \(198.51.100.9 ttl 300\) was not made by Plumbline/],
    [
      LIVE,
      { rrsets: [THEIRS], owned: [row(APP)] },
      /^A app.example.com was replaced by somebody \(198.51.100.9 ttl 300\)/,
    ],
    [LIVE, { rrsets: [set(APP), OTHERS_MARK] }, new RegExp(`^A app.example.com belongs to .*${OTHER}`)],
    [
      RETIRED,
      { rrsets: [set(APP), MARK] },
      /^A app.example.com \(192.0.2.1 ttl 300\) bears the mark of this/,
    ],
    [
      RETIRED,
      { rrsets: [THEIRS, shared('a text')], owned: [row(APP)] },
      /^A app.example.com .* bears our mark, and a text of somebody else .* TXT _plumbline\.app\.example\.com\)/,
    ],
    [SAVED, { rrsets: [THEIRS, shared('a text')] }, /^A app.example.com .* bears our mark, and a text/],
    [
      LIVE,
      { rrsets: [set(APP, { ttl: 3600 }), MARK, six(APP)], owned: [row(APP)] },
      /^AAAA app.example.com .* was not made by Plumbline and stands beside ours/,
    ],
    [
      RETIRED,
      { rrsets: [THEIRS, shared(markText(OTHER, 3))], owned: [row(APP)] },
      new RegExp(`and the mark of another installation of Plumbline \\(${OTHER}\\)`),
    ],
    [
      LIVE,
      {
        rrsets: [set(APP, { comment: markText(INSTALLATION, 1) }), six(APP, { comment: markText(OTHER, 3) })],
        owned: [row(APP)],
        ...COMMENTS,
      },
      new RegExp(`^AAAA app.example.com .* belongs to another installation of Plumbline \\(${OTHER}\\)`),
    ],
  ])('%#', (wish, state, message) => {
    expect(refusals([wish], state)).toEqual([expect.stringMatching(message)])
  })
})

describe('an address', () => {
  const at = (name: string, type: string) => ({
    zone: 'example.com',
    rrsets: [set(name, { type, values: ['x'] })],
  })
  it.each<[string, string, string | null]>([
    ['a.b.example.com', 'CNAME', 'it is a CNAME to x'],
    ['a.b.example.com', 'NS', 'a.b.example.com is delegated'],
    ['b.example.com', 'NS', 'b.example.com is delegated'],
    ['example.com', 'NS', null],
    ['com', 'NS', null],
    ['a.b.example.com', 'DNAME', null],
    ['b.example.com', 'DNAME', 'everything below b.example.com is redirected'],
    ['example.com', 'DNAME', 'everything below example.com is redirected'],
    ['com', 'DNAME', null],
  ])('beside or below %s %s', (name, type, detail) => {
    const found = conflictAt(at(name, type), 'a.b.example.com')
    expect(found?.detail.startsWith(detail ?? '') ?? null).toBe(detail === null ? null : true)
    expect(found?.alias?.values ?? null).toEqual(type === 'CNAME' ? ['x'] : null)
  })

  it('of the zone itself may stand beside its name servers', () => {
    expect(conflictAt(at('example.com', 'NS'), 'example.com')).toBeNull()
  })
})
