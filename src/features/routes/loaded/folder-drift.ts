/** What stands beside the routes file and in its way, in the words of every drift. It is told and never touched. */
import { Failure } from '../../../kernel/failure.ts'
import {
  DRIFT_CAUSES,
  type DriftCause,
  type DriftState,
  type ExplainedDifference,
} from '../../../model/drift.ts'
import type { LookedAt } from '../../../core/check.ts'
import type { Deps } from '../deps.ts'

export interface FolderDrift {
  readonly drift: DriftState
  readonly differences: readonly ExplainedDifference[]
  /** Why it is unknown, else null. */
  readonly reason: string | null
  /** Items of the differences for which the proxy takes nothing of the folder, for all that is known. */
  readonly in_the_way: readonly string[]
}

/** A look of now; the health page has it, too. */
export async function folderDrift(
  { routes_folder, health, clock }: Pick<Deps, 'routes_folder' | 'health' | 'clock'>,
  signal: AbortSignal,
): Promise<FolderDrift> {
  const began_ms = clock.elapsed()
  try {
    const found = await routes_folder.look({ signal, afresh: true })
    health.rounds.note(routes_folder.name, found, began_ms)
    return driftIn(found)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { drift: null, differences: [], reason: error.message, in_the_way: [] }
  }
}

function driftIn({ drift, message, details, differences: found }: LookedAt): FolderDrift {
  const differences = found.map((one) => ({ ...one, cause: causeOf(one.cause) }))
  return {
    drift,
    differences,
    reason: drift === null ? message : null,
    in_the_way: [
      ...textsIn(details['refused']),
      ...textsIn(details['unread']),
      ...differences.filter(({ cause }) => cause === 'access').map(({ item }) => item),
    ],
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

const causeOf = (cause: string): DriftCause => DRIFT_CAUSES.find((known) => known === cause) ?? 'neighbour'
