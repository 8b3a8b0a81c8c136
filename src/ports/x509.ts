/** Reading what a certificate says of itself. */
import type { CertificateFacts } from '../model/network/certificate.ts'

/** Of the first certificate in a PEM text. Throws a Failure (`malformed_request`) for what is none. */
export type ReadCertificate = (pem: string) => CertificateFacts

/**
 * Of every certificate in a PEM text, in its order; other things between them, such as keys, are stepped over. Throws a
 * Failure (`malformed_request`) where there is none or one is malformed.
 */
export type ReadChain = (pem: string) => readonly CertificateFacts[]

/** Whether a private key belongs to the first certificate of a PEM text. False for what is neither. */
export type KeyFits = (chain_pem: string, key_pem: string) => boolean

/**
 * Whether a PEM text is certificates and nothing else, each signed by the next. A single one must have signed itself: what
 * lost its intermediate is no whole chain.
 */
export type IsWholeChain = (chain_pem: string) => boolean

/** The private key in a text, in the spelling in which we write one (PKCS #8 PEM); null for what is none. */
export type PlainKey = (key_pem: string) => string | null
