/** Asking for a certificate: a new key, and the request that it signs. */

/**
 * An ECDSA P-256 key of its own for every request. Throws a Failure (`malformed_request`) for what is no DNS name.
 * @param names lower-case A-labels, wildcards among them; the first has no special place
 */
export type MakeRequest = (names: readonly string[]) => Promise<CertificateRequest>

export interface CertificateRequest {
  /** PKCS #8 PEM: a secret. */
  readonly key_pem: string
  /** PKCS #10, DER; the names stand in the subject alternative name alone. */
  readonly csr: Uint8Array
}
