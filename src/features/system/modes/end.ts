/** Ends what is set for a time before its time: what stood before it stands again. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { isOver } from '../../../engine/memory.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ModeSetting, StoreWriter } from '../../../ports/store.ts'
import { INSTALLATION, readModes } from '../../../core/modes/read.ts'
import { modeWords, type ModeAnswer, overruled, reachOf } from './set.ts'

/** Throws `not_found` where nothing with an end is in force there: a repeat of the call ends nothing more. */
export async function endMode(
  deps: CoreParts,
  scope: string,
  caller: Caller,
): Promise<ModeAnswer | PlannedAnswer> {
  const actor = caller.actor.name
  const committed = await commit(deps, caller, async (tx, at) => {
    const ended = await endedIn(tx, scope, at)
    const { mode, standing } = ended
    const { saved: after } = await tx.saveMode({ ...NOTHING, actor, scope, ...standing })
    const message = messageOf(ended)
    const detail = { scope, ended: mode, mode: after.mode }
    await tx.addEvent({ at, kind: 'mode', message, facts: { ...detail, actor } })
    const audit = [{ ...OF_NO_RECORD, action: 'end_mode', detail }]
    const change = { result: { after, message }, audit, release: null, reason: '', warnings: [] }
    if (after.mode !== 'repair') return { ...change, closes: true, goes_on: 'waiting' } as const
    return { ...change, closes: true, reach: reachOf(scope) } as const
  })
  if (committed.planned) return planned(committed.plan)
  const { after, message } = committed.result
  deps.engine.adoptMode(after)
  deps.events.added()
  return {
    success: true,
    message,
    warnings: [...overruled(deps, after), ...committed.warnings],
    ...(await readModes(deps)),
  }
}

/** Where nothing stood below. */
const NOTHING = { mode: 'repair', reason: '', expires_at: null } as const

async function endedIn(tx: StoreWriter, scope: string, at: Instant): Promise<ModeSetting> {
  const setting = (await tx.modes()).find((one) => one.scope === scope)
  if (setting !== undefined && setting.expires_at !== null && !isOver(setting, at)) return setting
  throw new Failure(
    'not_found',
    `Nothing that is set for ${scope === INSTALLATION ? 'everything' : scope} has an end, so there is nothing to resume from.`,
  )
}

function messageOf({ scope, mode, standing }: ModeSetting): string {
  const what = scope === INSTALLATION ? 'of the installation' : `of ${scope}`
  const again = standing === undefined ? '' : ` ${modeWords(standing)} stands again.`
  return `The mode ${mode} ${what} has ended.${again}`
}
