/** A plan that cannot be applied whole goes on without what stands in its way. */
import type { Fault } from '../../api/fault.ts'
import type { Change } from '../../api/plans.ts'

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
  const chosen = chosenIn(change.body ?? {})
  const named = new Set(namedIn(fault))
  const rest = chosen.filter((id) => !named.has(id))
  return rest.length === chosen.length ? [] : rest
}

type Named = readonly { readonly id: number }[]

/** Of a plan of saved records, of one that saves them first, and of one act on many. */
function chosenIn(body: object): readonly number[] {
  if ('domains' in body && Array.isArray(body.domains)) return body.domains as readonly number[]
  const edits = 'edits' in body && Array.isArray(body.edits) ? (body.edits as Named) : []
  const records = 'records' in body && Array.isArray(body.records) ? (body.records as Named) : []
  return [...edits, ...records].map(({ id }) => id)
}

function namedIn(fault: Fault): readonly unknown[] {
  if (fault.kind !== 'problem') return []
  const { problem } = fault
  if ('domain_ids' in problem && Array.isArray(problem.domain_ids)) return problem.domain_ids
  // Two that cannot be together: the one that is there already, and the one that comes.
  return ['domain_id', 'refused_id'].flatMap((name) => (name in problem ? [problem[name as never]] : []))
}
