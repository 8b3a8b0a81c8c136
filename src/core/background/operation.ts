/** A call that went on after its caller was answered, as callers see it. */
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { Committed, StoredOperation } from '../../ports/records/trails.ts'
import type { ProgressView, StepView } from '../../model/operation/progress.ts'

export const OPERATION_STATES = ['running', 'succeeded', 'failed', 'interrupted'] as const

export interface OperationView {
  readonly id: string
  readonly state: StoredOperation['state']
  readonly method: string
  readonly path: string
  readonly actor: string
  readonly request_id: string
  /** RFC 3339. */
  readonly created_at: string
  readonly ended_at: string | null
  /** How far it has come with the world; null before it begins with that, and once it has ended. */
  readonly progress: ProgressView | null
  /** What it did with the world, in the order of work; none where that is not known any more. */
  readonly steps: readonly StepView[]
  /** The answer that the call would have given; null until there is one. */
  readonly answer: { readonly status: number; readonly body: unknown } | null
  /** Of one that was interrupted: what of it is durable all the same. */
  readonly committed: Committed | null
  /** What became of one that was interrupted, and what to do. */
  readonly hint: string | null
}

export interface OperationFacts {
  /** While it runs. */
  readonly progress: ProgressView | null
  readonly steps: readonly StepView[]
  /** Once it was interrupted. */
  readonly committed: Committed | null
}

function hintFor({ release, changes }: Committed, request_id: string): string {
  const begin = 'The daemon stopped before the call had ended.'
  if (release !== null)
    return `${begin} Its release ${release} was committed before that, so it stands and is brought into the world by itself: GET /api/releases/${release} shows how that went, GET /api/drift what is still missing.`
  if (changes > 0)
    return `${begin} It made no release, and what it saved stands (GET /api/audit, request ${request_id}). What is still missing in the world is brought there by itself: GET /api/drift shows it.`
  return `${begin} Nothing of it was saved: repeat the call.`
}

export function operationView(
  stored: StoredOperation,
  { progress, steps, committed }: OperationFacts,
): OperationView {
  const { id, state, method, path, actor, request_id, created_at, ended_at, status, body } = stored
  return {
    id,
    state,
    method,
    path,
    actor,
    request_id,
    created_at: isoTime(created_at),
    ended_at: isoTimeOrNull(ended_at),
    progress,
    steps,
    answer: status === null ? null : { status, body: bodyOf(body ?? '') },
    committed,
    hint: committed === null ? null : hintFor(committed, request_id),
  }
}

/** JSON where it is JSON; the text itself otherwise. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
