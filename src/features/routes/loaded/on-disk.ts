/**
 * What of the newest rendering stands on disk: what does not stand there nobody can have loaded, and nobody can have refused.
 *
 *   the file bears its marker                              newest
 *   a pass has seen the release there, the file bears
 *     another marker, or none                              changed: somebody was at it since
 *   no pass has seen it there, and one is about to try     under_way
 *   the same, and it was tried in vain, or nobody may try  not_written
 *   the file cannot be read                                by what passes know
 */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Deps } from '../deps.ts'
import type { LoadedState, OnDisk } from './loaded-state.ts'
import { ROUTES_KEY } from '../target/diff.ts'

export type DiskState = { readonly on_disk: OnDisk } & Pick<LoadedState, 'not_there'>

/** A disk that hangs is not waited for: whoever asks is due an answer within two seconds. */
const READ_WITHIN_MS: Milliseconds = 1000

/** @param wanted the marker of the newest release */
export async function diskState(
  { engine, proxy }: Pick<Deps, 'engine' | 'proxy'>,
  wanted: string,
): Promise<DiskState> {
  const marker = await proxy.markerOnDisk(AbortSignal.timeout(READ_WITHIN_MS)).catch((error: unknown) => {
    if (error instanceof Failure || error instanceof DOMException) return undefined
    throw error
  })
  const why = marker === wanted ? null : await engine.notApplied(ROUTES_KEY)
  if (why === null) return marker === wanted || marker === undefined ? NEWEST : CHANGED
  return why.is_under_way ? UNDER_WAY : { on_disk: 'not_written', not_there: `Not written: ${why.because}` }
}

const NEWEST: DiskState = { on_disk: 'newest', not_there: null }
const CHANGED: DiskState = {
  on_disk: 'changed',
  not_there: 'Written, and changed on disk by somebody since.',
}
const UNDER_WAY: DiskState = { on_disk: 'under_way', not_there: 'Not written yet: it is about to be.' }
