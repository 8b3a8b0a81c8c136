/** Reading what a certificate says of itself. */
import type { CertificateFacts } from '../model/certificate.ts'

/** Of the first certificate in a PEM text. Throws a Failure (`malformed_request`) for what is none. */
export type ReadCertificate = (pem: string) => CertificateFacts
