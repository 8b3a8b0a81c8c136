/** Somebody has mended what went wrong and does not want to wait: the next tries are due at once. */
import type { CertificateParts } from './parts.ts'

/** A wait that an authority asked for holds, and the ledger of its limits is not touched. */
export async function hurry({ store, clock }: Pick<CertificateParts, 'store' | 'clock'>): Promise<void> {
  await store.write(async (tx) => {
    const now = clock.now()
    for (const trouble of await tx.certificateTrouble())
      if (trouble.next_try_at > now && trouble.code !== 'provider_busy')
        await tx.saveTrouble({ ...trouble, next_try_at: now })
  })
}
