/** How many names have a certificate that is not known, with the way to them. */
import { useResource } from '../api/cache.ts'
import type { Lamps } from '../api/types.ts'
import { unknownCertificates, unknownText } from '../model/text/headline-words.ts'

/** Of more names than that their lamps are not fetched for one sentence. */
const MAX_NAMES = 2000

/** What names serve as a certificate may be unknown where all that is looked at is well. */
export function UnknownNames({ total }: { readonly total: number }) {
  const lamps = useResource<Lamps>(total > 0 && total <= MAX_NAMES ? '/api/domains/lamps' : '').value
  const text = unknownText(lamps === undefined ? 0 : unknownCertificates(lamps))
  if (text === null) return null
  return <a href="/domains?q=cert%3Aunknown">{text}</a>
}
