/** The certificates of our own manager with what the engine says of each; where they cannot be read, why. */
import type { CoreParts } from '../../../core/parts.ts'
import type { ObservationTurn } from '../../../engine/observation.ts'
import { Failure } from '../../../kernel/failure.ts'
import {
  type DriftCause,
  type DriftState,
  type ExplainedDifference,
  driftOver,
} from '../../../model/drift.ts'
import type { Intent } from '../../../model/intent.ts'
import type { ManagedView } from '../view.ts'
import type { Deps } from '../deps.ts'

/** `cause` is null for what is as it should be. */
export type EvaluatedView = ManagedView & { readonly drift: DriftState; readonly cause: DriftCause | null }

export interface ManagedList {
  /** Of all of them and of the file that names them to the proxy; null where something could not be read. */
  readonly drift: DriftState
  readonly views: readonly EvaluatedView[]
  /** The same as `GET /api/drift` tells. */
  readonly differences: readonly ExplainedDifference[]
  /** Why something is not known, else null. */
  readonly detail: string | null
}

export const CERTIFICATES = 'certificates'
export const CERTIFICATES_FILE = 'certificates-file'

/** Null where no authority is set. A certificate is listed by `intent`, and judged by both editions. */
export async function managedList(
  deps: Deps,
  intent: Intent,
  signal: AbortSignal,
): Promise<ManagedList | null> {
  const { manager } = deps.certificates
  if (manager === null) return null
  const unknown = { drift: null, views: [], differences: [] }
  try {
    const turn = deps.engine.beginObservation()
    const listed = await manager.list(intent, signal)
    const evaluated = await Promise.all(listed.map((view) => evaluate(deps, view, turn)))
    const file = await deps.engine.observeFirstKey(CERTIFICATES_FILE, signal)
    return {
      drift: driftOver([...evaluated.map(({ view }) => view.drift), file.drift]),
      views: evaluated.map(({ view }) => view),
      differences: [...evaluated.flatMap(({ differences }) => differences), ...file.differences],
      detail: file.observed.unknown_because,
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure) || error.code !== 'component_unavailable') throw error
    return { ...unknown, detail: error.message }
  }
}

interface Evaluation {
  readonly view: EvaluatedView
  readonly differences: readonly ExplainedDifference[]
}

async function evaluate(
  { engine }: CoreParts,
  view: ManagedView,
  turn: ObservationTurn,
): Promise<Evaluation> {
  const evaluated = await engine.compare(view.seen.key, { known: true, state: view.seen.state }, turn)
  const differences = evaluated?.differences ?? []
  const drift = evaluated === null ? null : evaluated.drift
  return { view: { ...view, drift, cause: differences[0]?.cause ?? null }, differences }
}
