/** Reading what a certificate says of itself. */
import type { CertificateFacts } from '../model/certificate.ts'

/** Of the first certificate in a PEM text. Throws a Failure (`malformed_request`) for what is none. */
export type ReadCertificate = (pem: string) => CertificateFacts

/**
 * Of every certificate in a PEM text, in its order; other things between them, such as keys, are stepped over. Throws a
 * Failure (`malformed_request`) where there is none or one is malformed.
 */
export type ReadChain = (pem: string) => readonly CertificateFacts[]

/** Whether a private key belongs to the first certificate of a PEM text. False for what is neither. */
export type KeyFits = (chain_pem: string, key_pem: string) => boolean
