/** What an observation means and what the engine does about it: the table of `decide.ts`, row by row and in its order. */
import { describe, expect, it } from 'vitest'
import { type Decided, decide, evaluate, isApplied, isOther } from '../../../src/engine/status/decide.ts'
import type { Difference, Observation, Obstacle } from '../../../src/engine/target.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { GuardHit } from '../../../src/model/plan.ts'
import type { Applied, Attempt, ModeSetting } from '../../../src/ports/store.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const mode = (mode: Mode, over: Partial<ModeSetting> = {}): ModeSetting => ({
  scope: '*',
  mode,
  reason: 'PLUMBLINE_MODE',
  actor: 'settings',
  expires_at: null,
  ...over,
})
const guard: GuardHit = { rule: 'contested', message: 'Somebody put it back.', confirmable: false }
const attempt: Attempt = { key: 'k', failures: 3, failed_at: 8, next_attempt_at: 9, message: 'disk full' }
const difference: Difference<null> = {
  key: 'k',
  verb: 'update',
  item: 'the file',
  before: 'a',
  after: 'b',
  payload: null,
}
const obstacle: Obstacle = {
  item: 'A app.example.com',
  domain_ids: [1],
  failure: { code: 'conflict', message: 'A app.example.com is not ours.', retry_after_ms: 0 },
}
const evaluated = (over: Partial<Decided['evaluation']> = {}): Decided['evaluation'] => ({
  unknown_because: null,
  differences: [],
  obstacles: [],
  ...over,
})
const UNREAD = evaluated({ unknown_because: 'EACCES' })
const DIFFERS = evaluated({ differences: [difference, difference] })
const QUIET: Omit<Decided, 'mode'> = {
  evaluation: evaluated(),
  applied: true,
  guard: null,
  attempt: null,
  asked: false,
}
const WORST = { ...QUIET, applied: false, guard, attempt }

describe('the engine', () => {
  it.each<[string, Decided, string, string]>([
    [
      'a suspension goes before everything',
      {
        ...WORST,
        evaluation: UNREAD,
        asked: true,
        mode: mode('suspend', { reason: 'the move', actor: 'key', expires_at: 0 }),
      },
      'stay_suspended',
      'key suspended it until 1970-01-01T00:00:00.000Z: the move.',
    ],
    [
      'an unreadable world is looked at again',
      { ...WORST, evaluation: UNREAD, mode: mode('repair') },
      'look_again',
      'EACCES',
    ],
    [
      'a true world is left alone, whatever failed before',
      { ...QUIET, attempt, mode: mode('repair') },
      'leave_alone',
      'The world is what was released.',
    ],
    [
      'what only a person can move is refused',
      { ...QUIET, evaluation: evaluated({ obstacles: [obstacle] }), mode: mode('repair') },
      'refuse',
      'A app.example.com is not ours.',
    ],
    [
      'an obstacle beside a difference keeps nobody from repairing that',
      {
        ...QUIET,
        evaluation: evaluated({ differences: [difference], obstacles: [obstacle] }),
        mode: mode('repair'),
      },
      'repair',
      'The world differs from what was released.',
    ],
    [
      'observe only reports',
      { ...WORST, evaluation: DIFFERS, applied: true, mode: mode('observe') },
      'only_report',
      'The mode is observe (PLUMBLINE_MODE); a deploy repairs it.',
    ],
    [
      'observe finishes a release all the same',
      { ...QUIET, evaluation: DIFFERS, applied: false, mode: mode('observe') },
      'repair',
      'The world differs from what was released.',
    ],
    [
      'observe repairs for a caller',
      { ...QUIET, evaluation: DIFFERS, asked: true, mode: mode('observe') },
      'repair',
      'The world differs from what was released.',
    ],
    [
      'a guard refuses',
      { ...QUIET, evaluation: DIFFERS, guard, attempt, mode: mode('repair') },
      'refuse',
      'Somebody put it back.',
    ],
    [
      'failures are tried again',
      { ...QUIET, evaluation: DIFFERS, attempt, mode: mode('repair') },
      'try_again',
      'The last 3 tries failed: disk full',
    ],
    [
      'the settings suspend it without an end',
      { ...WORST, mode: mode('suspend', { reason: '' }) },
      'stay_suspended',
      'The settings suspended it until it is taken back.',
    ],
    [
      'observe needs no reason',
      { ...QUIET, evaluation: DIFFERS, mode: mode('observe', { reason: '' }) },
      'only_report',
      'The mode is observe; a deploy repairs it.',
    ],
    [
      'one failure is tried again',
      { ...QUIET, evaluation: DIFFERS, attempt: { ...attempt, failures: 1 }, mode: mode('repair') },
      'try_again',
      'The last try failed: disk full',
    ],
    [
      'our own note is brought up to date',
      {
        ...QUIET,
        evaluation: evaluated({ differences: [{ ...difference, is_note: true }] }),
        mode: mode('repair'),
      },
      'repair',
      'The world is what was released; only our own note of it is behind.',
    ],
    [
      'else it is repaired',
      { ...QUIET, evaluation: DIFFERS, mode: mode('repair') },
      'repair',
      'The world differs from what was released.',
    ],
  ])('%s', (_name, facts, will, because) => {
    expect(decide(facts)).toEqual({ will, because })
  })
})

describe('the world beside what was released', () => {
  const target = fakeTarget(fakeWorld())
  const hindered = fakeTarget(fakeWorld(), { obstacles: () => [obstacle] })
  const released = { desired: 'as released', digest: 'd' }
  const seen = (state: string | null): Observation<unknown> => ({ known: true, state, digest: '', at: 1 })
  const unread: Observation<unknown> = { known: false, reason: 'unreadable', detail: 'EACCES', at: 1 }

  it.each([
    ['is the same', target, released, seen('as released'), { deviates: false, differences: [] }],
    ['is another', target, released, seen('by hand'), { deviates: true, differences: [{ verb: 'update' }] }],
    ['is gone', target, released, seen(null), { deviates: true, differences: [{ verb: 'create' }] }],
    [
      'is the same but for what only a person can move',
      hindered,
      released,
      seen('as released'),
      { deviates: true, differences: [], obstacles: [obstacle] },
    ],
    [
      'cannot be read, which is no difference and not the same either',
      hindered,
      released,
      unread,
      { deviates: null, unknown_because: 'EACCES', differences: [], obstacles: [] },
    ],
    ['is compared with nothing before the first release', hindered, null, seen('x'), { deviates: false }],
  ])('%s', (_name, of, edition, observation, expected) => {
    expect(evaluate(of, edition, observation)).toMatchObject(expected)
  })

  it('is another where anything but a note of ours is behind', () => {
    const note = { ...difference, is_note: true } as const
    expect([isOther([note], []), isOther([note], [obstacle]), isOther([note, difference], [])]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('is applied where its own portion of the release is what was applied last', () => {
    const applied = (digest: string): Applied => ({
      key: 'fake',
      release: 1,
      place: 'memory',
      digest,
      observed: '',
      at: 1,
    })
    expect(isApplied(target, released, applied('d'))).toBe(true)
    expect(isApplied(target, released, applied('e'))).toBe(false)
    expect(isApplied(target, released, null)).toBe(false)
    expect(isApplied(target, null, null)).toBe(true)
    expect(isApplied(target, null, applied('d'))).toBe(false)
    const sharing = fakeTarget(fakeWorld(), { portion: () => 'p' })
    expect(isApplied(sharing, released, applied('p'))).toBe(true)
  })
})
