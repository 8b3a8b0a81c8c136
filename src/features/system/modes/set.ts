/** Sets how far the reconciler may go on its own, for the installation or one component. A suspension ends by itself. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import { type FieldError, Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import { type Mode, moreCareful } from '../../../model/mode.ts'
import { textFault } from '../../../model/text/text.ts'
import type { ModeSetting, StandingMode } from '../../../ports/store.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { Caller } from '../../../core/caller.ts'
import type { CoreParts } from '../../../core/parts.ts'
import {
  isOver,
  liftedBy,
  MAX_BELOW,
  setOver,
  settingAt,
  standingOf,
} from '../../../engine/status/mode-setting.ts'
import { INSTALLATION, MAX_REASON, type ModesAnswer, readModes } from '../../../core/modes/read.ts'
import { tellEnds } from './ends.ts'
import { layerWords, modeWords } from './words.ts'

/** A forgotten suspension must end within a season. */
const MAX_SUSPENSION_MS: Milliseconds = 90 * 24 * 3_600_000

export interface ModeRequest {
  readonly scope: string
  readonly mode: Mode
  readonly reason: string
  readonly expires_at: Instant | null
}

export type ModeAnswer = ModesAnswer & {
  readonly success: true
  readonly message: string
  readonly warnings: readonly string[]
}

/** Throws `validation_failed`. */
export async function setMode(
  deps: CoreParts,
  request: ModeRequest,
  caller: Caller,
): Promise<ModeAnswer | PlannedAnswer> {
  const errors = faultsOf(request, deps.clock.now())
  if (errors.length > 0) throw invalid(errors)
  const setting: ModeSetting = { ...request, actor: caller.actor.name }
  const committed = await commit(deps, caller, async (tx, at) => {
    const { mode, scope, reason } = setting
    await tellEnds(tx, deps.engine, { scope, at })
    const found = (await tx.modes()).find((one) => one.scope === scope)
    const before = found === undefined ? null : liveAt(found, at)
    const saved = setOver(setting, before, at)
    assertFits(saved)
    await tx.saveMode(saved)
    const ended = endedBy(saved, before)
    const message = messageOf(setting, deps.engine.modeWith(saved, scope), ended)
    const standing = standingOf(saved)
    const expires_at = isoTimeOrNull(setting.expires_at)
    const detail = {
      scope,
      mode,
      reason,
      expires_at,
      ...(standing && { standing: standing.mode }),
      ...(ended.length > 0 && { ended: ended.map((one) => one.mode) }),
    }
    await tx.addEvent({ at, kind: 'mode', message, facts: { ...detail, actor: setting.actor } })
    const audit = [{ ...OF_NO_RECORD, action: 'set_mode', detail }]
    const warnings = before === null ? [] : [...atItsEnd(saved), ...replaced(deps, saved, before)]
    const result = { saved, message }
    const change = { result, audit, release: null, reason: '', warnings, closes: true, mode: saved } as const
    const reach = reachOf(scope)
    if (mode === 'repair') return { ...change, reach }
    // The others only make us do less, but for what was released while nothing was touched.
    const resumes = mode === 'observe' && before?.mode === 'suspend'
    return { ...change, goes_on: 'waiting', ...(resumes && { reach }) }
  })
  if (committed.planned) return planned(committed.plan)
  return adopted(deps, committed.result, committed.warnings)
}

/** The engine follows what is durable; the answer says what is in force then. */
export async function adopted(
  deps: CoreParts,
  { saved, message }: { readonly saved: ModeSetting; readonly message: string },
  warnings: readonly string[],
): Promise<ModeAnswer> {
  deps.engine.adoptMode(saved)
  deps.events.added()
  const others = overruled(deps, saved)
  return { success: true, message, warnings: [...others, ...warnings], ...(await readModes(deps)) }
}

/** What holds of it; null where it has ended. */
function liveAt(found: ModeSetting, at: Instant): ModeSetting | null {
  const setting = settingAt(found, at)
  return isOver(setting, at) ? null : setting
}

/** Throws `conflict`. */
function assertFits({ scope, below = [] }: ModeSetting): void {
  if (below.length <= MAX_BELOW) return
  const which = scope === INSTALLATION ? '' : ` ${scope}`
  throw new Failure(
    'conflict',
    `${MAX_BELOW} modes stand below another one there already, and no more are kept. "plumbline mode resume${which}" ends the newest; one that is set without an end ends them all.`,
  )
}

