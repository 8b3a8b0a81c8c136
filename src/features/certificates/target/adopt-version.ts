/** Takes a newer certificate on disk into the rows, where these are older than the disk. */
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { CertificateFiles, StoredVersion } from '../files/port.ts'
import type { InstalledCertificate, KeptChain } from '../records.ts'
import type { Reading } from './inventory.ts'
import type { CertificateParts } from './parts.ts'
import { successorIn } from './successor.ts'

export interface AdoptParts extends Pick<CertificateParts, 'files' | 'store' | 'log'> {
  /** The id of the leaf in renewal information (RFC 9773 §4.1). */
  readonly ariId: (chain_pem: string) => string | null
}

/**
 * At the start, because a look only reads: a renewal leaves no trace by which a restored backup is noticed. An order that runs
 * writes the row itself.
 */
export async function adoptVersions(reading: Reading, parts: AdoptParts, signal: AbortSignal): Promise<void> {
  for (const [name, installed] of reading.certificates) {
    const version = reading.orders.has(name) ? null : successorIn(reading, name)
    if (version !== null) await adoptVersion(installed, version, { parts, signal })
  }
}

interface At {
  readonly parts: AdoptParts
  readonly signal: AbortSignal
}

/** The daemon must not fail because of it: then a new one is ordered, and this one stays named and unswept. */
async function adoptVersion(
  installed: InstalledCertificate,
  version: StoredVersion,
  { parts, signal }: At,
): Promise<void> {
  const { files, store, log, ariId } = parts
  const { name } = installed
  try {
    const written = await writtenOf(version, files, signal)
    if (written === null) return
    const row = rowOf(installed, version, ariId(written.chain_pem))
    await store.write(async (tx) => {
      const stands = (await tx.certificates()).find((one) => one.name === name)
      if (stands?.fingerprint !== installed.fingerprint) return
      await tx.saveCertificate(row)
      await tx.saveChain(written)
      await tx.dropFailure(name)
    })
    const { serial, not_after } = row
    log.warn('a newer certificate on disk was taken into the database', { name, serial, not_after })
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    log.warn('a newer certificate on disk was not taken into the database', { name, error })
  }
}

/** Null where the files are not what was looked at any more. */
async function writtenOf(
  { name, fingerprint, chain_sha256, plain_key_sha256: key_sha256 }: StoredVersion,
  files: CertificateFiles,
  signal: AbortSignal,
): Promise<KeptChain | null> {
  const chain_pem = await files.chain({ name, fingerprint }, signal)
  if (chain_pem === null || chain_sha256 === null || key_sha256 === null) return null
  return sha256([chain_pem]) === chain_sha256
    ? { name, fingerprint, chain_pem, chain_sha256, key_sha256 }
    : null
}

/** When it was obtained is not known, only since when it holds. */
const rowOf = (
  { name, directory }: InstalledCertificate,
  { leaf }: StoredVersion,
  ari_id: string | null,
): InstalledCertificate => ({
  ...leaf!,
  name,
  directory,
  obtained_at: leaf!.not_before,
  ari_id,
  renewal: null,
})
