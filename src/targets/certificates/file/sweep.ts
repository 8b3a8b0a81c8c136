/**
 * Takes away versions that nothing leads to any more: not installed, not named by the proxy's file, and of no order that
 * runs. Old keys must not gather.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { CertificateParts } from '../parts.ts'
import type { Reading } from '../shelf.ts'

/** To be called when the proxy's file was just written. What will not go now goes at another time. */
export async function sweep(
  { versions, certificates, orders, isNamed }: Reading,
  { files, log }: Pick<CertificateParts, 'files' | 'log'>,
): Promise<void> {
  for (const version of versions) {
    const { name, fingerprint } = version
    // Where there is no row at all it is not known what became of it: an older database may have been put back.
    const installed = certificates.get(name)
    if (installed === undefined || installed.fingerprint === fingerprint) continue
    if (orders.has(name) || isNamed(version)) continue
    try {
      await files.drop({ name, fingerprint })
      log.info('certificate version dropped', { name, fingerprint })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      log.warn('certificate version not dropped', { name, fingerprint, error })
    }
  }
}
