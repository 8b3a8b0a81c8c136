/** Sets how far the reconciler may go on its own, for the installation or one component. A suspension ends by itself. */
import { OF_NO_RECORD } from '../audit/facts.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { isoTime } from '../../kernel/clock.ts'
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { type Mode, moreCareful } from '../../model/mode.ts'
import { textFault } from '../../model/text/text.ts'
import type { ModeSetting } from '../../ports/store.ts'
import { type PlannedAnswer, planned } from '../answers.ts'
import { commit } from '../commit/commit.ts'
import type { Caller } from '../caller.ts'
import type { CoreParts } from '../parts.ts'
import { liftedBy } from '../../engine/memory.ts'
import { INSTALLATION, type ModesAnswer, readModes } from './read.ts'

/** A forgotten suspension must end within a season. */
const MAX_SUSPENSION_MS: Milliseconds = 90 * 24 * 3_600_000
export const MAX_REASON = 500

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
  const warnings = replaced(
    deps,
    setting,
    (await deps.store.modes()).find((one) => one.scope === setting.scope),
  )
  const committed = await commit(deps, caller, async (tx, at) => {
    const { mode, scope, reason } = setting
    const expires_at = setting.expires_at === null ? null : isoTime(setting.expires_at)
    const detail = { scope, mode, reason, expires_at }
    await tx.saveMode(setting)
    await tx.addEvent({ at, kind: 'mode', message, facts: { ...detail, actor: setting.actor } })
    const audit = [{ ...OF_NO_RECORD, action: 'set_mode', detail }]
    const change = { result: setting, audit, release: null, reason: '', warnings, closes: true } as const
    // The others only make us do less.
    if (mode !== 'repair') return { ...change, goes_on: 'waiting' }
    return { ...change, reach: { records: 'all', ...(scope !== '*' && { component: scope }) } }
  })
  if (committed.planned) return planned(committed.plan)
  deps.engine.adoptMode(setting)
  deps.events.added()
  return {
    success: true,
    message,
    warnings: [...overruled(deps, setting), ...committed.warnings],
    ...(await readModes(deps)),
  }
}

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

/** A scope has one setting. Whoever sets one with an end over a more careful one that goes on hears that it does not come back. */
function replaced(
  { engine, clock }: CoreParts,
  setting: ModeSetting,
  before: ModeSetting | undefined,
): readonly string[] {
  const { scope, expires_at } = setting
  if (before === undefined || before.mode === 'repair' || expires_at === null) return []
  if (before.expires_at !== null && before.expires_at <= Math.max(clock.now(), expires_at)) return []
  const { mode } = engine.modeAfter(setting)
  if (moreCareful(mode, before.mode) === mode) return []
  const which = scope === INSTALLATION ? '' : ` ${scope}`
  return [
    `At its end: ${mode}. This replaces the mode ${before.mode}${before.reason === '' ? '' : ` (${before.reason})`}, which does not come back by itself; "plumbline mode set ${before.mode}${which}" sets it again.`,
  ]
}

/** Components for which something more careful is in force than what was just set. */
function overruled({ engine }: CoreParts, { scope, mode }: ModeSetting): string[] {
  return engine
    .applyOrder()
    .filter((component) => scope === INSTALLATION || scope === component)
    .map((component) => ({ component, force: engine.modeOf(component) }))
    .filter(({ force }) => force.mode !== mode)
    .map(({ component, force }) => `${component} stays in mode ${force.mode}: ${liftedBy(force)}`)
}
