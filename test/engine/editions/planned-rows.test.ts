/** The rows of a plan, and whether a change is the one that was planned. */
import { describe, expect, it } from 'vitest'
import { isAsPlanned, plannedRows, valuesOf } from '../../../src/engine/editions/planned-rows.ts'
import { digestOf } from '../../../src/kernel/digest.ts'
import type { GuardHit, Plan } from '../../../src/model/plan.ts'
import type { ModeSetting } from '../../../src/ports/store.ts'
import { anIntent, aRow, type RowWish, someFields } from '../../fixtures.ts'

const A = { domain_id: 1, domain: 'a.example.com' }
const EDITED = { ...A, revision: 2, backend_port: 9 }
const rowsOf = (...rows: readonly (RowWish | number)[]) =>
  rows.map((row) =>
    typeof row === 'number' ? { domain_id: row, row: null } : { domain_id: row.domain_id!, row: aRow(row) },
  )
const PORT = { backend_port: { before: 8080, after: 9 } }

describe('a planned row', () => {
  it.each<[what: string, released: readonly RowWish[], row: RowWish | number, planned: object | null]>([
    ['adds what was not there', [], A, { change: 'add', domain: A.domain, revision: 1 }],
    ['adds what was not live', [{ ...A, live: false }], A, { change: 'add', domain: A.domain, revision: 1 }],
    [
      'updates what was, with what is other',
      [A],
      EDITED,
      { change: 'update', domain: A.domain, revision: 2, fields: PORT },
    ],
    ['is none where nothing is other', [A], A, null],
    ['removes what goes, by its name', [A], 1, { change: 'remove', domain: A.domain, revision: null }],
    [
      'removes what is live no more',
      [A],
      { ...A, revision: 2, live: false },
      { change: 'remove', domain: A.domain, revision: 2 },
    ],
    [
      'updates what gets another name, and says which it had',
      [A],
      { ...A, revision: 2, domain: 'new.example.com' },
      {
        change: 'update',
        domain: 'new.example.com',
        revision: 2,
        renamed_from: A.domain,
        fields: { domain: { before: A.domain, after: 'new.example.com' } },
      },
    ],
    [
      'says of no name that was not served that it was had',
      [{ ...A, live: false }],
      { ...A, revision: 2, domain: 'new.example.com' },
      { change: 'add', domain: 'new.example.com', revision: 2 },
    ],
    [
      'removes what goes, by the name that was served',
      [A],
      { ...A, revision: 2, live: false, domain: 'new.example.com' },
      { change: 'remove', domain: 'new.example.com', revision: 2, renamed_from: A.domain },
    ],
  ])('%s', (_what, released, row, planned) => {
    expect(plannedRows(rowsOf(row), anIntent(...released))).toEqual(
      planned === null ? [] : [{ domain_id: 1, ...planned }],
    )
  })
})

const RELEASED = anIntent(A)
const RELEASE = rowsOf(EDITED)
const GUARD: GuardHit = { rule: 'bulk_removal', message: '6 of 12 would go.', confirmable: true }
const [SAVED, OTHER] = [someFields({ note: 'as planned' }), someFields({ note: 'another' })]
const ALL = { release: RELEASE, saves: [SAVED] }
const OBSERVE: ModeSetting = { scope: '*', mode: 'observe', reason: '', actor: 'key', expires_at: null }
const valuesAre = (a: Parameters<typeof valuesOf>[0], b: Parameters<typeof valuesOf>[0]) =>
  valuesOf(a) === valuesOf(b)

