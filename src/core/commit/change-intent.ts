/**
 * What every way in which intent changes has in common: one transaction, the rules over what is released, and a look at
 * everything where the store leaves open whether it happened.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { Instant } from '../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { CommitParts } from './parts.ts'
import { assertReleasableNow } from '../../engine/editions/ring.ts'

export interface Transaction {
  readonly tx: StoreWriter
  readonly at: Instant
}

/** Thrown inside a transaction to take everything back. */
export class TakenBack extends Error {}

const STORE_FAILURE: readonly FailureCode[] = ['store_unavailable', 'storage_full', 'storage_unwritable']

/** Runs `work` in one transaction. */
export async function changeIntent<T>(
  { store, clock, engine }: Pick<CommitParts, 'store' | 'clock' | 'engine'>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await store.write((tx) => work({ tx, at: clock.now() }))
  } catch (error) {
    // A commit that is reported as an error may have happened all the same (a connection lost while it was under way).
    const is_open = !(error instanceof Failure) || STORE_FAILURE.includes(error.code)
    if (is_open && !(error instanceof TakenBack)) engine.suspectStore()
    throw error
  }
}

/** What `work` comes to, with nothing left of it: it meets every rule and constraint that the real call would meet. */
export async function rehearseIntent<T>(
  { store, clock }: Pick<CommitParts, 'store' | 'clock'>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const rehearsed: { result?: T } = {}
  try {
    await store.write(async (tx) => {
      rehearsed.result = await work({ tx, at: clock.now() })
      throw new TakenBack('dry run')
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
  return rehearsed.result as T
}

/** Throws `conflict` for rows that must not be deployed together. */
export async function assertRules(
  { offer }: Pick<CommitParts, 'offer'>,
  tx: StoreWriter,
  release: readonly ReleaseRow[],
): Promise<void> {
  const released = await tx.intent('released')
  // Of thousands it takes its time: whoever calls meanwhile does not wait for it and for what was done before it.
  const turn = () => othersTurn(released.rows.length + release.length)
  await turn()
  assertReleasableNow({ working: await tx.intent('working'), released }, release, offer)
  await turn()
}
