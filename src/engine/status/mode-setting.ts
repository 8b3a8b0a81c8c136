/** What is set of modes for one scope: layers, each over what it was set over, of which those with an end give way. Pure. */
import type { Instant } from '../../kernel/clock.ts'
import { asSentence } from '../../kernel/text/sentence.ts'
import { type Mode, modeEndCommand, moreCareful } from '../../model/mode.ts'
import type { ModeSetting, StandingMode } from '../../ports/store.ts'

/** Who says what PLUMBLINE_MODE says. */
const OF_SETTINGS = 'settings'

/** What may stand below a mode at the same time. */
export const MAX_BELOW = 5

/** What the settings of the process say, and no call ends. */
export const settingsMode = (mode: Mode): ModeSetting => ({
  scope: '*',
  mode,
  reason: 'PLUMBLINE_MODE',
  actor: OF_SETTINGS,
  expires_at: null,
})

export const isOver = ({ expires_at }: Pick<ModeSetting, 'expires_at'>, now: Instant): boolean =>
  expires_at !== null && expires_at <= now

/** What holds of a setting now: one that has ended has given way to the next that has not. One over nothing else stays as it is. */
export function settingAt(setting: ModeSetting, now: Instant): ModeSetting {
  const { scope, mode, reason, actor, expires_at, below = [] } = setting
  const layers = [{ mode, reason, actor, expires_at }, ...below].filter((layer) => !isOver(layer, now))
  return layered(scope, layers) ?? { scope, mode, reason, actor, expires_at }
}

/** What stands again once this is ended early; null where nothing is left below it. @param setting as it is now */
export const withoutTop = ({ scope, below = [] }: ModeSetting): ModeSetting | null => layered(scope, below)

function layered(scope: string, [top, ...below]: readonly StandingMode[]): ModeSetting | null {
  if (top === undefined) return null
  return { scope, ...top, ...(below.length > 0 && { below }) }
}

/** What stands again at its end; null for nothing. What ends before that is skipped. */
export const standingOf = ({ expires_at, below = [] }: ModeSetting): StandingMode | null =>
  expires_at === null ? null : (below.find((layer) => !isOver(layer, expires_at)) ?? null)

/**
 * Over what is set there now. One without an end takes the place of all; one with an end goes over it, but for the same mode
 * with another end, whose place it takes.
 */
export function setOver(setting: ModeSetting, before: ModeSetting | null, now: Instant): ModeSetting {
  const { scope, mode, reason, actor, expires_at } = setting
  const made = { mode, reason, actor, expires_at }
  if (before === null || expires_at === null) return { scope, ...made }
  const { below = [], ...top } = settingAt(before, now)
  const stays = top.expires_at === null || (top.mode !== mode && !isOver(top, now))
  const under = stays
    ? [{ mode: top.mode, reason: top.reason, actor: top.actor, expires_at: top.expires_at }, ...below]
    : below
  return layered(scope, [made, ...under])!
}

export interface ModeEnd {
  readonly ended: ModeSetting
  readonly at: Instant
  /** Null where nothing stood below it. */
  readonly next: ModeSetting | null
}

/** The ends that have come, each once, in their order. */
export function endsUntil(setting: ModeSetting, now: Instant): readonly ModeEnd[] {
  const ends: ModeEnd[] = []
  let top: ModeSetting | null = setting.end_reported === true ? null : setting
  while (top !== null && top.expires_at !== null && top.expires_at <= now) {
    const at: Instant = top.expires_at
    const then = settingAt(top, at)
    const next = isOver(then, at) ? null : then
    ends.push({ ended: top, at, next })
    top = next
  }
  return ends
}

/**
 * Which of two is in force: the more careful one; of equals the one that lasts longer, then what no call ends, then the
 * component's own. While it repairs, the one that is the first to give way to something more careful tells more.
 */
export function inForce(a: ModeSetting, b: ModeSetting): ModeSetting {
  if (a.mode !== b.mode) return moreCareful(a.mode, b.mode) === a.mode ? a : b
  const first = [a, b].toSorted((x, y) => {
    const [x_ends, y_ends] = [x, y].map(({ expires_at }) => expires_at ?? Infinity) as [number, number]
    const gives = Number(givesWay(y)) - Number(givesWay(x))
    if (gives !== 0) return gives
    if (x_ends !== y_ends) return givesWay(x) ? x_ends - y_ends : y_ends - x_ends
    return (
      Number(isOfSettings(y)) - Number(isOfSettings(x)) || Number(x.scope === '*') - Number(y.scope === '*')
    )
  })
  return first[0]!
}

/** It repairs for a time, and only reports or rests then. */
const givesWay = (setting: ModeSetting): boolean =>
  setting.mode === 'repair' && (standingOf(setting)?.mode ?? 'repair') !== 'repair'

/** No call ends it. */
export const isOfSettings = ({ actor }: ModeSetting): boolean => actor === OF_SETTINGS

/** The most careful of all settings goes before; each is lifted where it was made. @param setting as it is now */
export function liftedBy(setting: ModeSetting): string {
  if (isOfSettings(setting))
    return 'PLUMBLINE_MODE says so. Set it to repair and start the daemon again to lift that.'
  return `${asSentence(setting.reason)} "${modeEndCommand(setting)}" lifts that.`.trimStart()
}
