/** One look at a certificate: our rows, our files, and the file that the proxy reads. No authority is asked by it. */
import type { Observation } from '../../engine/target.ts'
import { Failure } from '../../kernel/failure.ts'
import type { CertificateParts } from './parts.ts'
import type { Reading, Shelf } from './shelf.ts'
import type { CertificateState } from './state.ts'

export interface Looking {
  readonly shelf: Shelf
  readonly parts: Pick<CertificateParts, 'clock' | 'directory'>
}

export async function observeCertificate(
  name: string,
  looking: Looking,
  signal: AbortSignal,
): Promise<Observation<CertificateState>> {
  const { clock } = looking.parts
  try {
    const state = stateIn(await looking.shelf.read(signal), name, looking.parts)
    // Time, orders and trouble come and go without anybody's doing: only the certificate itself names a state.
    return { known: true, state, digest: state.installed?.fingerprint ?? 'none', at: clock.now() }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { known: false, reason: 'unreadable', detail: error.message, at: clock.now() }
  }
}

export function stateIn(
  { certificates, orders, trouble, versions, isNamed }: Reading,
  name: string,
  { clock, directory }: Looking['parts'],
): CertificateState {
  const installed = certificates.get(name) ?? null
  const theirs = versions.filter((version) => version.name === name)
  const version = theirs.find(({ fingerprint }) => fingerprint === installed?.fingerprint)
  const missing = `key or certificate of serial ${installed?.serial} is missing`
  return {
    name,
    now: clock.now(),
    directory,
    installed,
    fault: installed === null ? null : version === undefined ? missing : version.fault,
    altered: version?.altered === true,
    order: orders.get(name) ?? null,
    trouble: trouble.get(name) ?? null,
    in_use: theirs.some(isNamed),
  }
}
