/** Why a certificate is not what it should be, for people. Pure. */
import { causeOf } from '../../../engine/cause.ts'
import type { Excerpt, Explanation, Sides } from '../../../engine/target.ts'
import { covers } from '../../../model/network/certificate.ts'
import type { CertificatesDesired, Wish } from './desire.ts'
import { certificateObstacles, diffCertificate, wishFor } from './diff.ts'
import type { CertificateState } from './state.ts'

type CertificateSides = Sides<CertificatesDesired, CertificateState>

export function explainCertificate(sides: CertificateSides): Explanation {
  const { working, released, observed, rows_moved } = sides
  const nothing = { unified_diff: null, note: null }
  const reported = tellOf(working, observed) ?? (released && tellOf(released, observed))
  if (reported === null) return { ...nothing, differences: [] }
  const { name } = observed
  const texts = {
    working: textOf(wishFor(working, name)),
    released: textOf(released && wishFor(released, name)),
    observed: observedText(observed),
  }
  // What is right but has come to its end is to be made anew, though no record moved.
  const cause = isRefused(observed, texts) ? 'rejected' : (causeOf(texts, rows_moved) ?? 'renderer_changed')
  return {
    ...nothing,
    differences: [{ item: name, cause, domains: wishFor(working, name)?.names ?? [], detail: reported }],
  }
}

/** Nobody has taken away, or cut the names of, what was never issued so. */
const isRefused = (
  { failure, fault }: CertificateState,
  texts: { readonly released: string | null; readonly observed: string | null },
): boolean =>
  failure !== null && fault === null && texts.released !== null && texts.released !== texts.observed

/** What would be done for an edition, or what is in the way; null where all is as it asks. */
function tellOf(desired: CertificatesDesired, observed: CertificateState): string | null {
  const [difference] = diffCertificate(desired, observed)
  if (difference !== undefined) return difference.after ?? 'nobody needs it any more'
  const [obstacle] = certificateObstacles(desired, observed)
  return obstacle?.failure.message ?? null
}

function observedText({ installed, fault, altered }: CertificateState): string | null {
  if (fault === null) return textOf(installed)
  return altered === true ? `${textOf(installed)}${fault}\n` : null
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
