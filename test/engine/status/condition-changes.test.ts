/** Conditions: transitions over a sequence of passes, and what of them is written when. */
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/engine/status/conditions.ts'
import type { Condition } from '../../../src/model/condition.ts'
import { A, after, aLook, aReport, B, brief, type Step } from './evidence.ts'

describe('a change to be written', () => {
  const row: Condition = {
    domain_id: 1,
    component: 'routes',
    status: 'true',
    reason: 'in_sync',
    message: 'waits 9 ms',
    observed_revision: 4,
    last_transition_at: 1,
  }
  it.each<[what: string, over: Partial<Condition>, is_saved: boolean]>([
    ['nothing', {}, false],
    ['another figure', { message: 'waits 10 ms' }, false],
    ['another message', { message: 'hangs 9 ms' }, true],
    ['another status', { status: 'unknown' }, true],
    ['another reason', { reason: 'pending_deploy' }, true],
    ['another revision', { observed_revision: 5 }, true],
    ['another time', { last_transition_at: 2 }, true],
  ])('%s', (_what, over, is_saved) => {
    const changed = { ...row, ...over }
    expect(changesBetween([row], [changed])).toEqual({ save: is_saved ? [changed] : [], drop: [] })
  })
})

describe('a transition', () => {
  const clean = { report: aReport('clean') }
  const failing = (message: string) => ({ report: aReport('failed', { differences: 1, message }) })
  const editedIn = (...names: string[]) => ({
    report: aReport('left_drifting', { differences: 1 }),
    observed: aLook(names.map((name) => ['edited', name] as const)),
  })
  const everywhere = { ...editedIn(), observed: aLook([['lost', null]]) }
  const unreadable = { report: aReport('unknown', { message: 'EACCES' }) }

  it.each<[string, readonly Step[], string[]]>([
    ['moves with the status alone', [clean, clean, clean], ['0 true in_sync since 1']],
    [
      'is not moved by another reason',
      [clean, failing('full'), failing('denied'), everywhere],
      ['0 false drifting since 2'],
    ],
    [
      'of one domain is its own, and stays news after the recovery',
      [clean, editedIn(A), editedIn(A), clean],
      ['0 true in_sync since 1', '1 true in_sync since 4'],
    ],
    [
      'of one domain goes on where the trouble becomes everybody’s',
      [clean, editedIn(A), everywhere],
      ['0 false drifting since 3', '1 false drifting since 2'],
    ],
    [
      'of one domain is forgotten with the next that all share',
      [clean, editedIn(A), clean, unreadable],
      ['0 unknown unreadable since 4'],
    ],
    [
      'of a second domain leaves the first alone',
      [clean, editedIn(A), editedIn(A, B), editedIn(B)],
      ['0 true in_sync since 1', '1 true in_sync since 4', '2 false drifting since 3'],
    ],
    [
      'of a record before another one is told before it',
      [clean, editedIn(B), editedIn(A, B)],
      ['0 true in_sync since 1', '1 false drifting since 3', '2 false drifting since 2'],
    ],
    [
      'is gone with its record',
      [clean, editedIn(A), { ...clean, domains: new Map() }],
      ['0 true in_sync since 1'],
    ],
  ])('%s', (_name, steps, expected) => {
    const rows = steps.reduce<readonly Condition[]>(
      (present, step, i) => after(present, { ...step, at: i + 1 }),
      [],
    )
    expect(brief(rows)).toEqual(expected)
  })

  it('that did not happen is no change to be written', () => {
    const first = after([], { ...editedIn(A), at: 1 })
    const again = after(first, { ...editedIn(A), at: 2 })
    expect(changesBetween(first, again)).toEqual({ save: [], drop: [] })
    const recovered = after(again, { ...clean, at: 3 })
    expect(changesBetween(again, recovered)).toMatchObject({
      save: [{ domain_id: 1, status: 'true' }],
      drop: [],
    })
    const unread = after(recovered, { ...unreadable, at: 4 })
    expect(changesBetween(recovered, unread)).toMatchObject({ save: [{ domain_id: 0 }], drop: [1] })
  })
})