/** What no longer stands there, newest first. */
const endedBy = ({ below }: ModeSetting, before: ModeSetting | null): readonly StandingMode[] =>
  before === null
    ? []
    : [before, ...(before.below ?? [])].slice(0, 1 + (before.below?.length ?? 0) - (below?.length ?? 0))

export const reachOf = (scope: string) =>
  ({ records: 'all', ...(scope !== INSTALLATION && { component: scope }) }) as const

function faultsOf({ mode, reason, expires_at }: ModeRequest, now: Instant): FieldError[] {
  const errors: FieldError[] = []
  const fault = textFault(reason, MAX_REASON)
  if (fault !== null) errors.push(fieldError(['body', 'reason'], fault, 'text'))
  if (mode === 'suspend' && reason.trim() === '')
    errors.push(fieldError(['body', 'reason'], 'is required: say why nothing may be touched', 'missing'))
  const expiry = expiryFault(mode, expires_at, now)
  if (expiry !== null) errors.push(fieldError(['body', 'expires_at'], expiry, 'expiry'))
  return errors
}

function expiryFault(mode: Mode, expires_at: Instant | null, now: Instant): string | null {
  if (expires_at === null)
    return mode === 'suspend' ? 'is required, so that a forgotten suspension ends by itself' : null
  if (expires_at <= now) return 'must be in the future'
  return mode === 'suspend' && expires_at - now > MAX_SUSPENSION_MS
    ? 'must be within 90 days; suspend again then if it is still needed'
    : null
}

/** @param force what is in force there with it, which may be more careful */
function messageOf(
  { scope, mode, expires_at }: ModeSetting,
  force: ModeSetting,
  [top]: readonly StandingMode[],
): string {
  const what = scope === INSTALLATION ? 'The installation' : scope
  const until = expires_at === null ? '' : ` until ${isoTime(expires_at)}`
  const ended = top === undefined || top.mode === mode ? '' : ` The mode ${modeWords(top)} has ended.`
  return force.mode === mode
    ? `${what} is in mode ${mode}${until}.${ended}`
    : `${what} is set to ${mode}${until}, and stays in mode ${force.mode}.${ended}`
}

/** What was set before one with an end comes back by itself. */
function atItsEnd(setting: ModeSetting): readonly string[] {
  const standing = standingOf(setting)
  return standing === null || standing.mode === 'repair'
    ? []
    : [`At its end: ${layerWords(standing)}, as it stood before.`]
}

/** Of what was set before, and does not come back: something more careful with a later end, or what stood below it. */
function replaced(
  { engine }: Pick<CoreParts, 'engine'>,
  setting: ModeSetting,
  before: ModeSetting,
): readonly string[] {
  const { scope, expires_at } = setting
  const which = scope === INSTALLATION ? '' : ` ${scope}`
  const again = ({ mode }: Pick<ModeSetting, 'mode'>) => `"plumbline mode set ${mode}${which}" sets it again`
  if (expires_at === null)
    return (before.below ?? [])
      .filter(({ mode }) => !isAsCareful(setting.mode, mode))
      .map(
        (one) =>
          `This also ends the mode ${layerWords(one)}, which stood before the mode ${before.mode}; ${again(one)}.`,
      )
  const is_shorter = before.mode === setting.mode && (before.expires_at ?? 0) > expires_at
  if (!is_shorter) return []
  const { mode } = engine.modeAfter(setting)
  if (isAsCareful(mode, before.mode)) return []
  return [
    `At its end: ${mode}. This replaces the mode ${modeWords(before)}, which does not come back by itself; ${again(before)}.`,
  ]
}

const isAsCareful = (mode: Mode, other: Mode): boolean => moreCareful(mode, other) === mode

/** Components for which something more careful is in force than what was just set. */
function overruled({ engine }: CoreParts, { scope, mode }: Pick<ModeSetting, 'scope' | 'mode'>): string[] {
  return engine
    .applyOrder()
    .filter((component) => scope === INSTALLATION || scope === component)
    .map((component) => ({ component, force: engine.modeOf(component) }))
    .filter(({ force }) => force.mode !== mode)
    .map(({ component, force }) => `${component} stays in mode ${force.mode}: ${liftedBy(force)}`)
}
