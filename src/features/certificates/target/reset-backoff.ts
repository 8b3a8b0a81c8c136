/** Clears the backoff after failures, so that the next attempt of each order runs now. */
import type { CertificateParts } from './parts.ts'

/** A wait that an authority asked for holds, and the ledger of its limits is not touched. */
export async function resetBackoff({
  store,
  clock,
}: Pick<CertificateParts, 'store' | 'clock'>): Promise<void> {
  await store.write(async (tx) => {
    const now = clock.now()
    for (const failure of await tx.certificateFailures())
      if (failure.next_try_at > now && failure.code !== 'provider_busy')
        await tx.saveFailure({ ...failure, next_try_at: now })
  })
}
