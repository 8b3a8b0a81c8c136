/** What the engine will do on its own: the table of `outlook.ts`, row by row and in its order. */
import { expect, it } from 'vitest'
import { outlookOf, type OutlookFacts } from '../../../src/engine/status/outlook.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { GuardHit } from '../../../src/model/plan.ts'
import type { Attempt, ModeSetting } from '../../../src/ports/store.ts'

const mode = (mode: Mode, over: Partial<ModeSetting> = {}): ModeSetting => ({
  scope: '*',
  mode,
  reason: 'PLUMBLINE_MODE',
  actor: 'settings',
  expires_at: null,
  ...over,
})
const guard: GuardHit = { rule: 'contested', message: 'Somebody put it back.', confirmable: false }
const attempt: Attempt = { key: 'k', failures: 3, next_attempt_at: 9, message: 'disk full' }
const WORST = { unknown_because: 'EACCES', differences: 2, obstacle: null, unfinished: true, guard, attempt }
const QUIET: Omit<OutlookFacts, 'mode'> = {
  unknown_because: null,
  differences: 0,
  obstacle: null,
  unfinished: false,
  guard: null,
  attempt: null,
}

it.each<[string, OutlookFacts, string, string]>([
  [
    'a suspension goes before everything',
    { ...WORST, mode: mode('suspend', { reason: 'the move', actor: 'key', expires_at: 0 }) },
    'stay_suspended',
    'key suspended it until 1970-01-01T00:00:00.000Z: the move',
  ],
  ['an unreadable world is looked at again', { ...WORST, mode: mode('repair') }, 'look_again', 'EACCES'],
  [
    'a true world is left alone, whatever failed before',
    { ...QUIET, attempt, mode: mode('repair') },
    'leave_alone',
    'The world is what was released.',
  ],
  [
    'what only a person can move is refused',
    { ...QUIET, obstacle: 'A app.example.com is not ours.', mode: mode('repair') },
    'refuse',
    'A app.example.com is not ours.',
  ],
  [
    'observe only reports',
    { ...WORST, unknown_because: null, unfinished: false, mode: mode('observe') },
    'only_report',
    'The mode is observe (PLUMBLINE_MODE); a deploy repairs it.',
  ],
  [
    'observe finishes a release all the same',
    { ...QUIET, differences: 1, unfinished: true, mode: mode('observe') },
    'repair',
    'The world differs from what was released.',
  ],
  [
    'a guard refuses',
    { ...QUIET, differences: 1, guard, attempt, mode: mode('repair') },
    'refuse',
    'Somebody put it back.',
  ],
  [
    'failures are tried again',
    { ...QUIET, differences: 1, attempt, mode: mode('repair') },
    'try_again',
    'The last 3 tries failed: disk full',
  ],
  [
    'else it is repaired',
    { ...QUIET, differences: 1, mode: mode('repair') },
    'repair',
    'The world differs from what was released.',
  ],
])('%s', (_name, facts, will, because) => {
  expect(outlookOf(facts)).toEqual({ will, because })
})
