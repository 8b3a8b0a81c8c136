/** Ends what is set for a time before its time: the next that it was set over stands again. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { isOver, settingAt, withoutTop } from '../../../engine/status/mode-setting.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ModeSetting, StoreWriter } from '../../../ports/store.ts'
import { INSTALLATION } from '../../../core/modes/read.ts'
import { tellEnds } from './ends.ts'
import { adopted, type ModeAnswer, reachOf } from './set.ts'
import { layerWords, modeWords, standsNow } from './words.ts'

/** Throws `not_found` where nothing with an end is in force there: a repeat of the call ends nothing more. */
export async function endMode(
  deps: CoreParts,
  scope: string,
  caller: Caller,
): Promise<ModeAnswer | PlannedAnswer> {
  const actor = caller.actor.name
  const committed = await commit(deps, caller, async (tx, at) => {
    const ended = await endedIn(deps, tx, { scope, at })
    const again = withoutTop(ended)
    const after: ModeSetting = again ?? { ...NOTHING, actor, scope }
    await tx.saveMode(after)
    const force = deps.engine.modeWith(after, scope)
    // Something more careful may go before it.
    const stands =
      again === null || force.mode !== again.mode
        ? standsNow(scope, force)
        : `${layerWords(again)} stands again.`
    const message = `The mode ${ended.mode} of ${named(scope)} has ended. ${stands}`
    const expires_at = isoTimeOrNull(after.expires_at)
    const detail = { scope, ended: ended.mode, mode: after.mode, expires_at }
    await tx.addEvent({ at, kind: 'mode', message, facts: { ...detail, actor } })
    const audit = [{ ...OF_NO_RECORD, action: 'end_mode', detail }]
    const warnings = caller.dry_run
      ? [`This ends the mode ${modeWords(ended)} of ${named(scope)}. ${stands}`]
      : []
    const change = {
      result: { saved: after, message },
      audit,
      release: null,
      reason: '',
      warnings,
      mode: after,
    }
    if (after.mode === 'suspend') return { ...change, closes: true, goes_on: 'waiting' } as const
    const reaching = { ...change, closes: true, reach: reachOf(scope) } as const
    return after.mode === 'repair' ? reaching : ({ ...reaching, goes_on: 'waiting' } as const)
  })
  if (committed.planned) return planned(committed.plan)
  return adopted(deps, committed.result, committed.warnings)
}

/** Where nothing stood below. */
const NOTHING = { mode: 'repair', reason: '', expires_at: null } as const

const named = (scope: string): string => (scope === INSTALLATION ? 'the installation' : scope)

async function endedIn(
  { engine }: Pick<CoreParts, 'engine'>,
  tx: StoreWriter,
  { scope, at }: { readonly scope: string; readonly at: Instant },
): Promise<ModeSetting> {
  await tellEnds(tx, engine, { scope, at })
  const found = (await tx.modes()).find((one) => one.scope === scope)
  const setting = found === undefined ? null : settingAt(found, at)
  if (setting !== null && setting.expires_at !== null && !isOver(setting, at)) return setting
  throw new Failure(
    'not_found',
    `Nothing that is set for ${scope === INSTALLATION ? 'everything' : scope} has an end, so there is nothing to resume from.`,
  )
}
