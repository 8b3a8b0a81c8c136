/** Why this host would not trust a chain, in words. Pure. */
import type { Handshake } from '../tls-probe/port.ts'
import type { ManagedView } from '../view.ts'

const UNKNOWN_ISSUER =
  'whoever issued it is neither served with it nor known to this host. See whether the proxy serves the whole chain'
const OWN_AUTHORITY = 'its chain ends at an authority that this host does not know'
const ITSELF = 'it was issued by itself. Look at the log of the proxy for the order of a real one'

/** By the code of OpenSSL. */
const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ITSELF,
  SELF_SIGNED_CERT_IN_CHAIN: OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  CERT_SIGNATURE_FAILURE: 'a signature of its chain is wrong',
  CERT_HAS_EXPIRED: 'a certificate of its chain has ended',
  CERT_NOT_YET_VALID: 'a certificate of its chain is not valid yet',
  CERT_REVOKED: 'it was revoked',
  INVALID_CA: 'its chain holds a certificate that may not issue others',
}

/** Null where it is trusted, and for what our own manager obtained: its authority was chosen, known here or not. */
export function distrustOf(
  seen: Handshake | null,
  { manager }: { readonly manager: Pick<ManagedView, 'installed'> | null },
): string | null {
  if (seen?.ok !== true || seen.distrust === null) return null
  const served = seen.chain[0]
  // Whether the name fits is compared by its own words.
  if (served === undefined || seen.distrust === 'ERR_TLS_CERT_ALTNAME_INVALID') return null
  if (manager?.installed?.fingerprint === served.fingerprint) return null
  const why = WORDS[seen.distrust] ?? `the check ended with ${seen.distrust}`
  return (
    `What is served (issuer ${served.issuer}) is not trusted by this host: ${why}. ` +
    'An authority of your own is told to this host by NODE_EXTRA_CA_CERTS.'
  )
}
