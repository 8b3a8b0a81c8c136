/** Puts the files of a certificate right from what is kept of it, without a new order. */
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { KeptChain } from '../records.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { CertificateParts } from './parts.ts'
import type { Mend } from './soundness.ts'

type Parts = Pick<CertificateParts, 'files' | 'store' | 'file' | 'log'>

export interface MendWork {
  readonly name: string
  readonly fingerprint: string
  readonly mends: readonly Mend[]
}

/** Throws a Failure; then the next look says what is left to do. */
export async function mendFiles(work: MendWork, parts: Parts, signal: AbortSignal): Promise<void> {
  const { name, fingerprint, mends } = work
  const kept = mends.some((mend) => mend !== 'mode') ? await keptChain(name, parts) : null
  const mending = {
    chain_pem: mends.includes('chain') ? kept!.chain_pem : null,
    key_sha256: mends.includes('key') ? kept!.key_sha256 : null,
  }
  await parts.files.mend({ name, fingerprint }, mending, signal)
  parts.log.info('certificate files mended', { name, mends: [...mends] })
  await stirProxy(parts.file, signal)
}

/** Bytes that are not what their own digest says are worse than none: they are forgotten, and a new order is made. */
async function keptChain(name: string, { store, log }: Parts): Promise<KeptChain> {
  const kept = await store.certificateChain(name)
  if (kept !== null && sha256([kept.chain_pem]) === kept.chain_sha256) return kept
  if (kept !== null) {
    log.error('chain kept in the database is damaged', { name })
    await store.write((tx) => tx.dropChain(name))
  }
  throw new Failure('conflict', `The chain of ${name} that the database keeps is gone or damaged.`)
}

const FILE_MODE = 0o644

/** The proxy reads keys and chains when its file changes and at no other time, so the same bytes are put there anew. */
async function stirProxy(file: ManagedFile, signal: AbortSignal): Promise<void> {
  const look = await file.look(signal)
  if (look.kind !== 'file') return
  const { bytes, digest } = look
  const options = { mode: FILE_MODE, keeps_mode: true, expected: digest, digest, evidence: false } as const
  try {
    await file.replace([Buffer.from(bytes)], options, signal)
  } catch (error) {
    // Somebody has just changed it: then the proxy reads it anyway.
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
  }
}
