/**
 * What is kept of a decision about a release at the proxy: one word among the results of the release, and an event.
 *
 *   loaded      the proxy was seen to run it. Whatever it shows later, the file is not taken back for it any more
 *   not_loaded  it was not loaded, and the file stays as it is; becomes `loaded` when the proxy is seen to run it after all
 *   went_back   it was not loaded, and another release brought back the one that runs
 *   superseded  another release came before the proxy was seen to run it: nobody will find out any more
 */
import type { Instant } from '../../../kernel/clock.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { NewEvent } from '../../../ports/records/trails.ts'
import type { LoadedState } from '../loaded/loaded-state.ts'

/** Under which it stands among the results of a release. No target is called so. */
export const PROXY_RESULT = 'proxy'

export const DECISIONS = ['loaded', 'not_loaded', 'went_back', 'superseded'] as const
export type Decision = (typeof DECISIONS)[number]

/** Null while it is open. */
export async function keptDecision(store: StoreReader, { number }: ReleaseHead): Promise<Decision | null> {
  const word = (await store.release(number))?.results[PROXY_RESULT]
  return DECISIONS.find((decision) => decision === word) ?? null
}

export interface Return {
  readonly at: Instant
  /** The new release. */
  readonly release: number
  /** The one that it brought back. */
  readonly to: number
}

export const wentBackEvent = ({ at, release, to }: Return, refused: ReleaseHead): NewEvent => ({
  at,
  kind: 'went_back',
  message:
    `The proxy did not load release ${refused.number} (${refused.reason}) and still runs release ${to}, so release ` +
    `${release} went back to that. The proxy's log says why.`,
  facts: { release: refused.number, went_back_to: to, by_release: release },
})

export const staysEvent = (at: Instant, refused: ReleaseHead, because: string): NewEvent => ({
  at,
  kind: 'not_loaded',
  message:
    `The proxy did not load release ${refused.number} (${refused.reason}). The routes file was left as it is: ` +
    `${because.replace(/\.$/, '')}.`,
  facts: { release: refused.number, because },
})

export interface WentBack {
  /** The release whose routes file the proxy runs. */
  readonly to: number
  /** The new release that brought it back. */
  readonly release: number
}

/** What was done, or why nothing was: the end of a sentence that begins with "the file was left as it is, because". */
export type GoingBack = WentBack | Stay

export interface Stay {
  readonly stays_because: string
  /** Another look may decide otherwise: the reason lies in us and not in the file. */
  readonly for_now: boolean
}

/** What becomes of a release that the proxy did not load, decided once for each (`decisions.ts`). */
export interface ReleaseDecisions {
  /** The newest release was not loaded. Throws what the store or the proxy throws; nothing is decided then. */
  decide(head: ReleaseHead, state: LoadedState): Promise<GoingBack>
  /** The proxy was seen to run it, at once or after somebody cured what kept it from that. */
  loaded(head: ReleaseHead): Promise<void>
  /** Its call has ended without a decision: whoever watches need not leave the first word to it any longer. */
  leave(head: ReleaseHead): void
  isLeft(head: ReleaseHead): boolean
  /** Calls `left` whenever a release was left. */
  onLeft(left: () => void): void
}
