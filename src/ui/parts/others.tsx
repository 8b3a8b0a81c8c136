/** A plan that cannot be applied whole goes on without what stands in its way. */
import type { Fault } from '../api/fault.ts'
import type { Change } from '../api/plans.ts'

interface Props {
  readonly ids: readonly number[]
  readonly without: ((ids: readonly number[]) => void) | undefined
}

/** One press takes out what stands in the way; the plan of the rest is shown before anything is done. */
export const PlanOthers = ({ ids, without }: Props) =>
  without === undefined || ids.length === 0 ? null : (
    <button type="button" class="btn" onClick={() => without(ids)}>
      Plan the other {ids.length}
    </button>
  )

/** What is left of a choice without those that the fault names; none where it names none. */
export function othersOf(change: Change, fault: Fault): readonly number[] {
  const chosen = change.kind === 'plan' ? chosenIn(change.body) : []
  const named = new Set(namedIn(fault))
  const rest = chosen.filter((id) => !named.has(id))
  return rest.length === chosen.length ? [] : rest
}

const chosenIn = (body: object): readonly number[] =>
  'domains' in body && Array.isArray(body.domains) ? (body.domains as readonly number[]) : []

const namedIn = (fault: Fault): readonly unknown[] =>
  fault.kind === 'problem' && 'domain_id' in fault.problem ? [fault.problem.domain_id] : []
