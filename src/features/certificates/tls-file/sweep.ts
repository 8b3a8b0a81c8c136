/**
 * Takes away what nothing leads to any more once the proxy's file was written: versions that are neither installed nor
 * named, and certificates that nobody wants. Old keys must not gather.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { InstalledCertificate } from '../records.ts'
import type { CertificatesDesired } from '../target/desire.ts'
import { wishFor } from '../target/diff.ts'
import { isSurplus } from '../target/need.ts'
import { stateIn } from '../target/observe.ts'
import type { CertificateParts } from '../target/parts.ts'
import type { Reading } from '../target/inventory.ts'

type Parts = Pick<CertificateParts, 'files' | 'store' | 'log' | 'clock' | 'directory'>

/** What will not go now goes at another time. @param reading from after the write */
export async function sweep(reading: Reading, desired: CertificatesDesired, parts: Parts): Promise<void> {
  const { certificates, orders, versions, isNamed } = reading
  const left = [...certificates.keys()].filter((name) => isLeft(name, reading, { desired, parts }))
  const surplus = new Set(left)
  for (const version of versions) {
    const { name, fingerprint } = version
    // Where there is no row at all it is not known what became of it: an older database may have been put back.
    const installed = certificates.get(name)
    if (installed === undefined || orders.has(name) || isNamed(version)) continue
    if (!left.includes(name) && (installed.fingerprint === fingerprint || !stands(installed, versions)))
      continue
    // The row stays as long as a file does, so that it is found again.
    if (!(await dropVersion({ name, fingerprint }, parts))) surplus.delete(name)
  }
  if (surplus.size === 0) return
  await parts.store.write(async (tx) => {
    for (const name of surplus) {
      await tx.dropCertificate(name)
      await tx.dropFailure(name)
    }
  })
  parts.log.info('certificates dropped', { names: [...surplus] })
}

/** Only a version that works lets others go: they may stand in for it, or be what an older database knows nothing of. */
const stands = (
  { name, fingerprint }: Pick<InstalledCertificate, 'name' | 'fingerprint'>,
  versions: Reading['versions'],
): boolean =>
  versions.some((one) => one.name === name && one.fingerprint === fingerprint && one.fault === null)

/** One with an order has more to be taken away, in the DNS: that is its own target's to do. */
const isLeft = (
  name: string,
  reading: Reading,
  { desired, parts }: { readonly desired: CertificatesDesired; readonly parts: Parts },
): boolean =>
  wishFor(desired, name) === null &&
  !reading.orders.has(name) &&
  isSurplus(stateIn(reading, name, parts), desired.kept)

async function dropVersion(
  version: { readonly name: string; readonly fingerprint: string },
  { files, log }: Parts,
): Promise<boolean> {
  try {
    await files.drop(version)
    log.info('certificate version dropped', version)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.warn('certificate version not dropped', { ...version, error })
    return false
  }
}
