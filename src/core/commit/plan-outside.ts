/** The plan of a call that moves no row and has its whole effect elsewhere: a message, a test alert, a name at a controller. */
import { type PlannedAnswer, planned } from '../answers.ts'
import type { Caller } from '../caller.ts'
import type { Core } from '../core.ts'
import { type Change, ONLY_SAVES } from './change.ts'

type Action = NonNullable<Change<null>['actions']>[number]

export interface OutsideEffect extends Pick<Change<null>, 'goes_on'> {
  readonly component: string
  readonly actions: readonly Pick<Action, 'verb' | 'item' | 'before' | 'after'>[]
  readonly warnings?: readonly string[]
}

/** Nothing of the world is looked at. Throws nothing but what every dry run throws. */
export async function planOutside(
  commit: Core['commit'],
  caller: Caller,
  { component, actions, warnings = [], ...going }: OutsideEffect,
): Promise<PlannedAnswer> {
  const committed = await commit({ ...caller, dry_run: true }, () =>
    Promise.resolve({
      result: null,
      ...ONLY_SAVES,
      ...going,
      audit: [],
      reach: { records: [] },
      actions: actions.map((action) => ({ ...action, component, reason: 'release' as const })),
      warnings,
    }),
  )
  if (!committed.planned) throw new Error('A dry run was carried out.')
  return planned(committed.plan)
}
