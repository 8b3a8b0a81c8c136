/** How many names have a certificate that is not known, with the way to them. */
import { unknownText } from '../model/text/headline-words.ts'

/** What names serve as a certificate may be unknown where all that is looked at is well. */
export function UnknownNames({ many }: { readonly many: number }) {
  const text = unknownText(many)
  return text === null ? null : <a href="/domains?q=cert%3Aunknown">{text}</a>
}
