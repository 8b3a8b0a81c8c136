/** Asking again as the target does: not before the wait that was told is over. */
import { Failure } from '../../../../src/kernel/failure.ts'
import type { InstalledCertificate } from '../../../../src/features/certificates/records.ts'
import type { CertificateWish, Issuer } from '../../../../src/features/certificates/issuing/port.ts'
import { WHY, type World } from './world.ts'

/** The failure that an attempt ends with. */
export async function failureOf(attempt: Promise<unknown>): Promise<Failure> {
  const failure = await attempt.then(
    () => new Error('it went well'),
    (error: unknown) => error,
  )
  if (!(failure instanceof Failure)) throw failure
  return failure
}

export interface Persistence {
  readonly installed: InstalledCertificate
  readonly failures: readonly Failure[]
}

/** @param most attempts; more are a test that failed */
export async function untilObtained(
  { clock }: World,
  issuer: () => Issuer,
  { wish, most }: { readonly wish: CertificateWish; readonly most: number },
): Promise<Persistence> {
  const failures: Failure[] = []
  for (;;) {
    try {
      return { installed: await issuer().issue(wish, WHY), failures }
    } catch (error) {
      if (!(error instanceof Failure) || failures.length === most) throw error
      failures.push(error)
      clock.pass(error.details.retry_after_ms ?? 60_000)
    }
  }
}