describe('the values of a change', () => {
  it.each<[what: string, other: Parameters<typeof valuesOf>[0], is_same: boolean]>([
    ['the same', { release: rowsOf(EDITED), saves: [SAVED] }, true],
    ['another revision of the same', { release: rowsOf({ ...EDITED, revision: 7 }), saves: [SAVED] }, true],
    ['another note', { release: rowsOf({ ...EDITED, note: 'x' }), saves: [SAVED] }, false],
    ['one that is not live', { release: rowsOf({ ...EDITED, live: false }), saves: [SAVED] }, false],
    ['one that goes', { release: rowsOf(1), saves: [SAVED] }, false],
    ['nothing released', { release: null, saves: [SAVED] }, false],
    ['another one saved', { release: RELEASE, saves: [OTHER] }, false],
    ['nothing saved', { release: RELEASE }, false],
    ['one that is disabled by it', { ...ALL, becomes: [{ domain: A.domain, status: 'disabled' }] }, false],
    ['a deed elsewhere', { ...ALL, does: { action: 'revoke_key' } }, false],
    ['a mode that is set', { ...ALL, mode: OBSERVE }, false],
  ])('beside %s are told apart: %o', (_what, other, is_same) => {
    expect(valuesAre({ release: RELEASE, saves: [SAVED] }, other)).toBe(is_same)
  })

  it.each<[what: string, other: ModeSetting, is_same: boolean]>([
    ['by somebody else', { ...OBSERVE, actor: 'key other' }, true],
    ['of one component', { ...OBSERVE, scope: 'dns' }, false],
    ['of another kind', { ...OBSERVE, mode: 'suspend' }, false],
    ['for another reason', { ...OBSERVE, reason: 'moving' }, false],
    ['that ends', { ...OBSERVE, expires_at: 1 }, false],
    ['over another one', { ...OBSERVE, below: [{ ...OBSERVE, mode: 'repair' }] }, false],
  ])('that set a mode are told apart from a mode %s', (_what, mode, is_same) => {
    expect(valuesAre({ release: null, mode: OBSERVE }, { release: null, mode })).toBe(is_same)
  })

  it('of a mode that ends are the same for another end: that is said as so long from now', () => {
    const until = (expires_at: number) => ({ release: null, mode: { ...OBSERVE, expires_at } })
    expect(valuesAre(until(1), until(2))).toBe(true)
  })

  it('that only deploy and save are digested as ever, so that plans that were kept before hold on', () => {
    const { live, fields } = RELEASE[0]!.row!
    expect(valuesOf(ALL)).toBe(digestOf({ release: [{ live, fields }], saves: [SAVED] }))
  })

  it('that release and save nothing are alike, however that is said', () => {
    expect(valuesAre({ release: null }, { release: [], saves: [] })).toBe(true)
    expect(valuesAre({ release: rowsOf(1) }, { release: rowsOf(2) })).toBe(false)
  })
})

describe('a change', () => {
  const planned = (guards: readonly GuardHit[] = []) => ({
    plan: { rows: plannedRows(RELEASE, RELEASED), guards } as unknown as Plan,
    values: valuesOf({ release: RELEASE, saves: [SAVED] }),
  })
  const change = { release: RELEASE, saves: [SAVED] }

  it('is as planned where it moves those rows and saves those values', () => {
    expect(isAsPlanned(planned(), change, RELEASED)).toBe(true)
  })

  it('is not where the values are others', () => {
    expect(isAsPlanned(planned(), { ...change, saves: [OTHER] }, RELEASED)).toBe(false)
  })

  it('is not where something else was released meanwhile, so that other rows move', () => {
    expect(isAsPlanned(planned(), change, anIntent(EDITED))).toBe(false)
  })

  it('is not where it meets a guard that the plan does not tell of, or with other figures', () => {
    const met = { ...change, guards: [GUARD] }
    expect(isAsPlanned(planned(), met, RELEASED)).toBe(false)
    expect(isAsPlanned(planned([{ ...GUARD, message: '5 of 12 would go.' }]), met, RELEASED)).toBe(false)
    expect(isAsPlanned(planned([GUARD]), met, RELEASED)).toBe(true)
    expect(isAsPlanned(planned([GUARD]), change, RELEASED), 'one that is met no more').toBe(true)
    const two = [GUARD, { ...GUARD, message: 'another' }]
    expect(isAsPlanned(planned([GUARD]), { ...change, guards: two }, RELEASED)).toBe(false)
  })

  it('that releases nothing is as planned where the plan moved nothing', () => {
    const plan = { rows: [], guards: [] } as unknown as Plan
    const values = valuesOf({ release: null, saves: [SAVED] })
    expect(isAsPlanned({ plan, values }, { release: null, saves: [SAVED] }, RELEASED)).toBe(true)
  })
})
