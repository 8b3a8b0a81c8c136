/** Whether what an authority handed out is what was ordered, and better than what stands. Pure. */
import { type Instant, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { InstalledCertificate } from '../records.ts'

/** An authority's clock may be a little ahead of ours. */
const SKEW: Milliseconds = 5 * 60_000

export interface Expected {
  readonly names: readonly string[]
  readonly directory: string
  /** Whether the leaf belongs to the key that the order was finalised with. */
  readonly key_fits: boolean
  readonly replaces: InstalledCertificate | null
  readonly now: Instant
}

/** What is wrong, as the end of the sentence "it handed out …"; null where it is good. */
export function unfitness(leaf: CertificateFacts, expected: Expected): string | null {
  const { names, key_fits, replaces, now, directory } = expected
  const missing = names.filter((name) => !leaf.names.includes(name))
  if (missing.length > 0) return `a certificate that is not for ${missing.join(', ')}`
  const strange = leaf.names.filter((name) => !names.includes(name))
  if (strange.length > 0) return `a certificate that is also for ${strange.join(', ')}`
  if (!key_fits) return 'a certificate for another key'
  if (leaf.not_after <= now) return `a certificate that ended at ${isoTime(leaf.not_after)}`
  if (leaf.not_before > now + SKEW) return `a certificate that begins only at ${isoTime(leaf.not_before)}`
  if (replaces === null || replaces.directory !== directory || !sameNames(replaces.names, names)) return null
  return isBetter(leaf, replaces)
    ? null
    : `a certificate that ends at ${isoTime(leaf.not_after)}, not later than the one it replaces`
}

/**
 * It ends later; or the authority has gone over to shorter ones and it begins later; or it is another one of the same day, where
 * an authority counts in days.
 */
const isBetter = (leaf: CertificateFacts, old: CertificateFacts): boolean =>
  leaf.not_after > old.not_after ||
  (lifeOf(leaf) < lifeOf(old) && leaf.not_before > old.not_before) ||
  (isOfSameTime(leaf, old) && leaf.fingerprint !== old.fingerprint)

const isOfSameTime = (a: CertificateFacts, b: CertificateFacts): boolean =>
  a.not_before === b.not_before && a.not_after === b.not_after

const lifeOf = ({ not_before, not_after }: CertificateFacts): Milliseconds => not_after - not_before

export const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join()
