/** One look at a certificate: our rows, our files, and the file that the proxy reads. No authority is asked by it. */
import type { Observation } from '../../../engine/target.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { CertificateParts } from './parts.ts'
import type { Reading, CertificateInventory } from './inventory.ts'
import { type Soundness, soundnessOf } from './soundness.ts'
import type { CertificateState } from './state.ts'

export interface Looking {
  readonly inventory: CertificateInventory
  readonly parts: Pick<CertificateParts, 'clock' | 'directory'>
}

export async function observeCertificate(
  name: string,
  looking: Looking,
  signal: AbortSignal,
): Promise<Observation<CertificateState>> {
  const { clock } = looking.parts
  try {
    const reading = await looking.inventory.read(signal)
    const sound = soundnessIn(reading, name)
    if (sound !== null && sound.unreadable !== null)
      return { known: false, reason: 'unreadable', detail: sound.unreadable, at: clock.now() }
    const state = stateIn(reading, name, looking.parts)
    // Time, orders and trouble come and go without anybody's doing: only the certificate itself names a state.
    return { known: true, state, digest: state.installed?.fingerprint ?? 'none', at: clock.now() }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { known: false, reason: 'unreadable', detail: error.message, at: clock.now() }
  }
}

export function stateIn(
  reading: Reading,
  name: string,
  { clock, directory }: Pick<Looking['parts'], 'clock' | 'directory'>,
): CertificateState {
  const { certificates, orders, failure, versions, isNamed } = reading
  const theirs = versions.filter((version) => version.name === name)
  const sound = soundnessIn(reading, name)
  return {
    name,
    now: clock.now(),
    directory,
    installed: certificates.get(name) ?? null,
    fault: sound === null ? null : (sound.fault ?? sound.unreadable),
    altered: sound?.altered === true,
    mends: sound?.mends ?? [],
    order: orders.get(name) ?? null,
    failure: failure.get(name) ?? null,
    in_use: theirs.some(isNamed),
  }
}

/** Null where nothing is installed. */
export function soundnessIn(
  { certificates, chains, versions }: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
  name: string,
): Soundness | null {
  const installed = certificates.get(name)
  if (installed === undefined) return null
  const version = versions.find((one) => one.name === name && one.fingerprint === installed.fingerprint)
  return soundnessOf(installed, version, chains.get(name) ?? null)
}
