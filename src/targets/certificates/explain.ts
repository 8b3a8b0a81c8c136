/** Why a certificate is not what it should be, for people. Pure. */
import { causeOf } from '../../engine/cause.ts'
import type { Excerpt, Explanation, Sides } from '../../engine/target.ts'
import { covers } from '../../model/certificate.ts'
import type { CertificatesDesired, Wish } from './desire.ts'
import { certificateObstacles, diffCertificate, wishFor } from './diff.ts'
import type { CertificateState } from './state.ts'

type CertificateSides = Sides<CertificatesDesired, CertificateState>

export function explainCertificate({
  working,
  released,
  observed,
  rows_moved,
}: CertificateSides): Explanation {
  const nothing = { unified_diff: null, note: null }
  const [difference] = diffCertificate(working, observed)
  const [obstacle] = certificateObstacles(working, observed)
  const told = difference?.after ?? obstacle?.failure.message ?? 'nobody needs it any more'
  if (difference === undefined && obstacle === undefined) return { ...nothing, differences: [] }
  const { name, installed, fault } = observed
  const texts = {
    working: textOf(wishFor(working, name)),
    released: textOf(released && wishFor(released, name)),
    observed: fault === null ? textOf(installed) : null,
  }
  // What is right but has come to its end is to be made anew, though no record moved.
  const cause = causeOf(texts, rows_moved) ?? 'renderer_changed'
  return {
    ...nothing,
    differences: [{ item: name, cause, domains: wishFor(working, name)?.names ?? [], detail: told }],
  }
}

const textOf = (wish: Pick<Wish, 'names'> | null): string | null =>
  wish === null ? null : `certificate for ${wish.names.join(', ')}\n`

export const certificateExcerpt = (name: string): Excerpt<CertificatesDesired, CertificateState> => ({
  desired(desired, domains) {
    const wish = wishFor(desired, name)
    return wish !== null && domains.some((domain) => covers(wish.names, domain)) ? textOf(wish) : null
  },
  observed: ({ installed }, domains) =>
    installed !== null && domains.some((domain) => covers(installed.names, domain))
      ? textOf(installed)
      : null,
})
