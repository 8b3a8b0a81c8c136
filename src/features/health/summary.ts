/** The one verdict over all parts and rules. Pure. */
import type { DriftState } from '../../model/drift.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { Invariant } from '../../ports/invariants.ts'
import { named } from '../../core/check.ts'

export interface HealthSummary {
  /** True exactly when every part is ok, none drifts or is unknown, and every rule of the database holds. */
  readonly ok: boolean
  /** Of the parts: what is known to differ goes before what is not known. */
  readonly drift: DriftState
  /** One sentence. */
  readonly summary: string
  /** Of how many things it speaks, and how many of them are as they should be. */
  readonly things: { readonly right: number; readonly all: number }
  /** All that is not: by its name, with its cause, or else why. What others need goes first. */
  readonly wrong: readonly Wrong[]
}

interface Wrong {
  readonly name: string
  readonly cause: string
}

type Part = Pick<HealthComponent, 'name' | 'kind' | 'configured' | 'ok' | 'drift' | 'cause' | 'reason'>
type Rule = Pick<Invariant, 'name' | 'holds'>

export function summarize(components: readonly Part[], invariants: readonly Rule[]): HealthSummary {
  const parts = components.filter(({ configured }) => configured)
  const wrong: readonly Wrong[] = [
    ...reasonsFirst(parts.filter((part) => !isRight(part))).map(({ name, cause, reason }) => ({
      name,
      cause: cause ?? reason,
    })),
    ...rulesOf(invariants),
  ]
  // To a person the rules of the database are one thing.
  const all = parts.length + Math.min(invariants.length, 1)
  const right =
    parts.filter(isRight).length + (invariants.length > 0 && rulesOf(invariants).length === 0 ? 1 : 0)
  return {
    ok: wrong.length === 0,
    drift: driftOf(parts),
    summary:
      wrong.length === 0
        ? `All ${all} things are as they should be.`
        : `${right} of ${all} things are as they should be; ${named(wrong.map(({ name, cause }) => `${name}: ${cause}`))}.`,
    things: { right, all },
    wrong,
  }
}

/** What others need goes first: it is why they are as they are, and only the first few are named. */
const reasonsFirst = (parts: readonly Part[]): readonly Part[] => {
  const [needed, others] = [true, false].map((is) =>
    parts.filter(({ kind }) => (kind === 'dependency') === is),
  )
  return [...needed!, ...others!]
}

const isRight = ({ ok, drift }: Part): boolean => ok && drift === false

function driftOf(parts: readonly Part[]): DriftState {
  if (parts.some(({ drift }) => drift === true)) return true
  return parts.some(({ drift }) => drift === null) ? null : false
}

/** Those that do not hold, by name; one look asks all, so that of those nobody knows they are one. */
const rulesOf = (rules: readonly Rule[]): readonly Wrong[] => [
  ...rules.filter(({ holds }) => holds === false).map(({ name }) => ({ name, cause: 'does not hold' })),
  ...(rules.some(({ holds }) => holds === null) ? [{ name: 'invariants', cause: 'unknown' }] : []),
]
