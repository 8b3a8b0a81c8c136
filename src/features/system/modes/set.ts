/** Sets how far the reconciler may go on its own, for the installation or one component. A suspension ends by itself. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { type FieldError, fieldError, invalid } from '../../../kernel/failure.ts'
import { type Mode, moreCareful } from '../../../model/mode.ts'
import { textFault } from '../../../model/text/text.ts'
import type { ModeSetting } from '../../../ports/store.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { Caller } from '../../../core/caller.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { isOver, liftedBy } from '../../../engine/memory.ts'
import { INSTALLATION, MAX_REASON, type ModesAnswer, readModes } from '../../../core/modes/read.ts'

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
  const message = messageOf(setting)
  const committed = await commit(deps, caller, async (tx, at) => {
    const { mode, scope, reason } = setting
    const expires_at = setting.expires_at === null ? null : isoTime(setting.expires_at)
    const { saved, before } = await tx.saveMode(setting)
    const detail = {
      scope,
      mode,
      reason,
      expires_at,
      ...(saved.standing && { standing: saved.standing.mode }),
    }
    await tx.addEvent({ at, kind: 'mode', message, facts: { ...detail, actor: setting.actor } })
    const audit = [{ ...OF_NO_RECORD, action: 'set_mode', detail }]
    const warnings = before === null ? [] : [...atItsEnd(saved), ...replaced(deps, saved, before)]
    const change = { result: saved, audit, release: null, reason: '', warnings, closes: true } as const
    // The others only make us do less.
    if (mode !== 'repair') return { ...change, goes_on: 'waiting' }
    return { ...change, reach: reachOf(scope) }
  })
  if (committed.planned) return planned(committed.plan)
  deps.engine.adoptMode(committed.result)
  deps.events.added()
  return {
    success: true,
    message,
    warnings: [...overruled(deps, setting), ...committed.warnings],
    ...(await readModes(deps)),
  }
}

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

function messageOf({ scope, mode, expires_at }: ModeSetting): string {
  const what = scope === INSTALLATION ? 'The installation' : scope
  return `${what} is in mode ${mode}${expires_at === null ? '' : ` until ${isoTime(expires_at)}`}.`
}

/** What was set without an end before one with an end comes back by itself. */
const atItsEnd = ({ standing }: ModeSetting): readonly string[] =>
  standing === undefined || standing.mode === 'repair'
    ? []
    : [`At its end: ${modeWords(standing)}, as it stood before.`]

/** "observe (we only watch)" */
export const modeWords = ({ mode, reason }: Pick<ModeSetting, 'mode' | 'reason'>): string =>
  `${mode}${reason === '' ? '' : ` (${reason})`}`

/** Of what was set before, and does not come back: something more careful with a later end, or what stood below. */
function replaced(
  { engine, clock }: CoreParts,
  setting: ModeSetting,
  before: ModeSetting,
): readonly string[] {
  const { scope, expires_at } = setting
  const which = scope === INSTALLATION ? '' : ` ${scope}`
  const again = ({ mode }: Pick<ModeSetting, 'mode'>) => `"plumbline mode set ${mode}${which}" sets it again`
  const { standing } = before
  if (expires_at === null) {
    if (standing === undefined || isOver(before, clock.now()) || isAsCareful(setting.mode, standing.mode))
      return []
    return [
      `This also ends the mode ${modeWords(standing)}, which stood before the mode ${before.mode}; ${again(standing)}.`,
    ]
  }
  if (before.expires_at === null || before.expires_at <= Math.max(clock.now(), expires_at)) return []
  const { mode } = engine.modeAfter(setting)
  if (isAsCareful(mode, before.mode)) return []
  return [
    `At its end: ${mode}. This replaces the mode ${modeWords(before)}, which does not come back by itself; ${again(before)}.`,
  ]
}

const isAsCareful = (mode: Mode, other: Mode): boolean => moreCareful(mode, other) === mode

/** Components for which something more careful is in force than what was just set. */
export function overruled(
  { engine }: CoreParts,
  { scope, mode }: Pick<ModeSetting, 'scope' | 'mode'>,
): string[] {
  return engine
    .applyOrder()
    .filter((component) => scope === INSTALLATION || scope === component)
    .map((component) => ({ component, force: engine.modeOf(component) }))
    .filter(({ force }) => force.mode !== mode)
    .map(({ component, force }) => `${component} stays in mode ${force.mode}: ${liftedBy(force)}`)
}
