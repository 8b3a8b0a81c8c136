/** Puts one certificate right. Only writes; what takes longer than a caller may wait is left unfinished and taken up again. */
import type { Repair } from '../../../engine/target.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { RefusedRepair } from '../../../model/report.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { CertificateOrder } from '../order-records.ts'
import type { KeptChain } from '../records.ts'
import type { CertificatesDesired } from './desire.ts'
import { certificateKey, type CertificatePayload } from './diff.ts'
import type { CertificateParts } from './parts.ts'
import type { Mend } from './soundness.ts'

/** How long one pass follows an order. */
const ISSUE_TIMEOUT_MS: Milliseconds = 90_000
/** An order goes on by itself at the authority, so it is worth looking at it soon. */
const AGAIN_MS: Milliseconds = 5_000

export interface Work {
  readonly name: string
  readonly payload: CertificatePayload
  readonly desired: CertificatesDesired
  readonly parts: Pick<CertificateParts, 'issuer' | 'store' | 'files' | 'file' | 'log'>
  readonly signal: AbortSignal
}

export function applyCertificate(work: Work): Promise<Repair> {
  switch (work.payload.kind) {
    case 'obtain':
      return issue(work, work.payload)
    case 'tidy':
      return tidy(work, work.payload)
    case 'mend':
      return mend(work, work.payload)
    case 'drop':
      return drop(work)
  }
}

async function mend(
  { name, parts, signal }: Work,
  { fingerprint, mends }: Extract<CertificatePayload, { kind: 'mend' }>,
): Promise<Repair> {
  const key = certificateKey(name)
  try {
    await mendFiles({ name, fingerprint, mends }, parts, signal)
    return { key, ok: true }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { key, ok: false, failure: refusalOf(error) }
  }
}

async function issue(
  { name, parts, signal }: Work,
  { wish, reason }: Extract<CertificatePayload, { kind: 'obtain' }>,
): Promise<Repair> {
  const key = certificateKey(name)
  const timeout = AbortSignal.timeout(ISSUE_TIMEOUT_MS)
  try {
    await parts.issuer.issue(wish, { reason, signal: AbortSignal.any([signal, timeout]) })
    return { key, ok: true }
  } catch (error) {
    if (signal.aborted) throw error
    if (timeout.aborted || isUnfinished(error))
      return { key, ok: false, failure: await progressOf(name, parts, error), unfinished: true }
    if (!(error instanceof Failure)) throw error
    return { key, ok: false, failure: refusalOf(error) }
  }
}

const isUnfinished = (error: unknown): boolean =>
  error instanceof Failure && error.details.facts?.['unfinished'] === true

async function progressOf(
  name: string,
  { store }: Pick<CertificateParts, 'store'>,
  error: unknown,
): Promise<RefusedRepair> {
  const order = (await store.certificateOrders()).find((row) => row.name === name)
  const step = order === undefined ? 'begun' : order.step
  const detail = error instanceof Failure ? ` ${error.message}` : ''
  return {
    code: 'component_unavailable',
    message: `The order for ${name} is under way (${step}) and goes on by itself.${detail}`,
    retry_after_ms: (error instanceof Failure ? error.details.retry_after_ms : undefined) ?? AGAIN_MS,
  }
}

/** What cannot be taken away now stays on the order's row, so the row tells whether it worked. */
async function tidy(
  { name, desired, parts, signal }: Work,
  { needless }: Extract<CertificatePayload, { kind: 'tidy' }>,
): Promise<Repair> {
  const key = certificateKey(name)
  const wanted = desired.wishes.filter((wish) => !needless || wish.name !== name)
  await parts.issuer.tidy(wanted, signal)
  const left = (await parts.store.certificateOrders()).find((row) => row.name === name)
  return left === undefined ? { key, ok: true } : { key, ok: false, failure: untidied(left) }
}

function untidied({ name, challenges }: CertificateOrder): RefusedRepair {
  const records = challenges.map((challenge) => challenge.name).join(', ')
  return {
    code: 'component_unavailable',
    message: `${name}: the TXT records of an order that is over could not be taken away yet (${records}).`,
    retry_after_ms: 0,
  }
}

/** Its rows go last: as long as one stands, what is left of it is looked for. */
async function drop({ name, desired, parts, signal }: Work): Promise<Repair> {
  const { issuer, store, files } = parts
  await issuer.tidy(desired.wishes, signal)
  for (const version of await files.list(signal)) if (version.name === name) await files.drop(version)
  await store.write(async (tx) => {
    await tx.dropCertificate(name)
    await tx.dropFailure(name)
  })
  return { key: certificateKey(name), ok: true }
}

const refusalOf = ({ code, message, details }: Failure): RefusedRepair => ({
  code,
  message,
  retry_after_ms: details.retry_after_ms ?? 0,
})

// Puts the files of a certificate right from what is kept of it, without a new order.

type Parts = Pick<CertificateParts, 'files' | 'store' | 'file' | 'log'>

interface MendWork {
  readonly name: string
  readonly fingerprint: string
  readonly mends: readonly Mend[]
}

/** Throws a Failure; then the next look says what is left to do. */
async function mendFiles(work: MendWork, parts: Parts, signal: AbortSignal): Promise<void> {
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
