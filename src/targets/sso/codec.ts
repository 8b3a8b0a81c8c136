/** Keeps the rules of a release with the very bytes of their file, so that a newer renderer restores what was deployed. */
import type { Codec } from '../../engine/target.ts'
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import type { SsoDesired } from './desire.ts'

export const ssoCodec: Codec<SsoDesired> = {
  freeze: (desired) => {
    const chunks = [Buffer.from(canonicalJson(desired))]
    return { digest: sha256(chunks), chunks }
  },
  thaw: (chunks) => JSON.parse(Buffer.concat(chunks).toString('utf8')) as SsoDesired,
}

/** SHA-256 of the file's bytes. */
export const fileDigest = ({ text }: SsoDesired): string => sha256([text])
