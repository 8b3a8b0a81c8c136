/**
 * From a release to the world: whoever has committed a change hands on what it was, and is told how that went. Who carries it
 * out is handed in, as a commit knows no feature.
 */
import type { Direction } from '../engine/converge.ts'
import type { Engine } from '../engine/engine.ts'
import type { ConvergeProgress } from '../engine/progress.ts'
import type { RefusedRow } from '../model/plan.ts'
import type { ReleaseHead } from '../ports/records/trails.ts'
import type { Store } from '../ports/store.ts'
import type { ComponentResult, DeploymentResult, PendingDomain, UnfinishedPart } from './answers.ts'
import type { Renamed } from '../engine/editions/renamed.ts'

/**
 * Waits until every component shows the newest release, and the proxy runs it where that can be seen. Throws a Failure with
 * the component's own code when one would not take what the call is about alone; the release stands, and the reconciler
 * goes on trying.
 */
export type Deploy = (deployed: Deployed) => Promise<DeploymentResult>

export interface SaidAfter {
  /** Goes on with the sentence of the message. */
  readonly words: string
  readonly warnings: readonly string[]
}

/** A change that was committed, as whoever committed it hands it on. */
export interface Deployed extends DeployWords, DeployReach {
  /** Of the release that was made; null where none was. */
  readonly head: ReleaseHead | null
  readonly warnings: readonly string[]
  /** What of the call stays as it is, since it could not be carried out whole. */
  readonly refused?: readonly RefusedRow[]
  /** Live records whose name moved. */
  readonly renamed?: readonly Renamed[]
  /** It carries out what `openActivation` has accepted: what a component refuses is on the record when it throws. */
  readonly activates?: number
  /** It only brings the world to what was released before. */
  readonly repairs?: true
  /**
   * It fails with the first component that would not take it, as a call about one record or one component does; of others,
   * which deploy several records, that is told.
   */
  readonly fails?: true
  /** That of the call, so that whoever waits sees how it comes along. */
  readonly progress: ConvergeProgress | undefined
}

/** The sentence of the answer. */
export interface DeployWords {
  readonly message: string
  /** The message goes on with how many records were changed. */
  readonly counts?: true
  /** Said in its place by a call that takes a route away; left out where there can be none that is served. */
  readonly unless_loaded?: {
    /** While the proxy has not loaded that. */
    readonly not_loaded: string
    /** Where the proxy was asked and has not answered. */
    readonly not_known: string
  }
  /** What can be said only when it is done. */
  readonly saidAfter?: (components: readonly ComponentResult[]) => Promise<SaidAfter>
}

/** Which records it is about, and which components are brought to the release for them. */
export interface DeployReach {
  readonly direction: Direction
  /** Those of the call. */
  readonly domain_ids: readonly number[]
  /**
   * `one`: it is about this record alone, and fails where the proxy does not serve that one. `every`: it is about every record,
   * not only about those of the call. Left out: about those.
   */
  readonly about?: 'one' | 'every'
  /** Only these keys are. */
  readonly keys?: readonly string[]
  /** Only this component is; all of them when it is left out. */
  readonly component?: string
  /** Every component but these. */
  readonly except?: readonly string[]
  /** Also what no release concerns, such as the keys of a gateway. */
  readonly everything?: boolean
}

/** Of a headline, where the proxy was asked and has not answered. */
export const LOAD_UNKNOWN = 'whether the proxy has loaded it is not known: see the warnings'

export const withUnfinished = (message: string, unfinished: readonly UnfinishedPart[]): string =>
  unfinished.length === 0
    ? message
    : `${message.replace(/\.$/, '')}; not done yet: ${[...new Set(unfinished.map(({ key }) => key))].join(', ')}.`

/** Live records whose saved state waits for a deploy. */
export async function pendingDomains(deps: {
  readonly store: Pick<Store, 'intent'>
  readonly engine: Pick<Engine, 'pendingRows'>
}): Promise<PendingDomain[]> {
  const released = await deps.store.intent('released')
  return (await deps.engine.pendingRows()).map(({ domain_id, row }) => ({
    domain_id,
    domain: (row ?? released.rows.find((old) => old.domain_id === domain_id))?.fields.domain ?? '',
    revision: row?.revision ?? null,
  }))
}
