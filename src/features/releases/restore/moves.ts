/** What a decision between database and world would do outside: the same look that the plan of a deploy rests on. */
import { GATEWAY, SSH_PROXY } from '../../../model/component.ts'
import type { Plan, PlannedAction } from '../../../model/plan.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import { PEOPLE } from '../../people/in-force.ts'

export interface WorldMoves {
  readonly actions: readonly PlannedAction[]
  readonly unified_diff: string | null
  /** False where a component could not be looked at. */
  readonly complete: boolean
  readonly warnings: readonly string[]
}

/** What no release concerns is looked at where the database stays as it is: what it would be otherwise is not saved yet. */
export async function movesOf(
  { engine }: Pick<Deps, 'engine'>,
  { take, rows }: { readonly take: 'database' | 'world'; readonly rows: readonly ReleaseRow[] },
  signal: AbortSignal,
): Promise<WorldMoves> {
  const reach = { records: 'all' } as const
  const plans = [await engine.plan({ scope: { kind: 'call' }, rows, reach, warnings: [] }, signal)]
  const known = engine.applyOrder()
  for (const component of take === 'world'
    ? []
    : [PEOPLE, GATEWAY, SSH_PROXY].filter((name) => known.includes(name)))
    plans.push(
      await engine.plan(
        { scope: { kind: 'component', component }, rows: [], reach: { ...reach, component }, warnings: [] },
        signal,
      ),
    )
  const diffs = plans.flatMap(({ unified_diff }) => unified_diff ?? [])
  return {
    actions: plans.flatMap(({ actions }) => actions),
    unified_diff: diffs.length === 0 ? null : diffs.join('\n'),
    complete: plans.every(({ complete }) => complete),
    warnings: plans.flatMap(warningsOf),
  }
}

const warningsOf = ({ warnings, inputs }: Plan): readonly string[] => [
  ...warnings,
  ...inputs.flatMap(({ key, digest, detail }) =>
    digest === null ? [`${key} could not be read, so what becomes of it is not known: ${detail}`] : [],
  ),
]
