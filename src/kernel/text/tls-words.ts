/** What a failed TLS handshake says, in words that go on after the name of the server. Node's own advise its command line. */

const NOT_TRUSTED = 'has a certificate that is not trusted'

/** By the code of OpenSSL or Node. */
const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  INVALID_CA: NOT_TRUSTED,
  CERT_UNTRUSTED: NOT_TRUSTED,
  CERT_SIGNATURE_FAILURE: 'has a certificate with a wrong signature',
  CERT_REVOKED: 'has a certificate that was revoked',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet; see whether the clock of this host is right',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS at this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS at this port',
}

/** @param authority where a private authority is named, such as `PLUMBLINE_SMTP_CA_FILE`; null where nothing names one */
export function tlsWords(code: string | null, authority: string | null): string | null {
  if (code === null) return null
  const words = WORDS[code]
  if (words === undefined)
    return /^ERR_(?:SSL|TLS)_/.test(code) ? `failed in its TLS handshake (${code})` : null
  return words === NOT_TRUSTED && authority !== null
    ? `${words}. If its authority is a private one, name its certificate in ${authority}`
    : words
}
