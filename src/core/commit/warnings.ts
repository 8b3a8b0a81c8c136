/** What features remark on records that are saved or deployed. */
import { firstOf } from '../../kernel/async/first-of.ts'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { Log } from '../../kernel/log.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { CommitHooks, RemarkedRecord } from './hooks.ts'

export interface WarningParts {
  readonly hooks: () => readonly CommitHooks[]
  readonly log: Log
}

/** Never throws: what it remarks on is done by then. @param records without those that are to go. @param moves of a save: the fields that it moves */
export async function recordWarnings(
  { hooks, log }: WarningParts,
  records: readonly RemarkedRecord[],
  moves?: readonly (keyof DomainFields)[],
): Promise<readonly string[]> {
  const fields = moves === undefined ? null : new Set(moves)
  try {
    return await eachWarning(hooks(), records.length, (one) => one.warnings?.(records, fields))
  } catch (error) {
    log.error('records are not remarked on', { error })
    return []
  }
}

/** One feature after the other, with a turn for others between them; of each the first ones are said. @param records how many are remarked on */
export async function eachWarning(
  hooks: readonly CommitHooks[],
  records: number,
  ask: (hooks: CommitHooks) => Promise<readonly string[]> | undefined,
): Promise<readonly string[]> {
  const warnings: string[] = []
  for (const one of hooks) {
    await othersTurn(records)
    warnings.push(...firstOf((await ask(one)) ?? []))
  }
  return warnings
}

export const liveFields = (rows: readonly (IntentRow | null)[]): readonly DomainFields[] =>
  rows.flatMap((row) => (row?.live === true ? [row.fields] : []))
