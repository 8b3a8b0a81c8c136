/** Keeps what stands on disk of an installation from before chains were kept. Only what is whole is given here. */
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { StoredVersion } from '../files/port.ts'
import { soundnessIn } from './observe.ts'
import type { CertificateParts } from './parts.ts'
import type { Reading } from './inventory.ts'

/** Of all that are installed; at the start, because a look only reads. */
export async function keepChains(
  reading: Reading,
  parts: Pick<CertificateParts, 'files' | 'store' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of reading.certificates.keys()) {
    const to_keep = soundnessIn(reading, name)?.to_keep ?? null
    if (to_keep !== null) await keepChain(to_keep, parts, signal)
  }
}

/** The daemon must not fail because nothing could be kept: the next start tries again. */
async function keepChain(
  { name, fingerprint, chain_sha256, plain_key_sha256: key_sha256 }: StoredVersion,
  { files, store, log }: Pick<CertificateParts, 'files' | 'store' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const chain_pem = await files.chain({ name, fingerprint }, signal)
    if (chain_pem === null || chain_sha256 === null || key_sha256 === null) return
    if (sha256([chain_pem]) !== chain_sha256) return
    await store.write(async (tx) => {
      const row = (await tx.certificates()).find((one) => one.name === name)
      if (row?.fingerprint === fingerprint)
        await tx.saveChain({ name, fingerprint, chain_pem, chain_sha256, key_sha256 })
    })
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    log.warn('chain of a certificate not kept', { name, error })
  }
}
