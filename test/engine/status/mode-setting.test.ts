/** Modes in layers: what stands again at an end, what is set over what, and which of two is in force. */
import { describe, expect, it } from 'vitest'
import {
  endsUntil,
  inForce,
  isOver,
  liftedBy,
  setOver,
  settingAt,
  settingsMode,
  standingOf,
  withoutTop,
} from '../../../src/engine/status/mode-setting.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { ModeSetting, StandingMode } from '../../../src/ports/store.ts'

/** Named by its reason. */
const layer = (reason: string, mode: Mode, expires_at: number | null): StandingMode => ({
  mode,
  reason,
  actor: 'alice',
  expires_at,
})
const setting = (top: StandingMode, ...below: readonly StandingMode[]): ModeSetting => ({
  scope: 'dns',
  ...top,
  ...(below.length > 0 && { below }),
})

const MOVE = layer('move', 'suspend', 100)
const REPAIR = layer('fix', 'repair', 200)
const WATCH = layer('watch', 'observe', 300)
const ALWAYS = layer('always', 'observe', null)
const OF_SETTINGS = settingsMode('observe')

describe('a mode', () => {
  it('of the settings is of everything, and no call ends it', () => {
    expect(OF_SETTINGS).toEqual({
      scope: '*',
      mode: 'observe',
      reason: 'PLUMBLINE_MODE',
      actor: 'settings',
      expires_at: null,
    })
  })

  it.each([
    [null, 1e15, false],
    [100, 99, false],
    [100, 100, true],
    [100, 101, true],
  ])('that ends at %s is over at %d: %s', (expires_at, now, is_over) => {
    expect(isOver({ expires_at }, now)).toBe(is_over)
  })

  it.each<[what: string, given: ModeSetting, now: number, expected: ModeSetting]>([
    ['holds until its end', setting(MOVE, ALWAYS), 99, setting(MOVE, ALWAYS)],
    ['gives way to what stands below it', setting(MOVE, ALWAYS), 100, setting(ALWAYS)],
    [
      'gives way to the next that has not ended, over what is left',
      setting(MOVE, REPAIR, WATCH, ALWAYS),
      200,
      setting(WATCH, ALWAYS),
    ],
    ['loses those below it that have ended', setting(WATCH, MOVE, ALWAYS), 150, setting(WATCH, ALWAYS)],
    ['over nothing else stays as it is when it has ended', setting(MOVE), 500, setting(MOVE)],
    ['of which all have ended is the last that was set', setting(MOVE, REPAIR), 500, setting(MOVE)],
  ])('%s', (_what, given, now, expected) => {
    expect(settingAt(given, now)).toEqual(expected)
  })

  it('is told no more of having ended once something else stands', () => {
    expect(settingAt({ ...setting(MOVE), end_reported: true }, 500)).toEqual(setting(MOVE))
  })

  it.each<[what: string, given: ModeSetting, expected: ModeSetting | null]>([
    ['what stands below it', setting(MOVE, REPAIR, ALWAYS), setting(REPAIR, ALWAYS)],
    ['nothing', setting(MOVE), null],
  ])('that is ended early leaves %s', (_what, given, expected) => {
    expect(withoutTop(given)).toEqual(expected)
  })

  it.each<[what: string, given: ModeSetting, expected: StandingMode | null]>([
    ['the next', setting(MOVE, REPAIR, ALWAYS), REPAIR],
    ['the next that ends later than it', setting(REPAIR, MOVE, ALWAYS), ALWAYS],
    ['not one that ends with it', setting(MOVE, layer('too', 'observe', 100)), null],
    ['nothing, with nothing below it', setting(MOVE), null],
    ['nothing where it has no end', setting(ALWAYS, WATCH), null],
  ])('has standing again at its end: %s', (_what, given, expected) => {
    expect(standingOf(given)).toEqual(expected)
  })
})

