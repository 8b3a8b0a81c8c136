/** Keeps the rules of a release with the very bytes of their file, so that a newer renderer restores what was deployed. */
import type { Codec } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import type { SsoDesired } from './desire.ts'

/** Every look asks for the digest of what is wanted, which is the same until a record changes. */
const frozen = new WeakMap<SsoDesired, ReturnType<Codec<SsoDesired>['freeze']>>()

export const ssoCodec: Codec<SsoDesired> = {
  freeze(desired) {
    const known = frozen.get(desired)
    if (known !== undefined) return known
    const chunks = [Buffer.from(canonicalJson(desired))]
    const fresh = { digest: sha256(chunks), chunks }
    frozen.set(desired, fresh)
    return fresh
  },
  thaw: (chunks) => JSON.parse(Buffer.concat(chunks).toString('utf8')) as SsoDesired,
}

/** SHA-256 of the file's bytes. */
export const fileDigest = ({ text }: SsoDesired): string => sha256([text])
