/** Keeps what a release asks of certificates as canonical JSON. */
import type { Codec } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { CertificatesDesired } from './desire.ts'

/** The form of the text. Releases are kept for ever, so a later form must still read this one. */
const FORM = 1

export const certificatesCodec: Codec<CertificatesDesired> = {
  freeze({ wishes, kept }) {
    const chunks = [Buffer.from(`${canonicalJson({ form: FORM, wishes, kept })}\n`)]
    return { digest: sha256(chunks), chunks }
  },
  thaw(chunks) {
    const { form, ...desired } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as CertificatesDesired & {
      readonly form: unknown
    }
    if (form !== FORM)
      throw new Failure(
        'internal',
        `certificates: a release is kept in form ${String(form)}, which is not known here.`,
      )
    return desired
  },
}
