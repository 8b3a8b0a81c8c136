/** Looks at what a change newly concerns outside, as often as it turns out to concern more. */
import { digestOf } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Intent } from '../../model/intent.ts'
import type { Plan } from '../../model/plan.ts'
import { TakenBack } from './change-intent.ts'
import type { CommitHooks, Examined, Examiner, Moving } from './hooks.ts'

const NOTHING: Examined = { guards: [], warnings: [], inputs: [] }

const examiners = (hooks: readonly CommitHooks[]): readonly Examiner[] =>
  hooks.flatMap(({ examiner }) => examiner ?? [])

/** What a plan says of it. */
export async function examine(
  hooks: readonly CommitHooks[],
  { released, moving }: { readonly released: Intent; readonly moving: Moving },
  signal: AbortSignal,
): Promise<Examined> {
  return together(
    await Promise.all(
      examiners(hooks).map((one) => one.look(one.concerns(released, moving), moving, signal)),
    ),
  )
}

/** Says of a change inside its transaction what was found of it. */
export type Finding = (released: Intent, moving: Moving) => Examined

/** Somebody saves other records in between: so often is it looked at again. */
const MAX_LOOKS = 5

/** Runs what makes the change, again after each look that turned out to be needed. */
export async function examined<T>(
  hooks: readonly CommitHooks[],
  signal: AbortSignal,
  run: (finding: Finding) => Promise<T>,
): Promise<T> {
  const seen = examiners(hooks).map((examiner) => ({ examiner, known: new Set<string>(), found: NOTHING }))
  for (let looks = 0; ; looks++)
    try {
      return await run((released, moving) => {
        for (const { examiner, known } of seen)
          if (examiner.concerns(released, moving).some((one) => !known.has(digestOf(one))))
            throw new Unexamined(released, moving)
        return together(seen.map(({ found }) => found))
      })
    } catch (error) {
      if (!(error instanceof Unexamined) || looks >= MAX_LOOKS) throw error
      const { released, moving } = error
      for (const one of seen) {
        const concerns = one.examiner.concerns(released, moving)
        one.found = await one.examiner.look(concerns, moving, signal)
        one.known = new Set(concerns.map(digestOf))
      }
    }
}

/** Thrown inside a transaction that would do what nobody has looked at. */
class Unexamined extends TakenBack {
  readonly released: Intent
  readonly moving: Moving

  constructor(released: Intent, moving: Moving) {
    super('unexamined')
    this.released = released
    this.moving = moving
  }
}

/** Whoever confirmed has read what the plan says: throws `conflict` where something else would be found by now. */
export function assertShown(hooks: readonly CommitHooks[], plan: Plan, inputs: Examined['inputs']): void {
  const shown = new Set(plan.inputs.map(({ component, key, digest }) => digestOf([component, key, digest])))
  if (inputs.every(({ component, key, digest }) => shown.has(digestOf([component, key, digest])))) return
  const moved_on = examiners(hooks).map((one) => one.moved_on)
  throw new Failure('conflict', `${moved_on.join(' ')} Plan again.`)
}

const together = (found: readonly Examined[]): Examined => ({
  guards: found.flatMap(({ guards }) => guards),
  warnings: found.flatMap(({ warnings }) => warnings),
  inputs: found.flatMap(({ inputs }) => inputs),
})