describe('a mode that is set', () => {
  it.each<[what: string, made: StandingMode, before: ModeSetting | null, now: number, expected: ModeSetting]>(
    [
      ['over nothing stands alone', MOVE, null, 0, setting(MOVE)],
      ['without an end takes the place of all', ALWAYS, setting(MOVE, WATCH), 0, setting(ALWAYS)],
      ['with an end goes over what has none', MOVE, setting(ALWAYS), 0, setting(MOVE, ALWAYS)],
      [
        'with an end goes over what has none, also of its own mode',
        WATCH,
        setting(ALWAYS),
        0,
        setting(WATCH, ALWAYS),
      ],
      ['goes over another', REPAIR, setting(MOVE, ALWAYS), 0, setting(REPAIR, MOVE, ALWAYS)],
      [
        'takes the place of the same with another end',
        layer('longer', 'suspend', 150),
        setting(MOVE, ALWAYS),
        0,
        setting(layer('longer', 'suspend', 150), ALWAYS),
      ],
      ['goes over nothing that has ended', REPAIR, setting(MOVE), 100, setting(REPAIR)],
      [
        'goes over what is left of what has ended',
        REPAIR,
        setting(MOVE, ALWAYS),
        100,
        setting(REPAIR, ALWAYS),
      ],
    ],
  )('%s', (_what, made, before, now, expected) => {
    expect(setOver(setting(made), before, now)).toEqual(expected)
  })

  it('brings nothing of its own below it', () => {
    expect(setOver(setting(MOVE, WATCH), null, 0)).toEqual(setting(MOVE))
    expect(setOver(setting(ALWAYS, WATCH), setting(MOVE), 0)).toEqual(setting(ALWAYS))
  })
})

describe('the ends that have come', () => {
  const ends = (given: ModeSetting, now: number) =>
    endsUntil(given, now).map(({ ended, at, next }) => [ended.reason, at, next?.reason ?? null])

  it.each<[what: string, given: ModeSetting, now: number, expected: unknown]>([
    ['are none before', setting(MOVE, REPAIR), 99, []],
    [
      'are each told once, in their order',
      setting(MOVE, REPAIR, WATCH),
      250,
      [
        ['move', 100, 'fix'],
        ['fix', 200, 'watch'],
      ],
    ],
    [
      'end with the last',
      setting(MOVE, REPAIR),
      200,
      [
        ['move', 100, 'fix'],
        ['fix', 200, null],
      ],
    ],
    ['stop at what has no end', setting(MOVE, ALWAYS), 1e9, [['move', 100, 'always']]],
    ['leave out what ended below another', setting(WATCH, MOVE, ALWAYS), 300, [['watch', 300, 'always']]],
    ['are none of what has no end', setting(ALWAYS), 1e9, []],
    ['are none once that was told', { ...setting(MOVE), end_reported: true }, 1e9, []],
  ])('%s', (_what, given, now, expected) => {
    expect(ends(given, now)).toEqual(expected)
  })
})

describe('of two modes in force is', () => {
  const own = (mode: Mode, expires_at: number | null, ...below: readonly StandingMode[]) =>
    setting(layer('own', mode, expires_at), ...below)
  const all = (mode: Mode, expires_at: number | null, ...below: readonly StandingMode[]) => ({
    ...setting(layer('all', mode, expires_at), ...below),
    scope: '*',
  })

  it.each<[what: string, first: ModeSetting, second: ModeSetting]>([
    ['the more careful', all('suspend', 1), own('observe', null)],
    ['the more careful, whoever’s', own('observe', 1), all('repair', null)],
    ['of equals the one that lasts longer', all('suspend', 200), own('suspend', 100)],
    ['of equals the one without an end', own('suspend', null), all('suspend', 100)],
    ['of equals the settings’', OF_SETTINGS, own('observe', null)],
    ['of equals the component’s own', own('suspend', 100), all('suspend', 100)],
    [
      'of two that repair the one that gives way to something more careful',
      all('repair', 100, WATCH),
      own('repair', null),
    ],
    ['of two that give way the first to do so', all('repair', 100, WATCH), own('repair', 200, WATCH)],
    [
      'of two of which one gives way to no more care the one that does',
      own('repair', 100, ALWAYS),
      all('repair', 200, layer('again', 'repair', 300)),
    ],
    ['of two that give way to nothing the longer', all('repair', 200), own('repair', 100)],
    [
      'of two that watch the longer, whatever comes then',
      all('observe', 200),
      own('observe', 100, layer('then', 'suspend', 900)),
    ],
  ])('%s', (_what, first, second) => {
    expect(inForce(first, second)).toBe(first)
    expect(inForce(second, first)).toBe(first)
  })
})

describe('what lifts a mode', () => {
  it('is the setting where it is the settings’', () => {
    expect(liftedBy(OF_SETTINGS)).toContain('PLUMBLINE_MODE says so.')
  })

  it('is the command, behind the reason where there is one', () => {
    const lifted = liftedBy(setting({ ...ALWAYS, reason: 'we move' }))
    expect(lifted).toMatch(/^we move\. "plumbline .+" lifts that\.$/i)
    expect(liftedBy(setting({ ...ALWAYS, reason: '' }))).toMatch(/^"plumbline .+" lifts that\.$/)
  })
})
